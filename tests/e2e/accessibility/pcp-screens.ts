import { expectNamesKeepDirection } from '#tests/e2e/accessibility/patient-screens.ts'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { dialogOn, visit } from '#tests/e2e/accessibility/stage.ts'

export const pcpScreens: Screen[] = [
  {
    name: 'primary care providers',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/pcp-list')).getByRole('list', { name: 'Primary care providers' }),
    also: expectNamesKeepDirection,
    states: [
      {
        name: 'one of them',
        async go({ page }) {
          await page.getByRole('button', { name: /Helen Marsh, MD/ }).click()
          return page.getByRole('dialog', { name: 'Helen Marsh, MD' }).getByRole('link').first()
        },
      },
      {
        name: 'two that become one',
        async go({ page }) {
          await page.getByRole('dialog', { name: 'Helen Marsh, MD' }).getByRole('button', { name: 'Merge' }).click()
          return dialogOn(page, 'Merge Helen Marsh, MD')
        },
      },
    ],
  },
]
