import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { Frame } from '#contract/stock/frames.ts'
import { startLorgnette, type LorgnetteServer } from '#tests/support/lorgnette-server.ts'

const root = path.resolve(import.meta.dirname, '..')
const person = { username: 'maya', password: 'lorgnette-demo' }

/** The share of the demo's patients that belong to the tablet's store. */
export const shareOfStore = 0.6

/** The beginning of the name of the patients database of that store's tablets. */
export const patientMirror = 'lorgnette-patients-1-'

/** The built product with a chain of `frames` frames and `patients` patients. */
export async function openLargeClinic(frames: number, patients = 0): Promise<LorgnetteServer> {
  const template = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-bench-clinic-'))
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'build/server/make-demo.js'), '--frames', String(frames), '--patients', String(patients)],
    { cwd: root, env: { ...process.env, LORGNETTE_DATA: template, DATABASE_URL: '' }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The demo chain was not made: ${stderr}`)
  try {
    return await startLorgnette({ template })
  } finally {
    fs.rmSync(template, { recursive: true, force: true })
  }
}

/**
 * Makes a sheet that expects about `lines` frames of the store: those of the same price are all in it.
 * @returns its id, and the labels that it expects
 */
export async function makeSheet({ origin }: LorgnetteServer, lines: number): Promise<{ id: string; labels: string[] }> {
  const signedIn = await ask<{ access_token: string }>(`${origin}/api/auth/login`, {
    method: 'POST',
    body: { ...person, recaptcha_token: 'development:login:bench' },
  })
  const token = signedIn.access_token
  const expected = (await pulledFrames(origin, token)).filter((frame) => {
    return frame.store_id === 1 && (frame.status === 'Ready for Sale' || frame.status === 'Defective')
  })
  // The cheapest ones: prices are spread widely enough to cut the store anywhere.
  const price = (frame: Frame) => frame.pb_selling_price ?? Number.POSITIVE_INFINITY
  const limit = price([...expected].sort((a, b) => price(a) - price(b))[lines - 1] ?? expected[0]!)
  const chosen = expected.filter((frame) => price(frame) <= limit)
  const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: limit }
  const sheet = await ask<CountSheet>(`${origin}/api/inventory/count_sheets`, { method: 'POST', token, body: { scope } })
  return { id: sheet.id_count_sheet, labels: chosen.map((frame) => frame.sku) }
}

export async function signIn(page: Page, { origin }: LorgnetteServer): Promise<void> {
  await page.goto(`${origin}/login`)
  await page.getByLabel('Email or username').fill(person.username)
  await page.getByLabel('Password', { exact: true }).first().fill(person.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.waitForURL((url) => url.pathname === '/')
}

/**
 * Waits until the tablet can work without the network: it keeps the app's files, and a mirror has every row.
 *
 * @param mirror the beginning of its database's name
 */
export async function waitForMirror(page: Page, mirror = 'lorgnette-mirror'): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.waitForFunction(
    async (begin) => {
      const name = (await indexedDB.databases()).find((database) => database.name?.startsWith(begin))?.name
      if (name === undefined) return false
      return await new Promise<boolean>((resolve) => {
        const opening = indexedDB.open(name)
        opening.onerror = () => resolve(false)
        opening.onsuccess = () => {
          const database = opening.result
          if (!database.objectStoreNames.contains('state')) return resolve(false)
          const reading = database.transaction('state').objectStore('state').get('state')
          reading.onsuccess = () => {
            database.close()
            resolve(reading.result?.generation > 0 && reading.result?.replacing === null)
          }
          reading.onerror = () => resolve(false)
        }
      })
    },
    mirror,
    { polling: 500, timeout: 120_000 },
  )
}

async function pulledFrames(origin: string, token: string): Promise<Frame[]> {
  const answer = await fetch(`${origin}/api/sync/pull?collection=frames`, { headers: { authorization: `Bearer ${token}` } })
  let columns: string[] = []
  const frames: Frame[] = []
  for (const line of (await answer.text()).trim().split('\n')) {
    const said = JSON.parse(line) as { type: string; columns?: string[]; rows?: unknown[][] }
    columns = said.columns ?? columns
    for (const row of said.rows ?? []) frames.push(Object.fromEntries(columns.map((column, index) => [column, row[index]])) as Frame)
  }
  return frames
}

async function ask<T>(address: string, question: { method: string; body: unknown; token?: string }): Promise<T> {
  const answer = await fetch(address, {
    method: question.method,
    headers: { 'content-type': 'application/json', ...(question.token !== undefined && { authorization: `Bearer ${question.token}` }) },
    body: JSON.stringify(question.body),
  })
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
