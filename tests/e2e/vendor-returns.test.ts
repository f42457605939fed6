import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'maya')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const frames = () => page.getByRole('list', { name: 'Frames on this return' })
async function openReturn(status: string) {
  await page.goto(`${server.origin}/returns?tab=open`)
  await page.getByRole('row').filter({ hasText: status }).first().click()
  await frames().waitFor()
}

describe.each([
  ['a tablet', tabletView],
  ['a phone', phoneView],
])('on %s', (_, view) => {
  beforeAll(() => page.setViewportSize(view))

  test('the list, and what begins a return, are open to all', async () => {
    await page.goto(`${server.origin}/returns?tab=open`)
    await page.getByRole('row').filter({ hasText: 'RMA requested' }).waitFor()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: 'New return' }).click()
    await page.getByRole('heading', { name: 'New return' }).waitFor()
    await expectOpenToAll(page)
    await page.keyboard.press('Escape')
  })

  test('a return with its timeline, and the dialog of its next step, are open to all', async () => {
    await openReturn('Credited')
    await expectOpenToAll(page)
    await page.getByRole('button', { name: 'Close return' }).click()
    await page.getByRole('heading', { name: 'Close return' }).waitFor()
    await expectOpenToAll(page)
    await page.keyboard.press('Escape')
  })
})

test('a piece that is scanned onto a return leaves the stock with the parcel', async () => {
  await page.setViewportSize(tabletView)
  await openReturn('RMA requested')
  const before = await frames().getByRole('listitem').count()
  // What is taken off is still in the drawer, and is scanned onto it again.
  const first = frames().getByRole('listitem').first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await page.getByRole('button', { name: `Take ${tag} off` }).click()
  await expect.poll(() => frames().getByRole('listitem').count()).toBe(before - 1)
  await page.keyboard.type(`${tag}\n`, { delay: 5 })
  await expect.poll(() => frames().getByRole('listitem').count()).toBe(before)
  await page.getByRole('button', { name: 'Enter RMA number' }).click()
  await page.getByRole('textbox', { name: /RMA number/ }).fill('RA-4711')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('RMA approved').first().waitFor()
  await page.getByRole('button', { name: 'Ship' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ship' }).click()
  await page.getByText('Shipped', { exact: true }).first().waitFor()
  expect(await frames().getByText('Removed').count()).toBe(before)
})
