import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import type { ClockPunch } from '#contract/people/time-clock.ts'
import { localDateTime } from '#contract/people/time-clock.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { officeOf, openClinic, pageOf, people, signIn, until, type Office, type Person } from '#tests/e2e/clinic.ts'
import { feelNetwork, keptOn, startsWithoutServer, toastSays, tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

const storeTime = 'America/New_York'
const ids: Record<Person, number> = { maya: 1, ben: 2, ana: 3, iris: 4 }

let server: LorgnetteServer
let tablet: Tablet
let page: Page
const began = Date.now()

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet()
  page = await pageOf(tablet)
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const chip = () => page.getByRole('link', { name: /Open the Sync center$/ })
const card = () => page.getByRole('region', { name: 'Clock In/Out' })
const outbox = () => keptOn<OutboxCommand>(page, 'outbox')

async function punchesOf(office: Office, person: Person): Promise<ClockPunch[]> {
  const query = `id_user=${ids[person]}&from=${new Date(began - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`
  return (await office.get<{ punches: ClockPunch[] }>(`/api/timecard/entries?${query}`)).punches
}

/** The tablet holds the key to which it seals passwords; without it an offline punch is refused. */
async function hasSealingKey() {
  const facts = () => keptOn<{ key: string }>(page, 'facts')
  await until(facts, (all) => all.some(({ key }) => key === 'sealing-key'), 'The tablet has the key to which it seals')
}

/** As when the network comes back; the browser tells the page. */

async function loseServer() {
  await startsWithoutServer(page)
  await hasSealingKey()
  await server.stop()
  await feelNetwork(page)
  await chip().filter({ hasText: 'Offline' }).waitFor()
}

describe('with the network', () => {
  test('the user menu leads to the clock from anywhere, and a wrong password changes nothing', async () => {
    await signIn(page, server, 'ben')
    await page.goto(`${server.origin}/inventory/count-sheets`)
    await page.getByRole('button', { name: /user menu$/ }).click()
    await page.getByRole('menuitem', { name: 'Clock In/Out' }).click()
    await card().getByText('You’re not clocked in').waitFor()

    await card().getByLabel('Password of Ben').fill('wrong')
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(page, 'Clock in error', 'An error occurred while logging in. Please try again.')
    await card().getByRole('alert').filter({ hasText: 'Wrong username or password' }).waitFor()
    expect(await outbox()).toEqual([])

    await card().getByLabel('Password of Ben').fill(people.ben.password)
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(page, /Clocked in at \d\d:\d\d \d\d-\d\d-\d{4}/)
    await card().getByRole('button', { name: 'Clock Out', exact: true }).waitFor()
    const punches = await punchesOf(await officeOf(server), 'ben')
    expect(punches.map(({ direction }) => direction)).toEqual(['in'])
  })

  test('one sees the open session on the home page and on the day of the week, and ends it', async () => {
    await page.goto(server.origin)
    await page.getByText(/^Clocked in since/).waitFor()
    await page.goto(`${server.origin}/time-clock`)
    const today = page.getByRole('region', { name: 'Week' }).locator('li[aria-current=date]')
    await today.getByText(/– now$/).waitFor()
    await card().getByLabel('Password of Ben').fill(people.ben.password)
    await card().getByRole('button', { name: 'Clock Out', exact: true }).click()
    await toastSays(page, /Clocked out at .* after 0 h 0\d min/)
    await card().getByText('You’re not clocked in').waitFor()
    await today.getByText(/– now$/).waitFor({ state: 'detached' })
  })
})

describe('without the network', () => {
  test('a punch is sealed on the tablet, outlives a killed browser, and reaches the server exactly once', async () => {
    await signIn(page, server, 'ana')
    await page.goto(`${server.origin}/time-clock`)
    await card().getByText('You’re not clocked in').waitFor()
    await loseServer()
    await card().getByText('Offline. Punches are saved here.').waitFor()
    await card().getByLabel('Password of Ana').fill(people.ana.password)
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(page, 'Saved on this device: clocked in. It will be sent when you’re back online.')
    await page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').waitFor()

    const kept = await outbox()
    expect(kept).toHaveLength(1)
    expect(kept[0]?.body).toMatchObject({ username: 'ana', direction: 'in', sealed_password: expect.any(String) })
    expect(JSON.stringify(kept)).not.toContain(people.ana.password)

    await tablet.kill()
    tablet = await openTablet({ profile: tablet.profile })
    page = await pageOf(tablet)
    await page.goto(`${server.origin}/time-clock`)
    await page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').waitFor()
    expect((await outbox()).map(({ id }) => id)).toEqual([kept[0]?.id])

    await server.start()
    await feelNetwork(page)
    await until(outbox, (left) => left.length === 0, 'The punch has left')
    await page.reload()
    await card().getByText('Clocked in', { exact: true }).waitFor()
    const punches = await punchesOf(await officeOf(server), 'ana')
    expect(punches.map(({ id, direction }) => ({ id, direction }))).toEqual([{ id: kept[0]?.id, direction: 'in' }])
    expect(await page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').count()).toBe(0)
  })

  test('punches with a wrong password are kept for the manager, who corrects one and accepts the other', async () => {
    // Ben does not stay signed in: the card on the login screen takes both, one after the other.
    await signIn(page, server, 'maya')
    await hasSealingKey()
    await page.goto(`${server.origin}/login`)
    await page.getByRole('button', { name: 'Clock In/Out', exact: true }).click()
    const form = page.getByRole('form', { name: 'Clock In/Out' })
    await form.waitFor()
    await startsWithoutServer(page)
    await server.stop()
    const punchWrongly = async (person: Person, way: 'Clock in' | 'Clock Out') => {
      await form.getByLabel('Username').fill(people[person].username)
      await form.getByLabel('Password', { exact: true }).fill('not my password')
      await form.getByRole('button', { name: /^Clock (in|Out)$/ }).click()
      await form.getByText('You’re offline. Are you clocking in or out?').waitFor()
      await form.getByRole('button', { name: way, exact: true }).click()
      await form.getByText(/^Saved on this device/).waitFor()
    }
    await punchWrongly('ben', 'Clock in')
    await punchWrongly('ana', 'Clock Out')
    expect(await outbox()).toHaveLength(2)

    await server.start()
    await feelNetwork(page)
    await until(outbox, (left) => left.length === 0, 'Both punches have left, though nobody is signed in')
    const office = await officeOf(server)
    const review = async () => (await office.get<{ entries: ReviewEntry[] }>('/api/timecard/review')).entries
    const wrong = (await review()).filter(({ reasons }) => reasons.includes('wrong-password'))
    expect(wrong.map(({ username, direction, resolution }) => ({ username, direction, resolution }))).toEqual([
      { username: 'ben', direction: 'in', resolution: null },
      { username: 'ana', direction: 'out', resolution: null },
    ])

    await signIn(page, server, 'maya')
    await page.getByRole('link', { name: 'Time review' }).click()
    const entry = (who: string) => page.getByRole('listitem').filter({ hasText: who }).filter({ hasText: 'Wrong password' })
    await entry('Ben Halvorsen').getByText('Made offline with a wrong password.').waitFor()

    // Corrected to half an hour earlier.
    await entry('Ben Halvorsen').getByRole('button', { name: 'Correct' }).click()
    const correcting = page.getByRole('form', { name: 'Correct this punch' })
    await correcting.getByRole('button', { name: 'Correct', exact: true }).click()
    await correcting.getByText('Enter a reason').waitFor()
    const at = Date.parse(wrong[0]?.at ?? '') - 30 * 60_000
    await correcting.getByLabel('Time').fill(localDateTime(at, storeTime))
    await correcting.getByLabel('Reason').fill('He was here at the door already')
    await correcting.getByRole('button', { name: 'Correct', exact: true }).click()
    await toastSays(page, 'Decision saved')
    await entry('Ben Halvorsen').waitFor({ state: 'detached' })

    await entry('Ana Teixeira').getByRole('button', { name: 'Accept' }).click()
    const accepting = page.getByRole('form', { name: 'Accept this punch' })
    await accepting.getByLabel('Reason').fill('She has a new password')
    await accepting.getByRole('button', { name: 'Accept', exact: true }).click()
    await entry('Ana Teixeira').waitFor({ state: 'detached' })

    await page.getByRole('tab', { name: 'Decided' }).click()
    await page.getByText('Corrected by Maya Okonjo').waitFor()
    await page.getByText('She has a new password').waitFor()

    expect((await review()).filter(({ reasons }) => reasons.includes('wrong-password'))).toEqual([])
    const bens = (await punchesOf(office, 'ben')).concat(await earlier(office, 'ben'))
    const correction = bens.find(({ supersedes }) => supersedes === wrong[0]?.id)
    // A new row stands for it; what was made is kept.
    expect(correction).toMatchObject({ direction: 'in' })
    expect(Math.abs(Date.parse(correction?.at ?? '') - at)).toBeLessThan(60_000)
    expect(bens.some(({ id }) => id === wrong[0]?.id)).toBe(true)
    const anas = await punchesOf(office, 'ana')
    expect(anas.find(({ id }) => id === wrong[1]?.id)).toMatchObject({ direction: 'out', in_review: false })
  })

  async function earlier(office: Office, person: Person): Promise<ClockPunch[]> {
    const query = `id_user=${ids[person]}&from=${new Date(began - 3_600_000).toISOString()}&to=${new Date(began - 60_000).toISOString()}`
    return (await office.get<{ punches: ClockPunch[] }>(`/api/timecard/entries?${query}`)).punches
  }
})

test('a manager adds a punch that was forgotten, with a reason that its owner sees', async () => {
  await signIn(page, server, 'maya')
  await page.getByRole('link', { name: 'Time review' }).click()
  await page.getByRole('tab', { name: 'Weeks' }).click()
  await page.getByLabel('Person').selectOption({ label: 'Ben Halvorsen (Downtown Eye Care)' })
  await page.getByRole('button', { name: 'Add a missed punch' }).click()
  const form = page.getByRole('form', { name: 'Add a missed punch' })
  await form.getByRole('radio', { name: 'Out' }).check()
  await form.getByLabel('Time').fill(localDateTime(Date.now() + 3_600_000, storeTime))
  await form.getByLabel('Reason').fill('Left early, told me')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('The time can’t be in the future').waitFor()
  await form.getByLabel('Time').fill(localDateTime(Date.now() - 60_000, storeTime))
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await toastSays(page, 'Correction saved')

  await signIn(page, server, 'ben')
  await page.goto(`${server.origin}/time-clock`)
  await page.getByRole('region', { name: 'Week' }).getByText('Corrected by Maya Okonjo: Left early, told me').waitFor()
})

test('who is no manager reads that this is for managers', async () => {
  await signIn(page, server, 'ben')
  await page.goto(`${server.origin}/time-clock/review`)
  await page.getByText('Managers only').waitFor()
  expect(await page.getByRole('tab').count()).toBe(0)
})
