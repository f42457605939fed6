import fs from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClinic, officeOf, signIn, until, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  expectOutcome,
  fullNames,
  groupedBy,
  lastScan,
  linesAt,
  openCount,
  readyForOffline,
  scansAt,
  sheetAt,
  startCount,
  stockOf,
} from '#tests/e2e/count-room.ts'
import { scan, scanAll, scanAtPace } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let stock: { all: PulledFrame[]; expected: PulledFrame[] }
let tablets: Tablet[]
let maya: Page
let ben: Page

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  stock = await stockOf(office)
  tablets = await Promise.all([openTablet(), openTablet()])
  ;[maya, ben] = (await Promise.all(tablets.map(async ({ context }) => context.pages()[0] ?? (await context.newPage())))) as [Page, Page]
  await Promise.all([signIn(maya, server, 'maya'), signIn(ben, server, 'ben')])
  await Promise.all([maya, ben].map((page) => readyForOffline(page, server.origin, stock.expected.length)))
})

afterAll(async () => {
  await Promise.all((tablets ?? []).map((tablet) => tablet.close()))
  await server?.remove()
})

/** Returns the smallest brand of Downtown with at least this many frames to count. */
function brandOf(least: number): { name: string; frames: PulledFrame[] } {
  const brands = [...groupedBy(stock.expected, (frame) => frame.brand_name)].sort(([, one], [, other]) => one.length - other.length)
  const found = brands.find(([, frames]) => frames.length >= least)
  if (!found) throw new Error(`The demo clinic has no brand with ${least} frames`)
  return { name: found[0], frames: found[1] }
}

describe('Making a count', () => {
  test('Maya counts the whole store, and the count shows on Ben’s tablet a moment later', async () => {
    await ben.goto(`${server.origin}/inventory/count-sheets`)
    const id = await startCount(maya, server.origin, { notes: 'Begin at the window' })
    await expectCounted(maya, 0)
    await maya
      .getByText(`of ${stock.expected.length.toLocaleString('en-US')}`, { exact: true })
      .first()
      .waitFor()
    const sheet = await until(
      () => sheetAt(office, id),
      (seen) => seen !== undefined,
      'The sheet never arrived',
    )
    expect(sheet).toMatchObject({ notes: 'Begin at the window', expected_count: stock.expected.length, created_by_name: fullNames.maya })
    await ben.getByRole('link', { name: `#${sheet?.number} · Whole store` }).waitFor()
  })

  test('she counts one brand: the count expects the frames of that brand only', async () => {
    const brand = brandOf(5)
    const id = await startCount(maya, server.origin, { brand: brand.name })
    await maya.getByRole('heading', { name: new RegExp(brand.name) }).waitFor()
    await maya.getByText(`of ${brand.frames.length}`, { exact: true }).first().waitFor()
    await everythingSent(maya)
    expect(await sheetAt(office, id)).toMatchObject({ expected_count: brand.frames.length })
    const lines = await linesAt(office, id)
    expect(new Set(lines.map((line) => line.sku))).toEqual(new Set(brand.frames.map((frame) => frame.sku)))
  })

  test('she counts a price range: her tablet and the server expect the same frames', async () => {
    const priced = stock.expected.flatMap(({ pb_selling_price }) => pb_selling_price ?? []).toSorted((a, b) => a - b)
    const [from = 0, to = 0] = [priced[Math.floor(priced.length / 3)], priced[Math.floor(priced.length / 2)]]
    const within = stock.expected.filter(({ pb_selling_price: price }) => price !== null && price >= from && price <= to)
    const dollars = (cents: number) => (cents / 100).toFixed(2)
    const id = await startCount(maya, server.origin, { priceFrom: dollars(from), priceTo: dollars(to) })
    await maya
      .getByText(`of ${within.length.toLocaleString('en-US')}`, { exact: true })
      .first()
      .waitFor()
    await everythingSent(maya)
    expect(await sheetAt(office, id)).toMatchObject({
      expected_count: within.length,
      scope: { price_min_cents: from, price_max_cents: to },
    })
    const lines = await linesAt(office, id)
    expect(new Set(lines.map((line) => line.sku))).toEqual(new Set(within.map((frame) => frame.sku)))
  })
})

