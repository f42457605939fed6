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

const rowWith = (status: string | RegExp) => page.getByRole('row').filter({ hasText: status }).first()
async function openInvoice(status: string) {
  await page.goto(`${server.origin}/receipts`)
  await rowWith(status).click()
  await page.getByRole('heading', { name: /^Invoice / }).waitFor()
}

describe.each([
  ['a tablet', tabletView],
  ['a phone', phoneView],
])('on %s', (_, view) => {
  beforeAll(() => page.setViewportSize(view))

  test('the list with its filters', async () => {
    await page.goto(`${server.origin}/receipts`)
    await page.getByRole('button', { name: 'Filters' }).click()
    await rowWith('Discrepancy').waitFor()
    await expectOpenToAll(page)
  })

  test('the store invoices, and one of them', async () => {
    await page.goto(`${server.origin}/receipts?tab=stores`)
    await rowWith(/Receipt \d/).click()
    await page.getByRole('list', { name: 'Vendor invoices' }).waitFor()
    await expectOpenToAll(page)
  })

  test('an invoice that is received, its pieces and its history', async () => {
    await openInvoice('Receiving')
    await page.getByLabel('Receive a frame').waitFor()
    await expectOpenToAll(page)
    await page.getByRole('tab', { name: /^Pieces/ }).click()
    await page.getByRole('list', { name: 'Received pieces' }).waitFor()
    await expectOpenToAll(page)
    await page.getByRole('tab', { name: 'History' }).click()
    await expectOpenToAll(page)
  })

  test('a piece, a line, the paper, and the question before it is posted', async () => {
    await openInvoice('Discrepancy')
    await page.getByRole('button', { name: 'Post' }).click()
    await page.getByRole('dialog').getByRole('heading').waitFor()
    await expectOpenToAll(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByRole('dialog').getByRole('heading').waitFor()
    await expectOpenToAll(page)
    await page.keyboard.press('Escape')
    await page
      .getByRole('button', { name: /^Change / })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('heading').waitFor()
    await expectOpenToAll(page)
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: /^Pieces/ }).click()
    await page.getByRole('list', { name: 'Received pieces' }).getByRole('button').first().click()
    await page.getByRole('dialog').getByText('F#').waitFor()
    await expectOpenToAll(page)
  })
})
