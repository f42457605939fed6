import { describe, expect, test } from 'vitest'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import type { ClockPunch } from '#contract/people/time-clock.ts'
import { localDateTime } from '#contract/people/time-clock.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { pageOf, people, signIn, until, type Person } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { feelNetwork, keptOn, openFromSidebar, startsWithoutServer, toastSays } from '#tests/e2e/screen.ts'
import { openTablet } from '#tests/support/browser.ts'

const storeTime = 'America/New_York'
const ids: Record<Person, number> = { maya: 1, ben: 2, ana: 3, iris: 4 }

const t = e2eTablet()
const began = Date.now()

const chip = () => t.page.getByRole('link', { name: /Open the Sync center$/ })
const card = () => t.page.getByRole('region', { name: 'Clock In/Out' })
const outbox = () => keptOn<OutboxCommand>(t.page, 'outbox')

async function punchesOf(person: Person): Promise<ClockPunch[]> {
  const query = `id_user=${ids[person]}&from=${new Date(began - 60_000).toISOString()}&to=${new Date(Date.now() + 60_000).toISOString()}`
  return (await t.office.get<{ punches: ClockPunch[] }>(`/api/timecard/entries?${query}`)).punches
}

/** Waits until the tablet holds the key to which it seals passwords. Without the key it refuses an offline punch. */
async function hasSealingKey() {
  const facts = () => keptOn<{ key: string }>(t.page, 'facts')
  await until(facts, (all) => all.some(({ key }) => key === 'sealing-key'), 'The tablet has the key to which it seals')
}

async function loseServer() {
  await startsWithoutServer(t.page)
  await hasSealingKey()
  await t.server.stop()
  await feelNetwork(t.page)
  await chip().filter({ hasText: 'Offline' }).waitFor()
}

describe('with the network', () => {
  test('the user menu leads to the clock from anywhere, and a wrong password changes nothing', async () => {
    await signIn(t.page, t.server, 'ben')
    await t.page.goto(`${t.server.origin}/inventory/count-sheets`)
    await t.page.getByRole('button', { name: /user menu$/ }).click()
    await t.page.getByRole('menuitem', { name: 'Clock In/Out' }).click()
    await card().getByText('You’re not clocked in').waitFor()

    await card().getByLabel('Password of Ben').fill('wrong')
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(t.page, 'Clock in error', 'An error occurred while logging in. Please try again.')
    await card().getByRole('alert').filter({ hasText: 'Wrong username or password' }).waitFor()
    expect(await outbox()).toEqual([])

    await card().getByLabel('Password of Ben').fill(people.ben.password)
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(t.page, /Clocked in at \d\d:\d\d \d\d-\d\d-\d{4}/)
    await card().getByRole('button', { name: 'Clock Out', exact: true }).waitFor()
    const punches = await punchesOf('ben')
    expect(punches.map(({ direction }) => direction)).toEqual(['in'])
  })

  test('a user sees the open session on the home page and in the week, and ends it', async () => {
    await t.page.goto(t.server.origin)
    await t.page.getByText(/^Clocked in since/).waitFor()
    await t.page.goto(`${t.server.origin}/time-clock`)
    const today = t.page.getByRole('region', { name: 'Week' }).locator('li[aria-current=date]')
    await today.getByText(/– now$/).waitFor()
    await card().getByLabel('Password of Ben').fill(people.ben.password)
    await card().getByRole('button', { name: 'Clock Out', exact: true }).click()
    await toastSays(t.page, /Clocked out at .* after 0 h 0\d min/)
    await card().getByText('You’re not clocked in').waitFor()
    await today.getByText(/– now$/).waitFor({ state: 'detached' })
  })
})

