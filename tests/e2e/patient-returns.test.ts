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

const content = () => page.getByRole('list', { name: 'Items returned' })
async function openReturn(status: string, reason: string) {
  await page.goto(`${server.origin}/returns`)
  await page.getByRole('row').filter({ hasText: status }).filter({ hasText: reason }).first().click()
  await content().waitFor()
}
const openPatient = () =>
  page
    .getByRole('link')
    .filter({ has: page.locator('bdi') })
    .click()

describe.each([
  ['a tablet', tabletView],
  ['a phone', phoneView],
])('on %s', (_, view) => {
  beforeAll(() => page.setViewportSize(view))

  test('the list, a return, and what is asked to confirm and to deny it, are open to all', async () => {
    await page.goto(`${server.origin}/returns`)
    await page.getByRole('row').filter({ hasText: 'Pending' }).first().waitFor()
    await expectOpenToAll(page)
    await openReturn('Pending', 'Defective frame')
    await expectOpenToAll(page)
    for (const [button, title] of [
      ['Confirm', 'Confirm return'],
      ['Deny', 'Deny return'],
    ] as const) {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('heading', { name: title }).waitFor()
      await expectOpenToAll(page)
      await page.keyboard.press('Escape')
      await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' })
    }
  })
})

test('a frame that is taken back is in stock again', async () => {
  await page.setViewportSize(tabletView)
  await openReturn('Pending', 'Patient changed mind')
  const sku = await content()
    .getByText(/^[A-Z0-9]+-\d+$/)
    .innerText()
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/comes off invoice/).waitFor()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Confirmed', { exact: true }).waitFor()
  expect(await content().innerText()).toContain('Back to stock')
  await page.goto(`${server.origin}/inventory`)
  await page.getByRole('textbox', { name: 'Search', exact: true }).fill(sku)
  await page.getByRole('row').filter({ hasText: sku }).filter({ hasText: 'Ready for Sale' }).waitFor()
})

test('what a patient brings back is entered at the invoice, and waits for a manager', async () => {
  // What was denied is with the patient still, and may be brought back again.
  await openReturn('Denied', 'Patient changed mind')
  const invoice = (await page.getByText(/^Invoice \d+$/).innerText()).match(/\d+/)?.[0]
  await openPatient()
  await page.getByRole('button', { name: `Return for invoice ${invoice}` }).click()
  await page.getByRole('heading', { name: `Return for invoice ${invoice}` }).waitFor()
  const dialog = page.getByRole('dialog')
  const first = dialog.getByRole('combobox').filter({ hasText: 'came back' }).first()
  await first.selectOption('1')
  await dialog.getByRole('combobox', { name: /^Why/ }).selectOption('remake')
  await expectOpenToAll(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Return #\d+ is saved/).waitFor()
  await openReturn('Pending', 'Remake')
  expect(await content().getByRole('listitem').count()).toBe(1)
})
