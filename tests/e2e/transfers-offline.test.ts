import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FrameRecord } from '#contract/stock/frames.ts'
import { officeOf, openClinic, pageOf, signIn, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
import { everythingSent, fullNames, readyForOffline, stockOf } from '#tests/e2e/count-room.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
let pieces: PulledFrame[]

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const { expected } = await stockOf(office)
  // The first ones for sale stand on a draft of the demo clinic already.
  pieces = expected.filter(({ status }) => status === 'Ready for Sale').slice(30, 33)
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

const lines = () => page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')
const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

test('a box is filled and sent in the cellar, and is in transit when the tablet is back', async () => {
  const [first, second, off] = pieces
  if (!first || !second || !off) throw new Error('Downtown has too few frames for sale')
  await page.goto(`${server.origin}/transfer`)
  await page.getByRole('grid', { name: 'Transfers' }).waitFor()
  await tablet.context.setOffline(true)
  await page.reload()
  await press('New transfer')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/waits on this tablet/).waitFor()
  await expectOpenToAll(page)
  await dialog.getByLabel('To').selectOption({ label: 'Eastside Eye Care' })
  await press('Start')
  await page.getByRole('heading', { level: 1, name: /New transfer/ }).waitFor()
  const address = page.url()
  await scanAll(page, [first.sku, off.sku, second.sku])
  await expect.poll(() => lines().count()).toBe(3)
  await page.getByRole('button', { name: `Take ${off.sku} off` }).click()
  await expect.poll(() => lines().count()).toBe(2)
  await page.goto(`${server.origin}/transfer`)
  await page.getByRole('button', { name: /New transfer to Eastside/ }).click()
  expect(page.url()).toBe(address)
  await expect.poll(() => lines().count()).toBe(2)
  await scan(page, first.sku)
  await page.getByText(/is already on this transfer\./).waitFor()
  await expectOpenToAll(page)
  await press('Send')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByText('Waiting to send').waitFor()
  const record = ({ sku }: PulledFrame) => office.get<FrameRecord>(`/api/inventory/lookup?sku=${sku}`)
  expect(await record(first)).toMatchObject({ status: 'Ready for Sale' })

  await tablet.context.setOffline(false)
  await everythingSent(page)
  await page.getByText(`0 of 2 received · sent by ${fullNames.ben}`, { exact: false }).waitFor()
  await page.getByRole('heading', { level: 1, name: /Transfer #\d+/ }).waitFor()
  for (const piece of [first, second]) expect(await record(piece)).toMatchObject({ status: 'ICT', store_id: 2 })
  expect(await record(off)).toMatchObject({ status: 'Ready for Sale', store_id: 1 })
})
