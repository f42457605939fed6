import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { protocol } from '#contract/sync/sync.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { officeOf, openClinic, pageOf, people, signIn, until, type PulledFrame } from '#tests/e2e/clinic.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { keptOn, tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page
let open: CountSheet
let closed: CountSheet
let frames: PulledFrame[]

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  const office = await officeOf(server)
  const { count_sheets } = await office.get<{ count_sheets: CountSheet[] }>('/api/inventory/count_sheets')
  const [one, other] = [count_sheets.find(({ phase }) => phase === 'counting'), count_sheets.find(({ phase }) => phase === 'closed')]
  if (!one || !other) throw new Error('The demo clinic has no open or no closed count')
  open = one
  closed = other
  frames = await office.rows<PulledFrame>('frames')
  // A tablet that holds work, and runs another version of the app.
  const van = { device_id: '0199f0a0-0000-7000-8000-00000000beef', device_name: 'Van', holds: [{ lane: 'count:x', unsent: 3 }] }
  const told = { protocol, report: 1, commands: [], open_sheets: [], oldest_unsent_s: 7200, app_version: '0.0.9' }
  await office.send('POST', '/api/sync/push', { ...van, ...told })
  // Something of every kind stands on the sheet.
  const eastside = frames.find(({ store_id, status }) => store_id === 2 && status === 'Ready for Sale')
  for (const code of [eastside?.sku, 'NOBODY-KNOWS']) {
    await office.send('POST', '/api/inventory/count_sheets/items', { id_count_sheet: open.id_count_sheet, code })
  }
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

/** What a screen is called here, how one gets to it, and what stands there once it is whole. */
type Screen = { name: string; open: () => Promise<void> }

async function visit(path: string, sign: () => Promise<unknown>) {
  await page.goto(server.origin + path)
  await sign()
}
const heading = (name: string) => page.getByRole('heading', { name }).first().waitFor()
const sheetPath = () => `/inventory/count-sheets/${open.id_count_sheet}`
const isPhone = () => (page.viewportSize()?.width ?? 0) < 768

async function openSheet(tab?: RegExp) {
  await visit(sheetPath(), () => page.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor())
  if (tab) await page.getByRole('tab', { name: tab }).click()
}
async function fromSheetMenu(entry: string, dialog: string | RegExp) {
  await openSheet()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
  await page
    .getByRole('dialog', { name: dialog })
    .or(page.getByRole('alertdialog', { name: dialog }))
    .getByRole('heading')
    .first()
    .waitFor()
}
async function openUserMenu() {
  await visit('/', () => heading('Today'))
  if (isPhone()) await page.getByRole('button', { name: 'Toggle Sidebar' }).click()
  await page.getByRole('button', { name: /user menu$/ }).click()
  await page.getByRole('menuitem', { name: 'Account' }).waitFor()
}
async function openSettings(tab: string) {
  await openUserMenu()
  await page.getByRole('menuitem', { name: 'Account' }).click()
  await page.getByRole('tab', { name: tab }).click()
  await page.getByRole('tabpanel').waitFor()
}

const openTablets = () => visit('/settings/tablets', () => page.getByRole('button', { name: 'Revoke Van' }).waitFor())

