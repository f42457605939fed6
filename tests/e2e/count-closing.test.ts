import fs from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { until, type PulledFrame } from '#tests/e2e/clinic.ts'
import {
  chooseTab,
  everythingSent,
  expectCounted,
  expectEachOnce,
  expectOutcome,
  fullNames,
  groupedBy,
  lastScan,
  openCount,
  openCountRoom,
  outboxOf,
  scansAt,
  sheetAt,
  startCount,
  waitForCountScreen,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'

let room: CountRoom
let brands: { name: string; frames: PulledFrame[] }[]
let maya: Page
let ben: Page

beforeAll(async () => {
  room = await openCountRoom()
  brands = [...groupedBy(room.expected, (frame) => frame.brand_name)]
    .map(([name, frames]) => ({ name, frames }))
    .filter(({ frames }) => frames.length >= 5)
    .sort((one, other) => one.frames.length - other.frames.length)
  ;[{ page: maya }, { page: ben }] = await Promise.all([room.seat('maya', room.server), room.seat('ben', room.line)])
})
afterEach(() => room.mendLine())
afterAll(() => room?.close())

/** Returns the next smallest brand that no earlier test has used. */
function nextBrand(): { name: string; frames: PulledFrame[] } {
  const brand = brands.shift()
  if (!brand) throw new Error('The demo clinic has no further brand of five frames')
  return brand
}
const skusOf = (frames: readonly PulledFrame[]) => frames.map((frame) => frame.sku)

describe('A count with scans that another tablet still holds', () => {
  test('names the tablet and waits for it; after a close without it, that tablet keeps its late scans with the reason', async () => {
    const brand = nextBrand()
    const id = await startCount(maya, room.server.origin, { brand: brand.name })
    await everythingSent(maya)
    await openCount(ben, room.line.origin, id)
    // His scans stay on his tablet, but the tablet can still report that it holds them.
    room.line.meet = (call) => (call.commands.length > 0 ? 'lose-request' : 'pass')
    await scanAll(ben, skusOf(brand.frames.slice(0, 2)))
    await expectCounted(ben, 2)
    await scanAll(maya, skusOf(brand.frames.slice(2)))
    await expectCounted(maya, brand.frames.length - 2)
    await everythingSent(maya)
    type Viewed = { devices: { person_name: string; unsent: number }[] }
    await until(
      () => room.office.get<Viewed>(`/api/inventory/count_sheets/${id}`),
      (seen) => seen.devices.some((tablet) => tablet.person_name === fullNames.ben && tablet.unsent === 2),
      'The server never heard what the other tablet holds',
    )

    await maya.getByRole('button', { name: 'Close count' }).click()
    const dialog = maya.getByRole('dialog', { name: /^Close count/ })
    await dialog.getByText(/may have unsent scans$/).waitFor()
    await dialog.getByText(/2 scans to send/).waitFor()
    await dialog.getByLabel(/^Type 2 to confirm/).fill('2')
    const close = dialog.getByRole('button', { name: /^Close and mark 2 missing/ })
    expect(await close.isDisabled()).toBe(true)
    await dialog.getByRole('checkbox', { name: /^Close without .* — I take responsibility/ }).click()
    await close.click()
    await maya.getByText(/^Closed .* by Maya Okonjo, without waiting for ./).waitFor()
    const sheet = await sheetAt(room.office, id)
    expect(sheet?.result?.override_devices).toHaveLength(1)

    room.line.meet = () => 'pass'
    await ben.evaluate(() => window.dispatchEvent(new Event('online')))
    await ben.getByRole('link', { name: /2 need attention/ }).click()
    await ben.getByText('The count sheet was closed before this arrived.', { exact: false }).first().waitFor()
    expect((await outboxOf(ben)).map((command) => command.state)).toEqual(['needs-attention', 'needs-attention'])
    expect((await scansAt(room.office, id)).map((row) => row.author_name)).not.toContain(fullNames.ben)

    // The app refuses his scan on a closed sheet at once, on the screen and by sound. It queues nothing.
    await openCount(ben, room.line.origin, id, 'closed')
    await ben.getByText(/^Closed .* by Maya Okonjo/).waitFor()
    await scan(ben, brand.frames[2]?.sku ?? '')
    await ben.getByText(`Not recorded: ${brand.frames[2]?.sku}`).waitFor()
    expect(await outboxOf(ben)).toHaveLength(2)
  })
})

describe('Closing is final', () => {
  test('exports all lines, the differences or the missing frames as CSV, and prints each list', async () => {
    const brand = nextBrand()
    const id = await startCount(maya, room.server.origin, { brand: brand.name })
    const missing = brand.frames.slice(-2)
    await scanAll(maya, [...skusOf(brand.frames.slice(0, -2)), '=HYPERLINK("x")'])
    await expectCounted(maya, brand.frames.length - 2)
    await everythingSent(maya)
    await maya.getByRole('button', { name: 'Close count' }).click()
    await maya.getByRole('button', { name: 'Decide now' }).click()
    await maya.getByRole('tabpanel').getByRole('button', { name: 'Decide', exact: true }).click()
    await maya.getByRole('button', { name: 'Save decision' }).click()
    await maya.getByRole('button', { name: 'Close count' }).click()
    await maya.getByLabel(/^Type 2 to confirm/).fill('2')
    await maya.getByRole('button', { name: /^Close and mark 2 missing/ }).click()
    await maya.getByText(/^Closed .* by Maya Okonjo/).waitFor()

    async function saved(choice: string): Promise<string[]> {
      await maya.getByRole('button', { name: 'CSV' }).click()
      const [file] = await Promise.all([maya.waitForEvent('download'), maya.getByRole('menuitem', { name: choice }).click()])
      return fs
        .readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n')
        .slice(1)
    }
    const all = await saved('All lines')
    expect(all).toHaveLength(brand.frames.length + 1)
    for (const sku of skusOf(brand.frames)) expect(all.some((row) => row.includes(sku))).toBe(true)
    // A text that begins like a formula stays a text in a spreadsheet.
    expect(all.filter((row) => row.includes('HYPERLINK')).every((row) => row.includes(`'=HYPERLINK`))).toBe(true)
    const differences = await saved('Differences only')
    expect(differences).toHaveLength(3)
    const gone = await saved('Missing only')
    expect(new Set(gone.map((row) => row.split(',')[0]))).toEqual(new Set(skusOf(missing)))
    expect(gone).toHaveLength(2)

    // The test does not print. It sends the event before printing, and reads the page that would print.
    await maya.emulateMedia({ media: 'print' })
    await maya.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
    const paper = maya.locator('.paper')
    await paper.getByRole('heading', { name: /: Missing$/, includeHidden: true }).waitFor()
    expect(await paper.locator('tbody tr').count()).toBe(2)
    expect(await paper.isVisible()).toBe(true)
    expect(await maya.locator('main').isVisible()).toBe(false)
    await maya.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await maya.emulateMedia({ media: null })
    await paper.waitFor({ state: 'detached' })
    expect(await sheetAt(room.office, id)).toMatchObject({ phase: 'closed', result: { missing: 2 } })
  })
})

describe('Without the network', () => {
  test('an undo and a recount outlive a reload, and reach the server in order', async () => {
    const brand = nextBrand()
    const [first = '', second = '', third = ''] = skusOf(brand.frames)
    const id = await startCount(ben, room.line.origin, { brand: brand.name })
    await everythingSentFor(id)
    room.line.meet = (call) => (call.path.startsWith('/api/') ? 'lose-request' : 'pass')
    await scanAll(ben, [first, second])
    await expectCounted(ben, 2)
    await ben.getByRole('button', { name: 'Undo last' }).first().click()
    await expectOutcome(ben, 'Undone')
    await ben.reload()
    await waitForCountScreen(ben)
    await expectCounted(ben, 1)
    await ben.getByRole('button', { name: 'More' }).click()
    await ben.getByRole('menuitem', { name: 'Recount' }).click()
    await ben.getByRole('button', { name: 'Start walk 2' }).click()
    await expectCounted(ben, 0)
    await scan(ben, third)
    await expectCounted(ben, 1)
    await ben.reload()
    await waitForCountScreen(ben)
    await ben.getByText('Walk 2').first().waitFor()
    await expectCounted(ben, 1)
    expect((await outboxOf(ben)).filter((command) => command.lane === `count:${id}`).map((command) => command.kind)).toHaveLength(5)

    room.line.meet = () => 'pass'
    await everythingSentFor(id)
    await expectEachOnce(room.office, id, [first, second, third], fullNames.ben)
    expect(await sheetAt(room.office, id)).toMatchObject({ walk: 2, phase: 'recounting' })
    await openCount(maya, room.server.origin, id)
    await expectCounted(maya, 1)
    await chooseTab(maya, 'Log')
    await maya.getByRole('tabpanel').getByText(first).first().waitFor()
  })

  /** Earlier tests leave work that needs attention, so this waits only for the commands of this count. */
  async function everythingSentFor(id: string): Promise<void> {
    await until(
      async () => (await outboxOf(ben)).filter((command) => command.lane === `count:${id}`),
      (left) => left.length === 0,
      'Something stayed on the tablet',
      60_000,
    )
  }
})

describe('A tablet that cannot write', () => {
  test('says NOT SAVED with the code, keeps the code on the screen, and saves it once the disk has room', async () => {
    const brand = nextBrand()
    const [code = '', next = ''] = skusOf(brand.frames)
    const id = await startCount(maya, room.server.origin, { brand: brand.name })
    await everythingSent(maya)
    // The disk is full: the browser refuses every new row.
    await maya.evaluate(() => {
      const store = IDBObjectStore.prototype
      const add = Object.getOwnPropertyDescriptor(store, 'add')
      Reflect.set(window, 'lorgnetteRoom', () => add && Object.defineProperty(store, 'add', add))
      Reflect.set(window, 'lorgnetteRefused', 0)
      store.add = () => {
        Reflect.set(window, 'lorgnetteRefused', Number(Reflect.get(window, 'lorgnetteRefused')) + 1)
        throw new DOMException('The disk is full', 'QuotaExceededError')
      }
    })
    await scan(maya, code)
    const alert = maya.getByRole('alert').filter({ hasText: 'NOT SAVED' })
    await alert.getByText('This device’s storage is full. Free up space, then try again.').waitFor()
    await alert.getByText(code, { exact: true }).waitFor()
    await expectOutcome(maya, 'Not recorded')
    expect(await lastScan(maya).getByText('Saved', { exact: true }).count()).toBe(0)
    await expectCounted(maya, 0)
    const refused = await maya.evaluate(() => Number(Reflect.get(window, 'lorgnetteRefused')))
    await alert.getByRole('button', { name: 'Try again' }).click()
    // This try must also meet the full disk before there is room again.
    await maya.waitForFunction((before) => Number(Reflect.get(window, 'lorgnetteRefused')) > before, refused)
    await alert.getByText(code, { exact: true }).waitFor()

    await maya.evaluate(() => {
      const makeRoom: unknown = Reflect.get(window, 'lorgnetteRoom')
      if (typeof makeRoom === 'function') Reflect.apply(makeRoom, window, [])
    })
    await alert.getByRole('button', { name: 'Try again' }).click()
    await alert.waitFor({ state: 'detached' })
    await expectCounted(maya, 1)
    await scan(maya, next)
    await expectCounted(maya, 2)
    await everythingSent(maya)
    await expectEachOnce(room.office, id, [code, next], fullNames.maya)
  })
})
