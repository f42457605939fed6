import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { officeOf, openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  const { expected } = await stockOf(await officeOf(server))
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'ben')
  await readyForOffline(page, server.origin, expected.length)
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

test('pieces that were received online are there after a reload without a connection, and scans that wait are added', async () => {
  await page.goto(`${server.origin}/receipts`)
  await page.getByRole('row').filter({ hasText: 'Draft' }).first().click()
  const total = page.getByRole('status').filter({ hasText: /received/ })
  await total.first().waitFor()
  const [, all] = /0 of (\d+) received/.exec(await total.first().innerText()) ?? []
  expect(all).toBeDefined()
  const line = page
    .getByRole('list', { name: 'Invoice lines' })
    .getByRole('listitem')
    .filter({ has: page.getByText(/^0 of [2-9]$/) })
    .first()
  const upc = /\b\d{12,14}\b/.exec(await line.innerText())![0]
  await scan(page, upc)
  await page.getByText(`1 of ${all} received`).waitFor()

  await tablet.context.setOffline(true)
  await page.reload()
  await page.getByText(`1 of ${all} received`).waitFor()
  await scan(page, upc)
  await page.getByText(`1 received + 1 waiting of ${all}`).waitFor()
  await expectOpenToAll(page)
  await page.reload()
  await page.getByText(`1 received + 1 waiting of ${all}`).waitFor()
  const paper = Number(/\bof (\d+)/.exec(await page.getByText(/1 \+ 1 waiting of/).innerText())![1])
  for (let more = 2; more < paper; more++) await scan(page, upc)
  await scan(page, upc)
  const stop = page.getByRole('alert', { name: 'Keep it or set it aside?' })
  await stop.getByText(`One more than the invoice: ${paper + 1} of ${paper}`).waitFor()
  await expectOpenToAll(page)
  await stop.getByRole('button', { name: 'Set aside' }).click()

  await tablet.context.setOffline(false)
  await page.getByText(`${paper} of ${all} received`).waitFor({ timeout: 60_000 })
})

test('a parcel that was never opened on the tablet is received at the door without a connection', async () => {
  await page.goto(`${server.origin}/transfer?tab=to-send`)
  // Fetched ahead, a moment after the page stands.
  await page.waitForFunction(async () => {
    const open = indexedDB.open('lorgnette')
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      open.onsuccess = () => resolve(open.result)
      open.onerror = () => reject(open.error)
    })
    const all = database.transaction('facts').objectStore('facts').getAllKeys()
    const keys = await new Promise<IDBValidKey[]>((resolve) => (all.onsuccess = () => resolve(all.result)))
    database.close()
    return keys.some((key) => JSON.stringify(key).includes('return_invoices'))
  })
  await tablet.context.setOffline(true)
  await page.goto(`${server.origin}/transfer?tab=to-receive`)
  await page.getByRole('row').nth(1).click()
  const first = page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem').filter({ hasText: 'In transit' }).first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await scan(page, tag)
  await page.getByText(/received on this tablet/).waitFor()
  await page.getByText(/received \+ 1 waiting of/).waitFor()
  await tablet.context.setOffline(false)
})
