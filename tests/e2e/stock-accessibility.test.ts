import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
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

const open = (path: string) => page.goto(server.origin + path)
const press = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
/** The first row below the head. */
const firstRow = (table: string) => page.getByRole('grid', { name: table, exact: true }).getByRole('row').nth(1)

/** The dialog that stands open, judged and put away. */
async function expectDialogOpenToAll(heading: string | RegExp): Promise<void> {
  const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'))
  await dialog.getByRole('heading', { name: heading }).first().waitFor()
  await expectOpenToAll(page)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
}

describe.each([
  ['a tablet', tabletView],
  ['a phone', phoneView],
])('on %s', (_, view) => {
  beforeAll(() => page.setViewportSize(view))

  test('the frame library: its tree and filters, a product, a model and the form of one', async () => {
    await open('/frame-library')
    await press('Filters')
    await page.getByLabel('Shape').waitFor()
    await press('Pellworth Optics')
    const brand = page.getByRole('button', { name: /^Quillmoor/ })
    await brand.waitFor()
    await expectOpenToAll(page)
    await brand.click()
    await firstRow('Products').waitFor()
    await expectOpenToAll(page)
    await firstRow('Products').click()
    await firstRow('Models').waitFor()
    await expectOpenToAll(page)
    await firstRow('Models').click()
    await expectDialogOpenToAll(/^Quillmoor /)
    await press('Add model')
    await page.getByRole('dialog').getByLabel('Color', { exact: true }).waitFor()
    await press('Save')
    await page.getByRole('alert').getByText('Enter a color').waitFor()
    await expectDialogOpenToAll(/^Add a .* model/)
  })

  test('the price book: a brand, a price with its history, and the preview of a change', async () => {
    await open('/price-book')
    const choice = page.getByRole('search').getByLabel('Brand')
    await choice.selectOption((await choice.locator('option', { hasText: 'Quillmoor' }).getAttribute('value')) ?? '')
    await firstRow('Prices').waitFor()
    await expectOpenToAll(page)
    await firstRow('Prices').click()
    await page.getByRole('region', { name: 'Price history' }).getByRole('listitem').first().waitFor()
    await expectDialogOpenToAll(/^Quillmoor /)
    await press('Select models')
    await firstRow('Prices').click()
    await expectOpenToAll(page)
    await press('Change prices')
    await page.getByRole('textbox', { name: 'Per cent' }).fill('5')
    await press('Preview')
    await firstRow('Preview').waitFor()
    await expectDialogOpenToAll('Change the prices of 1 model')
    await page.getByRole('tab', { name: 'Changes' }).click()
    await page.getByText('No price changes yet.').waitFor()
    await expectOpenToAll(page)
  })

  test('transfers: the list, a new one, a draft and the question before it is sent', async () => {
    await open('/transfer')
    await firstRow('Transfers').waitFor()
    await expectOpenToAll(page)
    await press('New transfer')
    await expectDialogOpenToAll('New transfer')
    await firstRow('Transfers').click()
    await page.getByRole('list', { name: 'Frames on this transfer' }).waitFor()
    await expectOpenToAll(page)
    await press('Send')
    await expectDialogOpenToAll(/^Send \d+ frames to /)
  })

  test('a delivery from another store, and what a damaged piece is asked for', async () => {
    await open('/transfer?tab=to-receive')
    await firstRow('Transfers').click()
    await page.getByLabel('Receive a frame').waitFor()
    await expectOpenToAll(page)
    await page
      .getByRole('button', { name: / is damaged$/ })
      .first()
      .click()
    await expectDialogOpenToAll(/ arrived damaged$/)
    await press('Close short')
    await expectDialogOpenToAll(/^Close without /)
  })

  test('labels: those that wait, and what is asked before some are printed', async () => {
    await open('/inventory/labels')
    await firstRow('Waiting labels').waitFor()
    await firstRow('Waiting labels').click()
    await expectOpenToAll(page)
    await open('/inventory')
    await press('Select frames')
    await page.getByRole('grid').getByRole('row').nth(1).click()
    await page.getByText('1 frame chosen').waitFor()
    await expectOpenToAll(page)
    await press('Print labels')
    await expectDialogOpenToAll('Print labels')
  })
})