describe('Counting', () => {
  test('ten scans a second for twenty seconds: none gets lost, and Ben’s tablet shows them all', async () => {
    const id = await startCount(maya, server.origin)
    await everythingSent(maya)
    await openCount(ben, server.origin, id)
    const codes = stock.expected.slice(0, 200).map((frame) => frame.sku)
    await scanAtPace(maya, codes, 10)
    await expectCounted(maya, 200)
    await everythingSent(maya)
    await expectEachOnce(office, id, codes, fullNames.maya)
    await expectCounted(ben, 200)
  })

  test('a word and a sign tell each of the seven outcomes apart', async () => {
    const id = await startCount(maya, server.origin)
    const shared = [...groupedBy(stock.expected, (frame) => frame.upc)].find(([upc, frames]) => upc !== null && frames.length > 1)
    const piece = shared?.[1][0]
    const foreign = stock.all.find((frame) => frame.store_id === 2 && frame.status === 'Ready for Sale')
    if (!piece || !foreign || !shared?.[0]) throw new Error('The demo clinic has no such frames')
    async function told(code: string, word: string) {
      await scan(maya, code)
      await expectOutcome(maya, word)
      expect(await lastScan(maya).locator('[data-outcome] svg').count()).toBe(1)
    }
    await told(shared[0], 'Scan store tag')
    await told(piece.sku, 'Counted')
    await told(piece.sku, 'Already counted')
    await told(foreign.sku, 'Set aside')
    await lastScan(maya)
      .getByText(/Eastside/)
      .first()
      .waitFor()
    await told('NOBODY-KNOWS-1', 'No match')
    await told('CMD:UNDO', 'Undone')
    await scan(maya, 'CMD:PAUSE')
    await maya.getByText('Paused. Scans aren’t recorded.').waitFor()
    await told(stock.expected[300]?.sku ?? '', 'Not recorded')
    await scan(maya, 'CMD:PAUSE')
    await maya.getByText('Paused. Scans aren’t recorded.').waitFor({ state: 'detached' })
    await everythingSent(maya)
    await expectEachOnce(office, id, [shared[0], piece.sku, piece.sku, foreign.sku, 'NOBODY-KNOWS-1'], fullNames.maya)
    expect((await scansAt(office, id)).filter((row) => row.negates !== null)).toHaveLength(1)
    await expectCounted(maya, 1)
  })

  test('an undo and the notes reach the other tablet', async () => {
    const id = await startCount(maya, server.origin)
    await everythingSent(maya)
    await openCount(ben, server.origin, id)
    const [first = '', second = ''] = stock.expected.slice(0, 2).map((frame) => frame.sku)
    await scanAll(maya, [first, second])
    await expectCounted(ben, 2)
    await maya.getByRole('button', { name: 'Undo last' }).first().click()
    await expectOutcome(maya, 'Undone')
    await Promise.all([expectCounted(maya, 1), expectCounted(ben, 1)])
    await maya.getByRole('button', { name: 'More' }).click()
    await maya.getByRole('menuitem', { name: 'Notes' }).click()
    await maya.getByLabel('Notes for this count').fill('The window is done')
    await maya.getByRole('button', { name: 'Save notes' }).click()
    await ben.getByText('The window is done').first().waitFor()
    const rows = await scansAt(office, id)
    expect(rows).toHaveLength(3)
    expect(rows.find((row) => row.negates !== null)?.negates).toBe(rows.find((row) => row.raw_code === second && row.negates === null)?.id)
    expect(await sheetAt(office, id)).toMatchObject({ notes: 'The window is done' })
  })

  test('the last characters of a tag list the frames to pick from', async () => {
    const id = await startCount(maya, server.origin)
    const piece = stock.expected[10]
    if (!piece) throw new Error('The demo clinic has no frames')
    await maya.getByLabel('Last 4 of the tag').fill(piece.sku.slice(-4))
    await maya
      .getByRole('list', { name: 'Matching frames' })
      .getByRole('button', { name: new RegExp(piece.sku) })
      .click()
    await expectOutcome(maya, 'Counted')
    await everythingSent(maya)
    await expectEachOnce(office, id, [piece.sku], fullNames.maya)
  })

  test('a user who counts blind finds no expected number on the screen', async () => {
    // The number is larger than any frame size or minute, so it can only mean the expected frames.
    const frames = stock.expected
    const id = await startCount(maya, server.origin, { blind: true })
    await everythingSent(maya)
    await openCount(ben, server.origin, id)
    await scanAll(
      ben,
      frames.slice(0, 3).map((frame) => frame.sku),
    )
    await expectCounted(ben, 3)
    const text = await ben.locator('main').innerText()
    expect(text).not.toMatch(new RegExp(`\\b(${frames.length}|${frames.length - 3})\\b`))
    expect(text).not.toContain('To find')
    expect(await ben.getByRole('progressbar').count()).toBe(0)
    // The other user may see it, and does.
    await expectCounted(maya, 3)
    await maya.getByText(`of ${frames.length}`, { exact: true }).first().waitFor()
    await everythingSent(ben)
    await expectEachOnce(
      office,
      id,
      frames.slice(0, 3).map((frame) => frame.sku),
      fullNames.ben,
    )
  })
})

