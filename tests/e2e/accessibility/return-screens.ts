import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { closeDialog, headingOn, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'

/** A state of a screen: the open dialog of a button. */
const question = (button: string, title: string, isFirst = false) => ({
  name: title,
  async go({ page }: Stage) {
    if (!isFirst) await closeDialog(page)
    await press(page, button)
    return headingOn(page, title)
  },
})

export const returnScreens: Screen[] = [
  {
    name: 'patient returns: the list, a return, and the questions before it is confirmed or denied',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/returns')).getByRole('row').filter({ hasText: 'Pending' }).first(),
    states: [
      {
        name: 'a return',
        async go({ page }) {
          await page.getByRole('row').filter({ hasText: 'Pending' }).filter({ hasText: 'Defective frame' }).first().click()
          return page.getByRole('list', { name: 'Items returned' })
        },
      },
      question('Confirm', 'Confirm return', true),
      question('Deny', 'Deny return'),
    ],
  },
  {
    name: 'vendor returns: the list, and the dialog that begins one',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/returns?tab=open')).getByRole('row').filter({ hasText: 'RMA requested' }),
    states: [question('New return', 'New return', true)],
  },
  {
    name: 'a vendor return with its timeline, and the dialog of its next step',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/returns?tab=open')
      await page.getByRole('row').filter({ hasText: 'Credited' }).first().click()
      return page.getByRole('list', { name: 'Frames on this return' })
    },
    states: [question('Close return', 'Close return', true)],
  },
]