describe('without the network', () => {
  test('a punch is sealed on the tablet, survives a killed browser, and reaches the server exactly once', async () => {
    await signIn(t.page, t.server, 'ana')
    await t.page.goto(`${t.server.origin}/time-clock`)
    await card().getByText('You’re not clocked in').waitFor()
    await loseServer()
    await card().getByText('Offline. Punches are saved here.').waitFor()
    await card().getByLabel('Password of Ana').fill(people.ana.password)
    await card().getByRole('button', { name: 'Clock in', exact: true }).click()
    await toastSays(t.page, 'Saved on this device: clocked in. It will be sent when you’re back online.')
    await t.page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').waitFor()

    const kept = await outbox()
    expect(kept).toHaveLength(1)
    expect(kept[0]?.body).toMatchObject({ username: 'ana', direction: 'in', sealed_password: expect.any(String) })
    expect(JSON.stringify(kept)).not.toContain(people.ana.password)

    await t.tablet.kill()
    t.tablet = await openTablet({ profile: t.tablet.profile })
    t.page = await pageOf(t.tablet)
    await t.page.goto(`${t.server.origin}/time-clock`)
    await t.page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').waitFor()
    expect((await outbox()).map(({ id }) => id)).toEqual([kept[0]?.id])

    await t.server.start()
    await feelNetwork(t.page)
    await until(outbox, (left) => left.length === 0, 'The punch has left')
    await t.page.reload()
    await card().getByText('Clocked in', { exact: true }).waitFor()
    const punches = await punchesOf('ana')
    expect(punches.map(({ id, direction }) => ({ id, direction }))).toEqual([{ id: kept[0]?.id, direction: 'in' }])
    expect(await t.page.getByRole('region', { name: 'Week' }).getByText('Waiting to send').count()).toBe(0)
  })

  test('punches with a wrong password wait for the manager, who corrects one and accepts the other', async () => {
    // Ben does not stay signed in: the login screen takes both punches, one after the other.
    await signIn(t.page, t.server, 'maya')
    await hasSealingKey()
    await t.page.goto(`${t.server.origin}/login`)
    await t.page.getByRole('button', { name: 'Clock In/Out', exact: true }).click()
    const form = t.page.getByRole('form', { name: 'Clock In/Out' })
    await form.waitFor()
    await startsWithoutServer(t.page)
    await t.server.stop()
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

    await t.server.start()
    await feelNetwork(t.page)
    await until(outbox, (left) => left.length === 0, 'Both punches have left, though nobody is signed in')
    const review = async () => (await t.office.get<{ entries: ReviewEntry[] }>('/api/timecard/review')).entries
    const wrong = (await review()).filter(({ reasons }) => reasons.includes('wrong-password'))
    expect(wrong.map(({ username, direction, resolution }) => ({ username, direction, resolution }))).toEqual([
      { username: 'ben', direction: 'in', resolution: null },
      { username: 'ana', direction: 'out', resolution: null },
    ])

    await signIn(t.page, t.server, 'maya')
    await openFromSidebar(t.page, 'Team', 'Time review')
    const entry = (who: string) => t.page.getByRole('listitem').filter({ hasText: who }).filter({ hasText: 'Wrong password' })
    await entry('Ben Halvorsen').getByText('Made offline with a wrong password.').waitFor()

    // The manager corrects it to half an hour earlier.
    await entry('Ben Halvorsen').getByRole('button', { name: 'Correct' }).click()
    const correcting = t.page.getByRole('form', { name: 'Correct this punch' })
    await correcting.getByRole('button', { name: 'Correct', exact: true }).click()
    await correcting.getByText('Enter a reason').waitFor()
    const at = Date.parse(wrong[0]?.at ?? '') - 30 * 60_000
    await correcting.getByLabel('Time').fill(localDateTime(at, storeTime))
    await correcting.getByLabel('Reason').fill('He was here at the door already')
    await correcting.getByRole('button', { name: 'Correct', exact: true }).click()
    await toastSays(t.page, 'Decision saved')
    await entry('Ben Halvorsen').waitFor({ state: 'detached' })

    await entry('Ana Teixeira').getByRole('button', { name: 'Accept' }).click()
    const accepting = t.page.getByRole('form', { name: 'Accept this punch' })
    await accepting.getByLabel('Reason').fill('She has a new password')
    await accepting.getByRole('button', { name: 'Accept', exact: true }).click()
    await entry('Ana Teixeira').waitFor({ state: 'detached' })

    await t.page.getByRole('tab', { name: 'Decided' }).click()
    await t.page.getByText('Corrected by Maya Okonjo').waitFor()
    await t.page.getByText('She has a new password').waitFor()

    expect((await review()).filter(({ reasons }) => reasons.includes('wrong-password'))).toEqual([])
    const bens = (await punchesOf('ben')).concat(await earlier('ben'))
    const correction = bens.find(({ supersedes }) => supersedes === wrong[0]?.id)
    // A new row supersedes the wrong punch. The wrong punch stays.
    expect(correction).toMatchObject({ direction: 'in' })
    expect(Math.abs(Date.parse(correction?.at ?? '') - at)).toBeLessThan(60_000)
    expect(bens.some(({ id }) => id === wrong[0]?.id)).toBe(true)
    const anas = await punchesOf('ana')
    expect(anas.find(({ id }) => id === wrong[1]?.id)).toMatchObject({ direction: 'out', in_review: false })
  })

  async function earlier(person: Person): Promise<ClockPunch[]> {
    const query = `id_user=${ids[person]}&from=${new Date(began - 3_600_000).toISOString()}&to=${new Date(began - 60_000).toISOString()}`
    return (await t.office.get<{ punches: ClockPunch[] }>(`/api/timecard/entries?${query}`)).punches
  }
})

test('a manager adds a forgotten punch, with a reason that the user sees', async () => {
  await signIn(t.page, t.server, 'maya')
  await openFromSidebar(t.page, 'Team', 'Time review')
  await t.page.getByRole('tab', { name: 'Weeks' }).click()
  await t.page.getByLabel('Person').selectOption({ label: 'Ben Halvorsen (Downtown Eye Care)' })
  await t.page.getByRole('button', { name: 'Add a missed punch' }).click()
  const form = t.page.getByRole('form', { name: 'Add a missed punch' })
  await form.getByRole('radio', { name: 'Out' }).check()
  await form.getByLabel('Time').fill(localDateTime(Date.now() + 3_600_000, storeTime))
  await form.getByLabel('Reason').fill('Left early, told me')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await form.getByText('The time can’t be in the future').waitFor()
  await form.getByLabel('Time').fill(localDateTime(Date.now() - 60_000, storeTime))
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await toastSays(t.page, 'Correction saved')

  await signIn(t.page, t.server, 'ben')
  await t.page.goto(`${t.server.origin}/time-clock`)
  await t.page.getByRole('region', { name: 'Week' }).getByText('Corrected by Maya Okonjo: Left early, told me').waitFor()
})

test('a user who is no manager reads that this is for managers', async () => {
  await signIn(t.page, t.server, 'ben')
  await t.page.goto(`${t.server.origin}/time-clock/review`)
  await t.page.getByText('Managers only').waitFor()
  expect(await t.page.getByRole('tab').count()).toBe(0)
})