const screens: Screen[] = [
  { name: 'home', open: () => visit('/', () => page.getByRole('link', { name: /Count #3/ }).waitFor()) },
  { name: 'the sidebar or its sheet, with the user menu', open: openUserMenu },
  {
    name: 'change store',
    open: async () => {
      await visit('/', () => heading('Today'))
      if (isPhone()) await page.getByRole('button', { name: 'Toggle Sidebar' }).click()
      await page.getByRole('button', { name: 'Set Store' }).click()
      await page.getByRole('button', { name: /Current store/ }).waitFor()
    },
  },
  ...['Profile', 'Account', 'Appearance', 'Notifications', 'Display', 'Security'].map((tab) => ({
    name: `settings, ${tab}`,
    open: () => openSettings(tab),
  })),
  { name: 'count sheets', open: () => visit('/inventory/count-sheets', () => page.getByRole('heading', { name: /^#3/ }).waitFor()) },
  {
    name: 'new count',
    open: async () => {
      await visit('/inventory/count-sheets?new=1', () => page.getByRole('radio', { name: 'Part of the store' }).waitFor())
      await page.getByRole('radio', { name: 'Part of the store' }).check()
      await page.getByRole('group', { name: /^Brands/ }).waitFor()
    },
  },
  ...[/^To find/, /^Counted/, /^Exceptions/, /^Unknown/, /^Log/].map((tab) => ({
    name: `a count, ${tab.source.slice(1)}`,
    open: () => openSheet(tab),
  })),
  {
    name: 'a count, deciding on an exception',
    open: async () => {
      await openSheet(/^Exceptions/)
      await page
        .getByRole('button', { name: /^Decide/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('radio').first().waitFor()
    },
  },
  { name: 'a count, scanner and sound', open: () => fromSheetMenu('Scanner and sound', 'Scanner and sound') },
  { name: 'a count, notes', open: () => fromSheetMenu('Notes', /Notes/) },
  { name: 'a count, recount', open: () => fromSheetMenu('Recount', /./) },
  { name: 'a count, delete', open: () => fromSheetMenu('Delete', /Delete/) },
  {
    name: 'a count, close',
    open: async () => {
      await openSheet()
      await page
        .getByRole('button', { name: /^Close/ })
        .first()
        .click()
      await page.getByRole('dialog').getByRole('heading').first().waitFor()
    },
  },
  {
    name: 'a closed count',
    open: () => visit(`/inventory/count-sheets/${closed.id_count_sheet}`, () => heading(`Count #${closed.number}`)),
  },
  {
    name: 'a count that is not there',
    open: () =>
      visit('/inventory/count-sheets/0199f0a0-0000-7000-8000-00000000dead', () =>
        page.getByText('This count isn’t on this tablet').waitFor(),
      ),
  },
  ...['info', 'history', 'edit'].map((view) => ({ name: `frame lookup, ${view}`, open: () => openLookup(view) })),
  { name: 'time clock', open: () => visit('/time-clock', () => page.getByRole('region', { name: 'Week' }).waitFor()) },
  { name: 'time review', open: () => visit('/time-clock/review', () => page.getByRole('button', { name: 'Accept' }).first().waitFor()) },
  {
    name: 'time review, correcting',
    open: async () => {
      await visit('/time-clock/review', () => page.getByRole('button', { name: 'Correct' }).first().waitFor())
      await page.getByRole('button', { name: 'Correct' }).first().click()
      await page.getByRole('form', { name: 'Correct this punch' }).waitFor()
    },
  },
  {
    name: 'time review, weeks',
    open: async () => {
      await visit('/time-clock/review', () => page.getByRole('tab', { name: 'Weeks' }).waitFor())
      await page.getByRole('tab', { name: 'Weeks' }).click()
      await page.getByLabel('Person').selectOption({ index: 1 })
      await page.getByRole('region', { name: 'Week' }).waitFor()
    },
  },
  ...['Waiting', 'Needs attention', 'Receipts', 'This device'].map((tab) => ({
    name: `sync center, ${tab}`,
    open: async () => {
      await visit('/sync', () => page.getByRole('tab', { name: tab }).waitFor())
      await page.getByRole('tab', { name: tab }).click()
    },
  })),
  { name: 'settings, inventory', open: () => visit('/settings/inventory', () => page.locator('main h1').first().waitFor()) },
  { name: 'settings, tablets', open: openTablets },
  { name: 'settings, security log', open: () => visit('/settings/security-log', () => page.getByText('Signed in with').first().waitFor()) },
  {
    name: 'settings, revoking a tablet',
    open: async () => {
      await openTablets()
      await page.getByRole('button', { name: 'Revoke Van' }).click()
      await page.getByRole('alertdialog').getByRole('heading').first().waitFor()
    },
  },
  { name: 'the 404 page', open: () => visit('/no/such/page', () => page.getByRole('link', { name: 'Return to Safety' }).waitFor()) },
]

async function openLookup(view: string) {
  await visit('/', () => heading('Today'))
  await page.getByRole('button', { name: 'Frame lookup' }).click()
  await page.getByRole('textbox', { name: /^Serial/ }).fill(frames[0]?.sku ?? '')
  await page.getByRole('button', { name: 'Look up' }).click()
  const dialog = page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await dialog.getByRole('button', { name: 'Item History' }).waitFor()
  if (view === 'history') {
    await dialog.getByRole('button', { name: 'Item History' }).click()
    await dialog.getByRole('table').first().waitFor()
  }
  if (view === 'edit') {
    await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
    await dialog.getByRole('radio').first().waitFor()
  }
}

describe.each([
  ['tablet', tabletView],
  ['phone', phoneView],
])('on a %s, in both themes', (_, viewport) => {
  test('the login screen, both its sides', async () => {
    await page.setViewportSize(viewport)
    await page.goto(`${server.origin}/login`)
    await page.getByRole('form', { name: 'Login', exact: true }).waitFor()
    await expectOpenToAll(page)
    await page.getByRole('form', { name: 'Login', exact: true }).getByRole('button', { name: 'Login', exact: true }).click()
    await page.getByText('Email or username is required').waitFor()
    await expectOpenToAll(page)
    await page.getByRole('button', { name: 'Clock In/Out', exact: true }).click()
    await page.getByRole('form', { name: 'Clock In/Out' }).waitFor()
    await expectOpenToAll(page)
  })

  describe('signed in', () => {
    beforeAll(() => signIn(page, server, 'maya'))

    test.each(screens.map((screen): [string, Screen] => [screen.name, screen]))('%s', async (_name, { open: openScreen }) => {
      await openScreen()
      await expectOpenToAll(page)
    })
  })
})

describe('by keyboard alone', () => {
  const focused = () =>
    page.evaluate(() => {
      const element = document.activeElement
      if (!element) return ''
      const label = element.id ? document.querySelector(`label[for="${CSS.escape(element.id)}"]`)?.textContent : null
      return (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim()
    })
  /** Tab after Tab until the focus is on what is looked for; on the way everything shows that it has the focus. */
  async function tabTo(name: string | RegExp, most = 60) {
    const fits = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
    const passed: string[] = []
    for (let step = 0; step < most; step++) {
      await page.keyboard.press('Tab')
      const at = await focused()
      passed.push(at.slice(0, 40))
      const ring = await page.evaluate(() => {
        const element = document.activeElement
        return element && element !== document.body ? getComputedStyle(element).outlineStyle !== 'none' : true
      })
      if (!ring) throw new Error(`${at} does not show that it has the focus`)
      if (fits(at)) return
    }
    throw new Error(`Tab never came to ${String(name)}; it passed ${passed.join(' | ')}`)
  }

  test('one signs in, opens a count, types a tag, and undoes it', async () => {
    await page.setViewportSize(tabletView)
    await page.goto(`${server.origin}/login`)
    await page.getByRole('form', { name: 'Login', exact: true }).waitFor()
    await tabTo('Email or username')
    await page.keyboard.type('ben')
    await tabTo('Password')
    await page.keyboard.type(people.ben.password)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
    await heading('Today')

    await page.getByRole('link', { name: /Count #3/ }).waitFor()
    await tabTo('Skip to content', 3)
    await page.keyboard.press('Enter')
    await tabTo(/^Count #3/)
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor()

    const row = await page
      .getByLabel('Frames to find')
      .getByText(/^DT-\d+/)
      .first()
      .innerText()
      .catch(() => '')
    const sku = /DT-\d+/.exec(row)?.[0] ?? frames.find(({ store_id, status }) => store_id === 1 && status === 'Ready for Sale')?.sku ?? ''
    // It stands a moment after the count does.
    await page.getByLabel('Last 4 of the tag').waitFor()
    await tabTo('Last 4 of the tag')
    await page.keyboard.type(sku)
    await page.keyboard.press('Enter')
    const last = page.getByRole('region', { name: 'Last scan' })
    await last.getByText(sku).waitFor()
    const scans = async () =>
      [...(await keptOn<OutboxCommand>(page, 'outbox')), ...(await keptOn<{ kind?: string }>(page, 'settled'))].length
    await until(scans, (number) => number === 1, 'The scan is saved')

    await page.keyboard.press('Escape')
    await tabTo('Undo last', 120)
    await page.keyboard.press('Enter')
    await until(scans, (number) => number === 2, 'The undo is saved')
    await last.getByText('Undone', { exact: true }).waitFor()
  })

  test('a dialog keeps the focus, closes on Escape and gives the focus back', async () => {
    await signIn(page, server, 'maya')
    await heading('Today')
    await tabTo('Frame lookup')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
    await dialog.getByLabel('Serial / F#').waitFor()
    await until(focused, (name) => name.startsWith('Serial / F#'), 'The field has the focus')
    for (let step = 0; step < 12; step++) {
      await page.keyboard.press('Tab')
      expect(await page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null)).toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await until(focused, (name) => name === 'Frame lookup', 'The button has the focus again')
  })

  test('tabs are walked with the arrows', async () => {
    await page.goto(`${server.origin}/sync`)
    await page.getByRole('tab', { name: /^Waiting/ }).focus()
    for (const name of [/^Needs attention/, /^Receipts/, /^This device/, /^Waiting/]) {
      await page.keyboard.press('ArrowRight')
      expect(await page.getByRole('tab', { name }).getAttribute('aria-selected')).toBe('true')
      expect(await focused()).toMatch(name)
    }
  })

  test('an error of a form stands at its field and is read out', async () => {
    await page.goto(`${server.origin}/login`)
    await page.getByRole('form', { name: 'Login', exact: true }).waitFor()
    await tabTo('Email or username')
    await page.keyboard.press('Enter')
    const field = page.getByRole('form', { name: 'Login', exact: true }).getByLabel('Email or username')
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    expect(await page.locator(`[id="${described}"]`).textContent()).toBe('Email or username is required')
    expect(await page.locator(`[id="${described}"]`).getAttribute('role')).toBe('alert')
  })
})

test('who asked for less motion gets none', async () => {
  await page.goto(`${server.origin}/login`)
  await page.getByRole('form', { name: 'Login', exact: true }).waitFor()
  const durations = await page.evaluate(() =>
    [...document.querySelectorAll('*')].map((element) => Number.parseFloat(getComputedStyle(element).transitionDuration)),
  )
  expect(Math.max(...durations)).toBeLessThan(0.01)
  // A short transition of every element would bring another theme down the page by one element a frame.
  const moving = await page.evaluate(() => {
    document.documentElement.dataset['theme'] = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark'
    return document.getAnimations().length
  })
  expect(moving).toBe(0)
})
