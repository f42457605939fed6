import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { CountLine, CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import {
  officeOf,
  openClinic,
  pageOf,
  signIn,
  until,
  type Office,
  type Person,
  type PulledFrame,
  type PulledScan,
} from '#tests/e2e/clinic.ts'
import { openTablet, type Tablet, type TabletOptions } from '#tests/support/browser.ts'
import { openWireProxy } from '#tests/support/wire-proxy.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

/** Helpers for tests of counts: the screens by their texts, and the server's rows. */

export const fullNames = { maya: 'Maya Okonjo', ben: 'Ben Halvorsen', ana: 'Ana Teixeira' } as const

export type CountRoom = Awaited<ReturnType<typeof openCountRoom>>

/** A clinic, a line to it that can be cut, the office, and tablets that can count without a network. */
export async function openCountRoom(env: Record<string, string> = {}, options: Pick<TabletOptions, 'hasMouse'> = {}) {
  const server = await openClinic(env)
  const line = await openWireProxy(server)
  const office = await officeOf(server)
  const { expected } = await stockOf(office)
  const tablets: Tablet[] = []
  return {
    server,
    line,
    office,
    expected,
    /** Labels of frames that a count of the whole store expects. */
    labels: (from: number, to: number) => expected.slice(from, to).map((frame) => frame.sku),
    /** Signs a person in on a new tablet, through the line or straight at the server. */
    async seat(person: Person, at: { origin: string }, permissions: string[] = []): Promise<{ tablet: Tablet; page: Page }> {
      const tablet = await openTablet(options)
      tablets.push(tablet)
      // An empty list would revoke the permissions that a browser grants by default.
      if (permissions.length > 0) await tablet.context.grantPermissions(permissions, { origin: at.origin })
      const page = await pageOf(tablet)
      await signIn(page, at, person)
      await readyForOffline(page, at.origin, expected.length)
      return { tablet, page }
    },
    /** Restarts a killed tablet from its disk. */
    async reopen(killed: Tablet): Promise<{ tablet: Tablet; page: Page }> {
      const tablet = await openTablet({ profile: killed.profile, ...options })
      tablets.splice(tablets.indexOf(killed), 1, tablet)
      return { tablet, page: await pageOf(tablet) }
    },
    /** Lets every call pass unchanged again. */
    mendLine() {
      line.meet = () => 'pass'
      line.answered = () => undefined
      line.rewrites.clear()
    },
    async close() {
      await Promise.all(tablets.map((tablet) => tablet.close()))
      for (const { profile } of tablets) removeFolder(profile)
      await line.close()
      await server.remove()
    },
  }
}

/** Returns all frames of the chain, and the frames that a count of Downtown expects. */
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

/** Waits until this tablet can work without the network: it has the app's files and the frames. */
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

/** Prices as a user types them, in dollars. */
export type NewCount = { brand?: string; priceFrom?: string; priceTo?: string; blind?: boolean; notes?: string }

/** Makes a count by the wizard and opens it. Returns its id. */
export async function startCount(page: Page, origin: string, wanted: NewCount = {}): Promise<string> {
  await page.goto(`${origin}/inventory/count-sheets?new=1`)
  return await fillNewCount(page, wanted)
}

/** Fills in the open wizard, creates the count and waits for its screen. */
export async function fillNewCount(page: Page, wanted: NewCount = {}): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'New count' })
  const { priceFrom, priceTo } = wanted
  if ([wanted.brand, priceFrom, priceTo].some((part) => part !== undefined))
    await dialog.getByRole('radio', { name: /Part of the store/ }).click()
  if (priceFrom !== undefined) await dialog.getByLabel('Price from').fill(priceFrom)
  if (priceTo !== undefined) await dialog.getByLabel('Price to').fill(priceTo)
  if (wanted.brand !== undefined) {
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

/** Collects every text that the last-scan card calls Saved or Sent, from the moment that it shows. */
export async function listenToTheCard(page: Page): Promise<Set<string>> {
  const said = new Set<string>()
  await page.exposeFunction('lorgnetteSaid', (text: string) => {
    for (const code of text.match(/DT-\d{6}/g) ?? []) said.add(code)
  })
  await page.evaluate(() => {
    const tell = () => {
      const text = document.querySelector('[aria-label="Last scan"]')?.textContent ?? ''
      const say: unknown = Reflect.get(window, 'lorgnetteSaid')
      if (/Saved|Sent/.test(text) && typeof say === 'function') Reflect.apply(say, window, [text])
    }
    new MutationObserver(tell).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return said
}

/** Waits until the large text of the last-scan card says this word. */
export async function expectOutcome(page: Page, word: string): Promise<void> {
  await lastScan(page).locator('[data-outcome]').getByText(word, { exact: true }).waitFor()
}

/** Returns the counted number on the screen. */
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

/** Reads the outbox from the tablet's own database. */
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

/** Waits until the outbox of the tablet is empty. */
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

/** Returns the server's events of a sheet. */
export async function scansAt(office: Office, id: string): Promise<PulledScan[]> {
  return (await office.rows<PulledScan>('count_scans')).filter((row) => row.id_count_sheet === id)
}

export async function linesAt(office: Office, id: string): Promise<CountLine[]> {
  return (await office.get<{ items: CountLine[] }>(`/api/inventory/count_sheets/items?id_count_sheet=${id}`)).items
}

/** Expects every label at the server exactly once, nothing else, and all by this author. */
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

/** Follows the app's own links, without loading a page. */
export async function goToCounts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'All counts' }).click()
  await page.waitForURL(/\/inventory\/count-sheets$/)
}
