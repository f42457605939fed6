import type { Locator } from 'playwright-core'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { closeDialog, dialogOn, headingOn, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'

async function openSidebar(stage: Stage) {
  const page = await visit(stage, '/')
  await headingOn(page, 'Today').waitFor()
  if (stage.isPhone()) await press(page, 'Toggle Sidebar')
  return page
}

async function openUserMenu(stage: Stage): Promise<Locator> {
  const page = await openSidebar(stage)
  await page.getByRole('button', { name: /user menu$/ }).click()
  return page.getByRole('menuitem', { name: 'Account' })
}

const loginForm = ({ page }: Stage) => page.getByRole('form', { name: 'Login', exact: true })
const tabState = (name: string, what: (stage: Stage) => Locator) => ({
  name,
  async go(stage: Stage) {
    await stage.page.getByRole('tab', { name }).click()
    return what(stage)
  },
})
const settingsTab = (name: string) => tabState(name, ({ page }) => page.getByRole('tabpanel', { name }))
const syncTab = (name: string) => tabState(name, ({ page }) => page.getByRole('tab', { name, selected: true }))

/** The shell of the app: sign-in, home, menus, settings and the sync center. */
export const shellScreens: Screen[] = [
  {
    name: 'the login screen, both its sides',
    as: null,
    async open(stage) {
      await visit(stage, '/login')
      return loginForm(stage)
    },
    states: [
      {
        name: 'with an error',
        async go(stage) {
          await loginForm(stage).getByRole('button', { name: 'Login', exact: true }).click()
          return stage.page.getByText('Email or username is required')
        },
      },
      {
        name: 'Clock In/Out',
        async go({ page }) {
          await press(page, 'Clock In/Out')
          return page.getByRole('form', { name: 'Clock In/Out' })
        },
      },
    ],
  },
  { name: 'home', as: 'maya', open: async (stage) => (await visit(stage, '/')).getByRole('link', { name: /Count #3/ }) },
  { name: 'the sidebar or its sheet, with the user menu', as: 'maya', open: openUserMenu, isOpenedOnPhone: true },
  {
    name: 'the suggestions of the patient search',
    as: 'maya',
    isOpenedOnPhone: true,
    async open(stage) {
      const page = await visit(stage, '/inventory')
      if (stage.isPhone()) return headingOn(page, 'Inventory')
      await page.getByRole('combobox', { name: 'Patient' }).fill('bell')
      return page.getByRole('option', { name: /Bellweather/ }).first()
    },
  },
  {
    name: 'the keys',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/inventory')
      await headingOn(page, 'Inventory').waitFor()
      await page.keyboard.press('?')
      return dialogOn(page, 'Keyboard shortcuts')
    },
  },
  {
    name: 'change store',
    as: 'maya',
    isOpenedOnPhone: true,
    async open(stage) {
      const page = await openSidebar(stage)
      await press(page, 'Set Store')
      return page.getByRole('button', { name: /Current store/ })
    },
  },
  {
    name: 'my settings',
    as: 'maya',
    isOpenedOnPhone: true,
    async open(stage) {
      await (await openUserMenu(stage)).click()
      await stage.page.getByRole('tab', { name: 'Profile' }).click()
      return stage.page.getByRole('tabpanel', { name: 'Profile' })
    },
    states: ['Account', 'Appearance', 'Notifications', 'Display', 'Security'].map(settingsTab),
  },
  {
    name: 'frame lookup',
    as: 'maya',
    async open(stage) {
      await lookUp(stage)
      return lookupDialog(stage).getByRole('button', { name: 'Item History' })
    },
    states: [
      {
        name: 'edit',
        async go(stage) {
          await lookupDialog(stage).getByRole('button', { name: 'Edit', exact: true }).click()
          return lookupDialog(stage).getByRole('radio').first()
        },
      },
    ],
  },
  {
    name: 'frame lookup, history',
    as: 'maya',
    async open(stage) {
      await lookUp(stage)
      await lookupDialog(stage).getByRole('button', { name: 'Item History' }).click()
      return lookupDialog(stage).getByRole('table').first()
    },
  },
  { name: 'time clock', as: 'maya', open: async (stage) => (await visit(stage, '/time-clock')).getByRole('region', { name: 'Week' }) },
  {
    name: 'time review',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/time-clock/review')).getByRole('button', { name: 'Accept' }).first(),
    states: [
      {
        name: 'correcting',
        async go({ page }) {
          await press(page, 'Correct')
          return page.getByRole('form', { name: 'Correct this punch' })
        },
      },
      {
        name: 'weeks',
        async go({ page }) {
          await closeDialog(page)
          await page.getByRole('tab', { name: 'Weeks' }).click()
          await page.getByLabel('Person').selectOption({ index: 1 })
          return page.getByRole('region', { name: 'Week' })
        },
      },
    ],
  },
  {
    name: 'sync center',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/sync')).getByRole('tab', { name: 'Waiting', selected: true }),
    states: ['Needs attention', 'Receipts', 'This device'].map(syncTab),
  },
  {
    name: 'settings, inventory',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/settings/inventory')).locator('main h1').first(),
  },
  {
    name: 'settings, tablets',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/settings/tablets')).getByRole('button', { name: 'Revoke Van' }),
    states: [
      {
        name: 'revoking a tablet',
        async go({ page }) {
          await press(page, 'Revoke Van')
          return dialogOn(page)
        },
      },
    ],
  },
  {
    name: 'settings, security log',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/settings/security-log')).getByText('Signed in with').first(),
  },
  {
    name: 'the 404 page',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/no/such/page')).getByRole('link', { name: 'Return to Safety' }),
  },
]

async function lookUp(stage: Stage) {
  const page = await visit(stage, '/')
  await headingOn(page, 'Today').waitFor()
  await press(page, 'Frame lookup')
  await page.getByRole('textbox', { name: /^Serial/ }).fill(stage.frame.sku)
  await press(page, 'Look up')
}

function lookupDialog({ page }: Stage): Locator {
  return page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
}