describe('Ending a count', () => {
  test('a user recounts, decides and closes with the typed number: frames change with their history, and the sheet is final', async () => {
    const brand = brandOf(5)
    const id = await startCount(maya, server.origin, { brand: brand.name })
    const foreign = stock.all.find((frame) => frame.store_id === 2 && frame.status === 'Ready for Sale')?.sku ?? ''
    await scan(maya, brand.frames[0]?.sku ?? '')
    await expectCounted(maya, 1)
    await maya.getByRole('button', { name: 'More' }).click()
    await maya.getByRole('menuitem', { name: 'Recount' }).click()
    await maya.getByRole('button', { name: 'Start walk 2' }).click()
    await expectCounted(maya, 0)

    const found = brand.frames.slice(0, -2).map((frame) => frame.sku)
    const lost = brand.frames.slice(-2)
    await scanAll(maya, [...found, foreign])
    await expectCounted(maya, found.length)
    await everythingSent(maya)

    await maya.getByRole('button', { name: 'Close count' }).click()
    await maya.getByText('1 exception needs a decision').waitFor()
    const close = maya.getByRole('button', { name: /^Close and mark 2 missing/ })
    expect(await close.isDisabled()).toBe(true)
    await maya.getByRole('button', { name: 'Decide now' }).click()
    await maya.getByRole('tabpanel').getByRole('button', { name: 'Decide', exact: true }).click()
    await maya.getByRole('button', { name: 'Save decision' }).click()
    await maya.getByRole('button', { name: 'Close count' }).click()
    const typed = maya.getByLabel(/^Type 2 to confirm/)
    await typed.fill('3')
    expect(await close.isDisabled()).toBe(true)
    await typed.fill('2')
    await close.click()
    await maya.getByText(/^Closed .* by Maya Okonjo/).waitFor()

    expect(await sheetAt(office, id)).toMatchObject({ phase: 'closed', result: { counted: found.length, missing: 2 } })
    const after = new Map((await office.rows<PulledFrame>('frames')).map((frame) => [frame.sku, frame.status]))
    for (const frame of lost) {
      expect(after.get(frame.sku)).toBe('Missing')
      const history = await office.get<unknown>(`/api/inventory/history?sku=${frame.sku}`)
      expect(JSON.stringify(history)).toContain('Missing')
      expect(JSON.stringify(history)).toContain('Count #')
    }
    expect(after.get(foreign)).toBe('Ready for Sale')

    // Nobody can add to the sheet, but users can still export it.
    expect(await maya.getByRole('button', { name: 'Undo last' }).count()).toBe(0)
    await maya.getByRole('button', { name: 'CSV' }).click()
    const [file] = await Promise.all([maya.waitForEvent('download'), maya.getByRole('menuitem', { name: 'Missing only' }).click()])
    const csv = fs.readFileSync(await file.path(), 'utf8')
    for (const frame of lost) expect(csv).toContain(frame.sku)
    expect(csv.trim().split('\r\n')).toHaveLength(3)
    await openCount(ben, server.origin, id, 'closed')
    await ben.getByText(/^Closed .* by Maya Okonjo/).waitFor()
  })

  test('a user deletes a count with scans by typing its name, and it disappears from the other tablet', async () => {
    const id = await startCount(maya, server.origin)
    await scan(maya, stock.expected[20]?.sku ?? '')
    await everythingSent(maya)
    const sheet = await sheetAt(office, id)
    await openCount(ben, server.origin, id)
    await maya.getByRole('button', { name: 'More' }).click()
    await maya.getByRole('menuitem', { name: 'Delete' }).click()
    const remove = maya.getByRole('button', { name: `Delete count #${sheet?.number}` })
    expect(await remove.isDisabled()).toBe(true)
    await maya.getByLabel(`Type count #${sheet?.number} to confirm`).fill(`count #${sheet?.number}`)
    await remove.click()
    await maya.waitForURL(/\/inventory\/count-sheets$/)
    await until(
      () => sheetAt(office, id),
      (seen) => seen === undefined,
      'The sheet was not deleted',
    )
    await ben.getByText('This count isn’t on this tablet').waitFor()
  })
})
