import { filesAt, type RouteChunks } from '#src/start/route-chunks.ts'
import type { Page, Request } from 'playwright-core'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { pageOf, signIn, until, type Person } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { toastOn, toastSays } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView } from '#tests/support/browser.ts'
import { openWireProxy } from '#tests/support/wire-proxy.ts'

const deskView = { width: 1440, height: 900 }
const t = e2eTablet({ hasMotion: true, hasMouse: true })

const at = (path: string) => t.page.waitForURL((url) => url.pathname === path)
const sidebarOf = (on: Page) => on.getByRole('complementary', { name: 'Sidebar' })
const sidebar = () => sidebarOf(t.page)
const userMenu = () => t.page.getByRole('button', { name: /user menu$/ })
const dialog = (name: string) => t.page.getByRole('dialog', { name })
const widthOf = async () => (await sidebar().boundingBox())?.width
const cookie = async () => (await t.tablet.context.cookies(t.server.origin)).find(({ name }) => name === 'sidebar:state')

describe('a user without a session', () => {
  test.each(['/', '/dashboard', '/inventory/count-sheets', '/time-clock/review', '/sync'])(
    'opens %s and lands on the login screen',
    async (path) => {
      await t.page.goto(t.server.origin + path)
      await at('/login')
      await t.page.getByRole('button', { name: /^(Login|Clock in)$/ }).waitFor()
    },
  )
})

test('a page that still loads shows a spinner, then its content', async () => {
  const line = await openWireProxy(t.server)
  const other = await openTablet()
  try {
    // Without the worker, which would already have fetched all pages.
    const isWorker = (path: string) => path === '/sw.js'
    line.meet = ({ path }) => (isWorker(path) ? 'lose-request' : 'pass')
    const there = await pageOf(other)
    await signIn(there, line, 'ana')
    await there.getByRole('heading', { name: 'Today' }).waitFor()
    let letGo = () => {}
    const held = new Promise<void>((resolve) => (letGo = resolve))
    line.meet = async ({ path }) => {
      if (path.startsWith('/assets/')) await held
      return isWorker(path) ? 'lose-request' : 'pass'
    }
    await there.getByRole('link', { name: 'Time clock', exact: true }).click()
    const spinner = there.getByRole('status').filter({ hasText: 'Loading…' })
    await spinner.waitFor()
    await expect.poll(() => sidebarOf(there).isVisible()).toBe(true)
    letGo()
    await there.getByRole('heading', { name: 'Time clock' }).waitFor()
    await spinner.waitFor({ state: 'detached' })
  } finally {
    await other.close()
    await line.close()
  }
})

