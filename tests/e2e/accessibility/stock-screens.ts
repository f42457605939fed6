import { expectScrollsInItself } from '#tests/e2e/accessibility/long-list.ts'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { closeDialog, dialogOn, firstRow, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'

/** A state of a screen: it closes the open dialog, then opens the dialog of a button. */
const dialogOf = (button: string, heading: string | RegExp, isFirst = false) => ({
  name: button,
  async go({ page }: Stage) {
    if (!isFirst) await closeDialog(page)
    await press(page, button)
    return dialogOn(page, heading)
  },
})

const quillmoor = ({ page }: Stage) => page.getByRole('button', { name: /^Quillmoor/ })

const longList = (name: string, path: string): Screen => ({
  name,
  as: 'maya',
  open: async (stage) => (await visit(stage, path)).getByRole('grid').getByRole('row').nth(5),
  also: ({ page }) => expectScrollsInItself(page),
})

export const stockScreens: Screen[] = [
  longList('the inventory', '/inventory'),
  longList('the models of the inventory', '/inventory/models'),
  {
    name: 'the frame library',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/frame-library')
      await press(page, 'Filters')
      await page.getByLabel('Shape').waitFor()
      await press(page, 'Pellworth Optics')
      return quillmoor(stage)
    },
    states: [
      {
        name: 'the products of a brand',
        async go(stage) {
          await quillmoor(stage).click()
          return firstRow(stage.page, 'Products')
        },
      },
      {
        name: 'the models of a product',
        async go({ page }) {
          await firstRow(page, 'Products').click()
          return firstRow(page, 'Models')
        },
      },
      {
        name: 'a model',
        async go({ page }) {
          await firstRow(page, 'Models').click()
          return dialogOn(page, /^Quillmoor /)
        },
      },
      {
        name: 'the form of a model, with an error',
        async go({ page }) {
          await closeDialog(page)
          await press(page, 'Add model')
          await page.getByRole('dialog').getByLabel('Color', { exact: true }).waitFor()
          await press(page, 'Save')
          return page.getByRole('alert').getByText('Enter a color')
        },
      },
    ],
  },
  {
    name: 'the price book',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/price-book')
      const choice = page.getByRole('search').getByLabel('Brand')
      await choice.selectOption((await choice.locator('option', { hasText: 'Quillmoor' }).getAttribute('value')) ?? '')
      return firstRow(page, 'Prices')
    },
    states: [
      {
        name: 'a price with its history',
        async go({ page }) {
          await firstRow(page, 'Prices').click()
          await dialogOn(page, /^Quillmoor /).waitFor()
          return page.getByRole('region', { name: 'Price history' }).getByRole('listitem').first()
        },
      },
      {
        name: 'choosing models',
        async go({ page }) {
          await closeDialog(page)
          await press(page, 'Select models')
          await firstRow(page, 'Prices').click()
          return page.getByRole('button', { name: 'Change prices', exact: true })
        },
      },
      {
        name: 'the preview of a change',
        async go({ page }) {
          await press(page, 'Change prices')
          await page.getByRole('textbox', { name: 'Percent' }).fill('5')
          await press(page, 'Preview')
          await dialogOn(page, 'Change the prices of 1 model').waitFor()
          return firstRow(page, 'Preview')
        },
      },
      {
        name: 'the changes',
        async go({ page }) {
          await closeDialog(page)
          await page.getByRole('tab', { name: 'Changes' }).click()
          return page.getByText('No price changes yet.')
        },
      },
    ],
  },
  {
    name: 'transfers: the list, a new one, a draft and the question before it is sent',
    as: 'maya',
    open: async (stage) => firstRow(await visit(stage, '/transfer'), 'Transfers'),
    states: [
      dialogOf('New transfer', 'New transfer', true),
      {
        name: 'a draft',
        async go({ page }) {
          await closeDialog(page)
          await firstRow(page, 'Transfers').click()
          return page.getByRole('list', { name: 'Frames on this transfer' })
        },
      },
      dialogOf('Send', /^Send \d+ frames to /, true),
    ],
  },
  {
    name: 'a delivery from another store, and what the app asks about a damaged piece',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/transfer?tab=to-receive')
      await firstRow(page, 'Transfers').click()
      return page.getByLabel('Receive a frame')
    },
    states: [
      {
        name: 'a damaged piece',
        async go({ page }) {
          await page
            .getByRole('button', { name: / is damaged$/ })
            .first()
            .click()
          return dialogOn(page, / arrived damaged$/)
        },
      },
      dialogOf('Close short', /^Close without /),
    ],
  },
  {
    name: 'the labels that wait, one of them chosen',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/inventory/labels')
      await firstRow(page, 'Waiting labels').click()
      return firstRow(page, 'Waiting labels')
    },
  },
  {
    name: 'frames chosen in the inventory, and the question before their labels are printed',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/inventory')
      await press(page, 'Select frames')
      await page.getByRole('grid').getByRole('row').nth(1).click()
      return page.getByText('1 frame selected')
    },
    states: [dialogOf('Print labels', 'Print labels', true)],
  },
]
