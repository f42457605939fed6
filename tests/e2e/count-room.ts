import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { CountLine, CountSheet } from '#contract/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot.ts'
import { until, type Office, type PulledFrame, type PulledScan } from '#tests/e2e/clinic.ts'
import type { Tablet } from '#tests/support/browser.ts'

/** What a count needs of the tests: the screens by their words, and the office's look at what arrived. */

export const fullNames = { maya: 'Maya Okonjo', ben: 'Ben Halvorsen', ana: 'Ana Teixeira' } as const

/** The tablet's first page. */
export async function pageOf(tablet: Tablet): Promise<Page> {
  return tablet.context.pages()[0] ?? (await tablet.context.newPage())
}

/** The frames of the chain, and those a count of Downtown expects. */
export async function stockOf(office: Office): Promise<{ all: PulledFrame[]; expected: PulledFrame[] }> {
  const all = await office.rows<PulledFrame>('frames')
  const expected = all.filter((frame) => frame.store_id === 1 && ['Ready for Sale', 'Defective'].includes(frame.status))
  return { all, expected }
}

export function groupedBy<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

/** Waits until this tablet can work without the network: the app's files and the frames are here. */
export async function readyForOffline(page: Page, origin: string, expected: number): Promise<void> {
  await page.goto(`${origin}/inventory/count-sheets?new=1`)
  const dialog = page.getByRole('dialog', { name: 'New count' })
  await dialog.getByText(`${expected.toLocaleString('en-US')} frames expected`, { exact: false }).waitFor()
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
}

export type NewCount = { brand?: string; blind?: boolean; notes?: string }

/** Makes a count by the wizard and opens it. Returns its id. */
export async function startCount(page: Page, origin: string, wanted: NewCount = {}): Promise<string> {
  await page.goto(`${origin}/inventory/count-sheets?new=1`)
  return await fillNewCount(page, wanted)
}

/** The wizard is open: fills it in, creates the count and waits for its screen. */
export async function fillNewCount(page: Page, wanted: NewCount = {}): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'New count' })
  if (wanted.brand !== undefined) {
    await dialog.getByRole('radio', { name: /A part of it/ }).click()
    await dialog
      .getByRole('group', { name: /^Brands/ })
      .getByRole('checkbox', { name: new RegExp(`^${wanted.brand} `) })
      .click()
  }
  if (wanted.notes !== undefined) await dialog.getByLabel('Notes').fill(wanted.notes)
  if (wanted.blind) await dialog.getByRole('switch', { name: 'Blind count' }).click()
  await dialog.getByRole('button', { name: 'Create count' }).click()
  await page.waitForURL(/\/inventory\/count-sheets\/[0-9a-f-]{36}$/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await waitForCountScreen(page)
  return id
}

export async function openCount(page: Page, origin: string, id: string, phase: 'open' | 'closed' = 'open'): Promise<void> {
  await page.goto(`${origin}/inventory/count-sheets/${id}`)
  if (phase === 'open') await waitForCountScreen(page)
}

export async function waitForCountScreen(page: Page): Promise<void> {
  await lastScan(page).waitFor()
}

export function lastScan(page: Page): Locator {
  return page.getByRole('region', { name: 'Last scan' })
}

/** What the largest words of the screen say of the last scan. */
export async function expectOutcome(page: Page, word: string): Promise<void> {
  await lastScan(page).locator('[data-outcome]').getByText(word, { exact: true }).waitFor()
}

/** The number the screen shows as counted. */
export async function countedOnScreen(page: Page): Promise<number> {
  return Number((await page.getByTestId('counted').innerText()).replaceAll(',', ''))
}

export async function expectCounted(page: Page, number: number, ms?: number): Promise<void> {
  await until(
    () => countedOnScreen(page),
    (seen) => seen === number,
    `The screen never showed ${number} counted`,
    ms,
  )
}

export async function chooseTab(page: Page, name: string): Promise<void> {
  await page
    .getByRole('tablist', { name: 'Lists of this count' })
    .getByRole('tab', { name: new RegExp(`^${name}`) })
    .click()
}

/** What waits on this tablet, from its own database. */
export async function outboxOf(page: Page): Promise<OutboxCommand[]> {
  return await page.evaluate(
    () =>
      new Promise<OutboxCommand[]>((resolve, reject) => {
        const opening = indexedDB.open('lorgnette')
        opening.onerror = () => reject(opening.error ?? new Error('The database does not open'))
        opening.onsuccess = () => {
          const database = opening.result
          const reading = database.transaction('outbox').objectStore('outbox').getAll()
          reading.onerror = () => reject(reading.error ?? new Error('The outbox cannot be read'))
          reading.onsuccess = () => {
            database.close()
            resolve(reading.result as OutboxCommand[])
          }
        }
      }),
  )
}

/** Waits until the tablet holds nothing any more. */
export async function everythingSent(page: Page, ms = 60_000): Promise<void> {
  await until(
    () => outboxOf(page),
    (waiting) => waiting.length === 0,
    'Something stayed on the tablet',
    ms,
  )
}

export async function sheetAt(office: Office, id: string): Promise<CountSheet | undefined> {
  return (await office.rows<CountSheet>('count_sheets')).find((sheet) => sheet.id_count_sheet === id)
}

/** The events of a sheet as the server has them. */
export async function scansAt(office: Office, id: string): Promise<PulledScan[]> {
  return (await office.rows<PulledScan>('count_scans')).filter((row) => row.id_count_sheet === id)
}

export async function linesAt(office: Office, id: string): Promise<CountLine[]> {
  return (await office.get<{ items: CountLine[] }>(`/api/inventory/count_sheets/items?id_count_sheet=${id}`)).items
}

/** Every label once at the server and nothing else, by that person. */
export async function expectEachOnce(office: Office, id: string, codes: readonly string[], author?: string): Promise<PulledScan[]> {
  const rows = await until(
    () => scansAt(office, id),
    (seen) => seen.filter((row) => row.negates === null).length >= codes.length,
    `The server never had all ${codes.length} scans`,
  )
  const scans = rows.filter((row) => row.negates === null)
  expect(scans.map((row) => row.raw_code).sort()).toEqual([...codes].sort())
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length)
  if (author !== undefined) expect(new Set(scans.map((row) => row.author_name))).toEqual(new Set([author]))
  return rows
}

/** Goes by the app's own links, without loading a page. */
export async function goToCounts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All counts' }).click()
  await page.waitForURL(/\/inventory\/count-sheets$/)
}
