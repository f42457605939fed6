import type { Page } from 'playwright-core'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { closeDialog, dialogOn, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'

const rowWith = (page: Page, status: string | RegExp) => page.getByRole('row').filter({ hasText: status }).first()

async function openInvoice(stage: Stage, status: string) {
  const page = await visit(stage, '/receipts')
  await rowWith(page, status).click()
  await page.getByRole('heading', { name: /^Invoice / }).waitFor()
  return page
}

const pieces = (page: Page) => page.getByRole('list', { name: 'Received pieces' })
async function openPieces(page: Page) {
  await page.getByRole('tab', { name: /^Pieces/ }).click()
  return pieces(page)
}

export const receivingScreens: Screen[] = [
  {
    name: 'receipts, the list with its filters',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/receipts')
      await press(page, 'Filters')
      return rowWith(page, 'Discrepancy')
    },
  },
  {
    name: 'receipts, the store invoices, and one of them',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/receipts?tab=stores')
      await rowWith(page, /Receipt \d/).click()
      return page.getByRole('list', { name: 'Vendor invoices' })
    },
  },
  {
    name: 'an invoice that is received, its pieces and its history',
    as: 'maya',
    open: async (stage) => (await openInvoice(stage, 'Receiving')).getByLabel('Receive a frame'),
    states: [
      { name: 'pieces', go: ({ page }) => openPieces(page) },
      {
        name: 'history',
        async go({ page }) {
          await page.getByRole('tab', { name: 'History' }).click()
          return page.getByRole('tab', { name: 'History', selected: true })
        },
      },
    ],
  },
  {
    name: 'an invoice with a discrepancy: the question before it is posted, the paper, a line and a piece',
    as: 'maya',
    async open(stage) {
      const page = await openInvoice(stage, 'Discrepancy')
      await press(page, 'Post')
      return dialogOn(page)
    },
    states: [
      {
        name: 'the paper',
        async go({ page }) {
          await closeDialog(page)
          await press(page, 'Edit')
          return dialogOn(page)
        },
      },
      {
        name: 'a line',
        async go({ page }) {
          await closeDialog(page)
          await page
            .getByRole('button', { name: /^Edit ./ })
            .first()
            .click()
          return dialogOn(page)
        },
      },
      {
        name: 'a piece',
        async go({ page }) {
          await closeDialog(page)
          await (await openPieces(page)).getByRole('button').first().click()
          return page.getByRole('dialog').getByText('F#')
        },
      },
    ],
  },
]
