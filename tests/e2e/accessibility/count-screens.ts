import type { Locator } from 'playwright-core'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { closeDialog, dialogOn, headingOn, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'

async function openSheet(stage: Stage): Promise<Locator> {
  const page = await visit(stage, `/inventory/count-sheets/${stage.counting.id_count_sheet}`)
  return page.getByRole('tab', { name: /^To find \([1-9]/ })
}

const sheetTab = (name: string) => ({
  name,
  async go({ page }: Stage) {
    const tab = page.getByRole('tab', { name: new RegExp(`^${name}`) })
    await tab.click()
    return page.getByRole('tab', { name: new RegExp(`^${name}`), selected: true })
  },
})

const sheetMenu = (entry: string, dialog: string | RegExp, isFirst = false) => ({
  name: entry,
  async go({ page }: Stage) {
    if (!isFirst) await closeDialog(page)
    await press(page, 'More')
    await page.getByRole('menuitem', { name: entry, exact: true }).click()
    return dialogOn(page, dialog)
  },
})

export const countScreens: Screen[] = [
  {
    name: 'count sheets',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/inventory/count-sheets')).getByRole('heading', { name: /^#3/ }),
  },
  {
    name: 'new count',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/inventory/count-sheets?new=1')
      await page.getByRole('radio', { name: 'Part of the store' }).check()
      return page.getByRole('group', { name: /^Brands/ })
    },
  },
  {
    name: 'a count, its tabs and an exception to decide on',
    as: 'maya',
    open: openSheet,
    states: [
      sheetTab('Counted'),
      sheetTab('Unknown'),
      sheetTab('Log'),
      sheetTab('Exceptions'),
      {
        name: 'deciding on an exception',
        async go({ page }) {
          await page
            .getByRole('button', { name: /^Decide/ })
            .first()
            .click()
          return page.getByRole('dialog').getByRole('radio').first()
        },
      },
    ],
  },
  {
    name: 'a count, its dialogs',
    as: 'maya',
    async open(stage) {
      await (await openSheet(stage)).waitFor()
      return await sheetMenu('Scanner and sound', 'Scanner and sound', true).go(stage)
    },
    states: [
      sheetMenu('Notes', /Notes/),
      sheetMenu('Recount', /./),
      sheetMenu('Delete', /Delete/),
      {
        name: 'Close',
        async go({ page }) {
          await closeDialog(page)
          await page
            .getByRole('button', { name: /^Close/ })
            .first()
            .click()
          return page.getByRole('dialog').getByRole('heading').first()
        },
      },
    ],
  },
  {
    name: 'a closed count',
    as: 'maya',
    open: async (stage) =>
      headingOn(await visit(stage, `/inventory/count-sheets/${stage.closed.id_count_sheet}`), `Count #${stage.closed.number}`),
  },
  {
    name: 'a count that is not there',
    as: 'maya',
    open: async (stage) =>
      (await visit(stage, '/inventory/count-sheets/0199f0a0-0000-7000-8000-00000000dead')).getByText('This count isn’t on this tablet'),
  },
]
