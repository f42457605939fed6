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
  // A label is looked up in the tablet's own list of frames.
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

test('a delivery that was opened before is opened, received and waits without a connection, also after the page was closed', async () => {
  await page.goto(`${server.origin}/transfer?tab=to-receive`)
  await page.getByRole('row').nth(1).click()
  await lines().first().waitFor()
  const address = page.url()
  const first = lines().filter({ hasText: 'In transit' }).first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()

  await tablet.context.setOffline(true)
  await page.goto(`${server.origin}/transfer?tab=to-receive`)
  await page.getByText(/^You’re offline. This is as of/).waitFor()
  await expectOpenToAll(page)
  await page.getByRole('row').nth(1).click()
  expect(page.url()).toBe(address)
  await page.getByText(/^You’re offline. This is as of/).waitFor()
  await scan(page, tag)
  await page.getByText(/received on this tablet/).waitFor()
  await page.reload()
  const kept = lines().filter({ hasText: tag })
  await kept.getByText('Received, waiting to send').waitFor()

  await tablet.context.setOffline(false)
  await kept.getByText('Received', { exact: true }).waitFor({ timeout: 60_000 })
  await page.getByText(/^No connection/).waitFor({ state: 'detached' })
})