describe('a signed-in user', () => {
  beforeAll(() => signIn(t.page, t.server, 'maya'))
  beforeEach(async () => {
    await t.page.setViewportSize(deskView)
    await t.page.goto(t.server.origin)
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    // The page first shows the last width. A moment later it follows the cookie, which is gone.
    await until(widthOf, (width) => width === 256, 'The sidebar is open')
  })
  afterEach(() => t.tablet.context.clearCookies())

  test('the sidebar names the store, and has the width of the specification, open and collapsed', async () => {
    await expect.poll(() => sidebar().getByText('Downtown Eye Care').isVisible()).toBe(true)
    await expect.poll(() => sidebar().getByText('Store', { exact: true }).isVisible()).toBe(true)
    expect(await widthOf()).toBe(256)
    await t.page.getByRole('button', { name: 'Toggle Sidebar' }).click()
    await until(widthOf, (width) => width === 48, 'The sidebar is 3rem wide')
    expect(await t.page.getByRole('button', { name: 'Toggle Sidebar' }).getAttribute('aria-expanded')).toBe('false')
  })

  test('Ctrl and b toggle the sidebar, and the cookie keeps the choice for seven days', async () => {
    await t.page.keyboard.press('Control+b')
    await until(widthOf, (width) => width === 48, 'It is collapsed')
    const kept = await cookie()
    expect(kept?.value).toBe('false')
    expect((kept?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(7 * 86_400 - 120)
    expect((kept?.expires ?? 0) - Date.now() / 1000).toBeLessThanOrEqual(7 * 86_400 + 5)
    await t.page.reload()
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    expect(await widthOf()).toBe(48)
    await t.page.keyboard.press('Control+b')
    await until(widthOf, (width) => width === 256, 'It is open again')
    expect((await cookie())?.value).toBe('true')
    // With Shift it is another shortcut, so the app ignores it.
    await t.page.keyboard.press('Control+Shift+b')
    expect((await cookie())?.value).toBe('true')
  })

  test('in a collapsed sidebar each icon shows its name at once; other buttons wait 700 ms', async () => {
    await t.page.keyboard.press('Control+b')
    await until(widthOf, (width) => width === 48, 'It is collapsed')
    const waited = async (hover: () => Promise<void>) => {
      await t.page.mouse.move(600, 600)
      await t.page.getByRole('tooltip').waitFor({ state: 'hidden' })
      // Within 300 ms after one tooltip, the next one would show without a wait.
      await t.page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 320)))
      await hover()
      const began = performance.now()
      await t.page.getByRole('tooltip').waitFor()
      return performance.now() - began
    }
    const icon = await waited(() => sidebar().getByRole('link', { name: 'Count sheets' }).hover())
    await expect.poll(() => t.page.getByRole('tooltip').textContent()).toBe('Count sheets')
    const button = await waited(() => t.page.getByRole('button', { name: 'Toggle Sidebar' }).hover())
    await expect.poll(() => t.page.getByRole('tooltip').textContent()).toBe('Toggle Sidebar (Ctrl or Cmd + B)')
    expect(icon).toBeLessThan(500)
    expect(button).toBeGreaterThan(550)
  })

  test('on a tablet the sidebar begins with icons only', async () => {
    await t.page.setViewportSize(tabletView)
    await t.page.reload()
    await until(widthOf, (width) => width === 48, 'It shows only icons')
    expect(await cookie()).toBeUndefined()
  })

  test('where not every page has room, one group is open at a time, and without words a group is a menu', async () => {
    await t.page.setViewportSize({ width: 1440, height: 640 })
    const group = (name: string) => sidebar().getByRole('button', { name })
    await group('Stock').click()
    await sidebar().getByRole('link', { name: 'Transfers' }).waitFor()
    await group('Team').click()
    await sidebar().getByRole('link', { name: 'Transfers' }).waitFor({ state: 'detached' })
    await t.page.keyboard.press('Control+b')
    await until(widthOf, (width) => width === 48, 'It shows only icons')
    await t.page.setViewportSize({ width: 1440, height: 480 })
    await group('Stock').click()
    await t.page.getByRole('menuitem', { name: 'Transfers' }).click()
    await t.page.getByRole('heading', { name: 'Transfers' }).waitFor()
  })

  test('under 768 pixels the sidebar is a side sheet, 18rem wide, that closes on Escape and after a choice', async () => {
    await t.page.setViewportSize({ width: 767, height: 900 })
    await sidebar().waitFor({ state: 'detached' })
    await t.page.keyboard.press('Control+b')
    await dialog('Navigation').getByRole('navigation').waitFor()
    const panel = t.page.locator('[role=dialog] nav').locator('xpath=ancestor::div[contains(@class,"fixed")][1]')
    await until(
      async () => (await panel.boundingBox())?.x,
      (x) => x === 0,
      'It has slid in',
    )
    expect((await panel.boundingBox())?.width).toBe(288)
    await t.page.keyboard.press('Escape')
    await dialog('Navigation').waitFor({ state: 'detached' })
    expect(await cookie()).toBeUndefined()

    await t.page.setViewportSize(phoneView)
    await t.page.getByRole('button', { name: 'Toggle Sidebar' }).click()
    await dialog('Navigation').getByRole('button', { name: 'Team' }).click()
    await dialog('Navigation').getByRole('link', { name: 'Time clock' }).click()
    await at('/time-clock')
    await dialog('Navigation').waitFor({ state: 'detached' })

    await t.page.setViewportSize({ width: 768, height: 900 })
    await sidebar().waitFor()
  })

  test('a dialog changes the store, then closes', async () => {
    await t.page.getByRole('button', { name: 'Set Store' }).click()
    await dialog('Change Store').getByText('Select a store from the list below:').waitFor()
    await dialog('Change Store').getByRole('button', { name: 'Cancel' }).click()
    await dialog('Change Store').waitFor({ state: 'detached' })

    await t.page.getByRole('button', { name: 'Set Store' }).click()
    await dialog('Change Store')
      .getByRole('button', { name: /Eastside Eye Care/ })
      .click()
    await dialog('Change Store').waitFor({ state: 'detached' })
    await sidebar().getByText('Eastside Eye Care').waitFor()
    await t.page.reload()
    await sidebar().getByText('Eastside Eye Care').waitFor()

    await t.page.getByRole('button', { name: 'Set Store' }).click()
    await dialog('Change Store')
      .getByRole('button', { name: /Downtown Eye Care/ })
      .click()
    await sidebar().getByText('Downtown Eye Care').waitFor()
  })

  test('Messages does nothing, as specified', async () => {
    await t.page.getByRole('link', { name: /Count #3/ }).waitFor()
    await t.page.getByText('You’re not clocked in.').waitFor()
    await t.page.getByRole('link', { name: /unread messages?$/ }).waitFor()
    const before = await t.page.getByRole('main').innerText()
    await t.page.getByRole('button', { name: 'Messages' }).click()
    expect(new URL(t.page.url()).pathname).toBe('/')
    expect(await t.page.getByRole('main').innerText()).toBe(before)
  })

  test('the user menu names the user and has every entry', async () => {
    expect(await userMenu().getAttribute('aria-label')).toBe('Maya maya@lorgnette.example: user menu')
    await userMenu().click()
    await t.page.getByRole('menu').waitFor()
    const entries = await t.page.getByRole('menuitem').allInnerTexts()
    expect(entries).toEqual(['Upgrade to Pro', 'Account', 'Billing', 'Notifications', 'Clock In/Out', 'Log out'])
    await t.page.keyboard.press('Escape')
    await t.page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await t.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toContain('user menu')
  })

  test('the settings dialog opens at Account, at most 1200 by 800, with all its tabs', async () => {
    await t.page.setViewportSize({ width: 1600, height: 1000 })
    await userMenu().click()
    await t.page.getByRole('menuitem', { name: 'Account' }).click()
    const settings = dialog('Settings')
    await settings.getByRole('button', { name: 'Update account' }).waitFor()
    expect(await settings.getByRole('tab').allInnerTexts()).toEqual([
      'Profile',
      'Account',
      'Appearance',
      'Notifications',
      'Display',
      'Security',
    ])
    expect(
      await settings
        .getByLabel('Language')
        .locator('option')
        .evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
    ).toEqual(['en', 'fr', 'de', 'es', 'pt'])
    const size = await settings.getByRole('tablist').evaluate((list) => {
      let panel = list.parentElement
      while (panel && !panel.className.includes('max-w-[1200px]')) panel = panel.parentElement
      return panel && [panel.offsetWidth, panel.offsetHeight]
    })
    expect(size).toEqual([1200, 800])

    await settings.getByRole('tab', { name: 'Display' }).click()
    const checked = (name: string) => settings.getByRole('checkbox', { name }).isChecked()
    expect([await checked('Recents'), await checked('Home'), await checked('Documents')]).toEqual([true, true, false])
    await settings.getByRole('tab', { name: 'Profile' }).click()
    await settings.getByText('You can only change it once every 30 days.').waitFor()
    await settings.getByRole('button', { name: 'Add URL' }).click()
    await expect.poll(() => settings.getByPlaceholder('https://').count()).toBe(2)
    await settings.getByRole('tab', { name: 'Notifications' }).click()
    await expect.poll(() => settings.getByRole('switch').count()).toBe(4)
    await expect.poll(() => settings.getByRole('radio').count()).toBe(3)
  })

  test('font and theme take effect, stay, and a toast confirms them', async () => {
    const looks = () => t.page.evaluate(() => [document.documentElement.dataset['theme'], getComputedStyle(document.body).fontFamily])
    expect(await looks()).toEqual(['dark', expect.stringContaining('Inter')])
    await userMenu().click()
    await t.page.getByRole('menuitem', { name: 'Account' }).click()
    await dialog('Settings').getByRole('tab', { name: 'Appearance' }).click()
    expect(await dialog('Settings').getByLabel('Font').locator('option').allInnerTexts()).toEqual(['Inter', 'Manrope', 'System'])
    await dialog('Settings').getByLabel('Font').selectOption('manrope')
    await dialog('Settings').getByRole('radio', { name: 'Light' }).check()
    expect(await looks()).toEqual(['dark', expect.stringContaining('Inter')])
    await dialog('Settings').getByRole('button', { name: 'Update preferences' }).click()
    await toastSays(t.page, 'Preferences Updated')
    expect(await looks()).toEqual(['light', expect.stringContaining('Manrope')])
    expect(await t.page.evaluate(() => [localStorage.getItem('font'), localStorage.getItem('theme')])).toEqual(['manrope', 'light'])
    await t.page.reload()
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    expect(await looks()).toEqual(['light', expect.stringContaining('Manrope')])
    expect(await t.page.evaluate(() => document.fonts.ready.then((fonts) => fonts.check('16px "Manrope Variable"')))).toBe(true)
    await t.page.evaluate(() => localStorage.clear())
    await signIn(t.page, t.server, 'maya')
  })

  test('a toast stays five seconds, or longer while a user looks at it, and F8 leads to it', async () => {
    const showToast = async () => {
      await userMenu().click()
      await t.page.getByRole('menuitem', { name: 'Account' }).click()
      await dialog('Settings').getByRole('tab', { name: 'Appearance' }).click()
      await dialog('Settings').getByRole('button', { name: 'Update preferences' }).click()
      await t.page.keyboard.press('Escape')
      await dialog('Settings').waitFor({ state: 'detached' })
      await toastSays(t.page, 'Preferences Updated')
    }
    // Leave the app first: for a moment the installed clock says 1970. A page that reads it would believe that nobody
    // has touched it since.
    await t.page.goto('about:blank')
    await t.page.clock.install()
    await t.page.goto(t.server.origin)
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    await showToast()
    await t.page.mouse.move(300, 300)
    await t.page.clock.fastForward(3000)
    expect(await toastOn(t.page).count()).toBe(1)
    await t.page.clock.fastForward(2100)
    await toastOn(t.page).waitFor({ state: 'detached' })

    await showToast()
    await t.page.keyboard.press('F8')
    expect(await t.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Notifications (F8)')
    await t.page.keyboard.press('Tab')
    expect(await t.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Dismiss notification')
    await t.page.clock.fastForward(60_000)
    expect(await toastOn(t.page).count()).toBe(1)
    await t.page.keyboard.press('Enter')
    await toastOn(t.page).waitFor({ state: 'detached' })
  })

  test('a swipe of 50 pixels to the right dismisses a toast, a shorter one does not', async () => {
    await userMenu().click()
    await t.page.getByRole('menuitem', { name: 'Account' }).click()
    await dialog('Settings').getByRole('tab', { name: 'Appearance' }).click()
    await dialog('Settings').getByRole('button', { name: 'Update preferences' }).click()
    await t.page.keyboard.press('Escape')
    await dialog('Settings').waitFor({ state: 'detached' })
    const box = await toastOn(t.page).boundingBox()
    if (!box) throw new Error('No toast shows')
    const swipe = async (by: number) => {
      await t.page.mouse.move(box.x + 60, box.y + 20)
      await t.page.mouse.down()
      await t.page.mouse.move(box.x + 60 + by, box.y + 20, { steps: 4 })
      await t.page.mouse.up()
    }
    await swipe(45)
    expect(await toastOn(t.page).count()).toBe(1)
    await swipe(55)
    await toastOn(t.page).waitFor({ state: 'detached' })
  })

  test.each(['/nothing/here', '/frame-library/x', '/patient_details/7/exam/1', '/settings/integrations', '/reports', '/doctor-desk'])(
    '%s, which does not work, shows the page for the void and a way back',
    async (path) => {
      await t.page.goto(t.server.origin + path)
      await t.page.getByRole('heading', { name: "Oops! You've ventured into the void." }).waitFor()
      await t.page.getByRole('link', { name: 'Return to Safety' }).click()
      await at('/')
    },
  )

  test('the page asks for the code of an address in one round, together with the app', async () => {
    const asked: string[] = []
    const hear = (request: Request) => {
      const { pathname } = new URL(request.url())
      // Answers of the server come in between when the computer is slow.
      if (pathname.startsWith('/assets/')) asked.push(pathname)
    }
    t.page.on('request', hear)
    await t.page.goto(`${t.server.origin}/`)
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    t.page.off('request', hear)
    const chunks = await t.page.evaluate(() => document.querySelector<HTMLElement>('script[data-chunks]')?.dataset['chunks'] ?? '')
    const named = filesAt(JSON.parse(chunks) as RouteChunks, '/', true)
    expect(named.join()).toMatch(/\/app-.*\/-today-/)
    const places = named.map((file) => asked.indexOf(file))
    expect(Math.min(...places)).toBeGreaterThan(-1)
    // The page may load its own script and style before these files, and nothing else.
    expect(Math.max(...places)).toBeLessThan(named.length + 6)
  })

  test('both addresses of home open, and so does every address below a sheet', async () => {
    await t.page.goto(`${t.server.origin}/dashboard`)
    await t.page.getByRole('heading', { name: 'Today' }).waitFor()
    expect(await t.page.getByRole('link', { name: 'Home' }).getAttribute('aria-current')).toBe('page')
    const { count_sheets } = await t.office.get<{ count_sheets: CountSheet[] }>('/api/inventory/count_sheets')
    const sheet = count_sheets.find(({ phase }) => phase === 'counting')
    if (!sheet) throw new Error('The demo clinic has no open count')
    for (const rest of ['', '/', '/anything/below']) {
      await t.page.goto(`${t.server.origin}/inventory/count-sheets/${sheet.id_count_sheet}${rest}`)
      await t.page.getByRole('heading', { name: `Count #${sheet.number}` }).waitFor()
    }
  })

  test('the chip says Online, then Offline with the server gone, and leads to the sync center', async () => {
    const chip = t.page.getByRole('link', { name: /Open the Sync center$/ })
    await chip.filter({ hasText: 'Online' }).waitFor()
    await t.server.stop()
    try {
      await t.page.evaluate(() => window.dispatchEvent(new Event('online')))
      await chip.filter({ hasText: 'Offline' }).waitFor()
      await chip.click()
      await t.page.getByRole('heading', { name: 'Sync center' }).waitFor()
    } finally {
      await t.server.start()
    }
    await t.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await chip.filter({ hasText: 'Online' }).waitFor()
  })

  test('a sign-out confirms itself and leads to the login screen', async () => {
    await userMenu().click()
    await t.page.getByRole('menuitem', { name: 'Log out' }).click()
    await at('/login')
    await toastSays(t.page, 'Logout Successful')
    await t.page.goto(t.server.origin)
    await at('/login')
  })
})

describe('the navigation lists the working pages of a role', () => {
  test.each<[Person, string[]]>([
    [
      'maya',
      [
        'Home',
        'Patient portal',
        'Primary care',
        'Inventory',
        'Count sheets',
        'Labels',
        'Transfers',
        'Receipts',
        'Returns',
        'Frame library',
        'Price book',
        'Time clock',
        'Time review',
        'Settings',
      ],
    ],
    ['ben', ['Home', 'Inventory', 'Count sheets', 'Labels', 'Transfers', 'Receipts', 'Returns', 'Frame library', 'Time clock']],
    [
      'ana',
      [
        'Home',
        'Patient portal',
        'Primary care',
        'Inventory',
        'Count sheets',
        'Labels',
        'Transfers',
        'Receipts',
        'Returns',
        'Frame library',
        'Time clock',
      ],
    ],
  ])('%s', async (person, titles) => {
    await t.page.setViewportSize(tabletView)
    await signIn(t.page, t.server, person)
    const links = t.page.getByRole('navigation', { name: 'Main' }).getByRole('link')
    await until(
      () => links.allInnerTexts(),
      (texts) => texts.length === titles.length,
      'The navigation is there',
    )
    expect(await links.allInnerTexts()).toEqual(titles)
    for (const title of titles) {
      // Under /settings the settings menu replaces the navigation.
      await t.page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: title, exact: true }).click()
      await t.page.locator('main h1').first().waitFor()
      expect(await t.page.getByText('ventured into the void').count()).toBe(0)
    }
  })
})
