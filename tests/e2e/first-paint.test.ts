import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { people, type PulledFrame } from '#tests/e2e/clinic.ts'
import { expectCounted, openCountRoom, outboxOf, startCount, type CountRoom } from '#tests/e2e/count-room.ts'
import { leaveAlone, lockOn, startsWithoutServer } from '#tests/e2e/screen.ts'
import { scan, scanAtPace } from '#tests/e2e/wedge-scanner.ts'
import type { Tablet } from '#tests/support/browser.ts'

/** How many times slower than this machine the tablet is. */
const slowness = 6

let room: CountRoom
let tablet: Tablet
let page: Page
let sheet: string
let pieces: PulledFrame[]

beforeAll(async () => {
  // With a mouse there is a keyboard, so a dialog takes the focus for it.
  room = await openCountRoom({}, { hasMouse: true })
  const seat = await room.seat('maya', room.server)
  ;({ tablet, page } = seat)
  pieces = room.expected.filter(({ status }) => status === 'Ready for Sale').slice(40, 60)
  await page.goto(room.server.origin)
  await nameField().fill('nguyen')
  await patientsFound().first().waitFor()
  sheet = await startCount(page, room.server.origin)
  await expectCounted(page, 0)
  await startsWithoutServer(page)
  await room.server.stop()
})
afterAll(async () => await room?.close())
beforeEach(restart)

const nameField = () => page.getByLabel('Name', { exact: true })
const patientsFound = () => page.getByRole('list', { name: 'Patients found' }).getByRole('link')

/** Restarts the tablet: its memory is empty, and the server is gone. */
async function restart(): Promise<void> {
  await tablet.kill()
  ;({ tablet, page } = await room.reopen(tablet))
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness })
  // The page itself counts: on a busy machine, this test sees the first paint late.
  await page.addInitScript(() => {
    const look = () => {
      if (performance.getEntriesByName('first-paint').length === 0) requestAnimationFrame(look)
      else Reflect.set(window, 'fieldsAtFirstPaint', document.querySelectorAll('input').length)
    }
    requestAnimationFrame(look)
  })
}

/** Opens a page and returns at its first paint, before any field could take a key. */
async function openToFirstPaint(address: string): Promise<void> {
  await page.goto(room.server.origin + address, { waitUntil: 'commit' })
  await page.waitForFunction(() => 'fieldsAtFirstPaint' in window)
  expect(await page.evaluate(() => Reflect.get(window, 'fieldsAtFirstPaint') as number)).toBe(0)
}

const scannedHere = async () => (await outboxOf(page)).filter(({ kind }) => kind === 'count.scan').map(({ body }) => body['raw_code'])

test('the search gets a name that is typed from the first paint on, and finds the patient', async () => {
  await openToFirstPaint('/')
  await page.keyboard.type('nguyyn', { delay: 40 })
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await page.keyboard.type('en', { delay: 400 })
  await patientsFound().first().waitFor()
  expect(await nameField().inputValue()).toBe('nguyen')
})

test('a user can type a name as soon as the page shows, without a tap on the field', async () => {
  await openToFirstPaint('/')
  await nameField().waitFor()
  await page.keyboard.type('nguyen', { delay: 40 })
  await patientsFound().first().waitFor()
  expect(await nameField().inputValue()).toBe('nguyen')
})

test('each label that is scanned from the first paint on counts once', async () => {
  const labels = pieces.slice(0, 12).map(({ sku }) => sku)
  await openToFirstPaint(`/inventory/count-sheets/${sheet}`)
  await scanAtPace(page, labels, 4)
  await expectCounted(page, labels.length)
  expect(await scannedHere()).toEqual(labels)
})

test('text that is typed before a count shows goes into its field, and a label between the keys is counted', async () => {
  const [label] = pieces.slice(12, 13)
  const before = await opened()
  await openToFirstPaint(`/inventory/count-sheets/${sheet}`)
  await page.keyboard.type('AB', { delay: 250 })
  await page.waitForTimeout(250)
  await scan(page, label!.sku)
  await page.waitForTimeout(250)
  await page.keyboard.type('12', { delay: 250 })
  await expect.poll(() => page.getByLabel('Last 4 of the tag').inputValue(), { timeout: 20_000 }).toBe('AB12')
  await expectCounted(page, before + 1)
  expect((await scannedHere()).filter((code) => code === label!.sku)).toHaveLength(1)

  async function opened() {
    await page.goto(`${room.server.origin}/inventory/count-sheets/${sheet}`)
    await expectCounted(page, 12)
    return 12
  }
})

test('a transfer takes the first labels and the first text', async () => {
  await page.goto(`${room.server.origin}/transfer`)
  await page.getByRole('button', { name: 'New transfer' }).click()
  await page.getByRole('dialog').getByLabel('To').selectOption({ label: 'Eastside Eye Care' })
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /New transfer/ }).waitFor()
  const { pathname } = new URL(page.url())
  await restart()

  const labels = pieces.slice(13, 16).map(({ sku }) => sku)
  await openToFirstPaint(pathname)
  for (const label of labels) await scan(page, label)
  await page.waitForTimeout(120)
  await page.keyboard.type('FR7', { delay: 120 })
  const lines = page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')
  await expect.poll(() => lines.count(), { timeout: 20_000 }).toBe(labels.length)
  await expect.poll(() => page.locator('input[data-autofocus]').inputValue()).toBe('FR7')
})

test('the frame lookup takes scans and text that come while it loads', async () => {
  const [one, other] = pieces.slice(16, 18)
  const field = () => page.getByRole('dialog').getByLabel('Serial / F#')
  await openToFirstPaint('/')
  await page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  await scan(page, one!.sku)
  await page.getByRole('dialog').getByText(one!.sku).first().waitFor()
  expect(await field().inputValue()).toBe(one!.sku)

  await restart()
  await openToFirstPaint('/')
  await page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  await page.keyboard.type(other!.sku, { delay: 120 })
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByText(other!.sku).first().waitFor()
  expect(await field().inputValue()).toBe(other!.sku)
})

test('the lock and the login screen show no text that was typed before them', async () => {
  const typed = 'hunter2'
  await room.server.start()
  await page.goto(room.server.origin)
  await nameField().waitFor()
  await leaveAlone(page)
  // This window still counts as in use, while the stored session is locked.
  await page.evaluate(() => localStorage.removeItem('LastTouch'))
  await page.goto(room.server.origin, { waitUntil: 'commit' })
  await page.keyboard.type(typed, { delay: 30 })
  await lockOn(page).waitFor()
  await expectNowhere(typed)
  await page.getByLabel('Password', { exact: true }).fill(people.maya.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await lockOn(page).waitFor({ state: 'detached' })
  await expectNowhere(typed)

  await page.goto(`${room.server.origin}/login`, { waitUntil: 'commit' })
  await page.keyboard.type(typed, { delay: 30 })
  await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
  await expectNowhere(typed)
})

/** Keys that come after a field took the focus are in it, on a busy machine. The first keys come before any field. */
async function expectNowhere(typed: string): Promise<void> {
  const values = await page.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value))
  expect(values.join(' ')).not.toContain(typed.slice(0, 2))
  expect(await page.evaluate(() => globalThis.collectedKeys?.keys.length ?? 0)).toBe(0)
}
