import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { officeOf, openClinic, pageOf, signIn, until } from '#tests/e2e/clinic.ts'
import { keptOn, openFromSidebar, startsWithoutServer } from '#tests/e2e/screen.ts'
import { chooseBrowser, openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

const { isPackaged } = await chooseBrowser()
/** A copy of the built app, so that a test can replace it with a new version. */
const dist = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-dist-'))

let server: LorgnetteServer
let tablet: Tablet
let page: Page
let sheet: CountSheet

beforeAll(async () => {
  fs.cpSync(process.env['LORGNETTE_DIST'] ?? path.resolve(import.meta.dirname, '../../dist'), dist, { recursive: true })
  server = await openClinic({ LORGNETTE_DIST: dist })
  tablet = await openTablet()
  page = await pageOf(tablet)
  const office = await officeOf(server)
  const { count_sheets } = await office.get<{ count_sheets: CountSheet[] }>('/api/inventory/count_sheets')
  const open = count_sheets.find(({ phase }) => phase === 'counting')
  if (!open) throw new Error('The demo clinic has no open count')
  sheet = open
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
  fs.rmSync(dist, { recursive: true, force: true })
})

type Manifest = {
  id: string
  name: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
  screenshots: { src: string; sizes: string; form_factor: string }[]
  shortcuts: { name: string; url: string }[]
}

describe('what the browser learns about the app', () => {
  test('the manifest lists icons, screenshots and shortcuts that exist and have the listed size', async () => {
    const answer = await fetch(`${server.origin}/manifest.webmanifest`)
    expect(answer.headers.get('content-type')).toBe('application/manifest+json')
    const manifest = (await answer.json()) as Manifest
    expect(manifest).toMatchObject({ id: '/', name: 'Lorgnette', start_url: '/', scope: '/', display: 'standalone' })
    expect(manifest.icons.some(({ purpose, sizes }) => purpose === 'maskable' && sizes === '512x512')).toBe(true)
    expect(manifest.icons.some(({ purpose, sizes }) => purpose === 'any' && sizes === '192x192')).toBe(true)
    expect(manifest.screenshots.map(({ form_factor }) => form_factor)).toEqual(['wide', 'narrow'])
    expect(manifest.shortcuts.map(({ name, url }) => [name, url])).toEqual([
      ['New count', '/inventory/count-sheets?new=1'],
      ['Clock in/out', '/time-clock'],
    ])
    for (const { src, sizes } of [...manifest.icons, ...manifest.screenshots]) {
      const picture = await fetch(server.origin + src)
      expect([src, picture.status]).toEqual([src, 200])
      if (sizes === 'any') continue
      const bytes = Buffer.from(await picture.arrayBuffer())
      // A PNG has width and height at fixed offsets.
      expect([src, `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`]).toEqual([src, sizes])
    }
  })

  test('the browser reads the manifest without an error', async () => {
    await signIn(page, server, 'maya')
    await startsWithoutServer(page)
    const session = await tablet.context.newCDPSession(page)
    const { url, errors } = await session.send('Page.getAppManifest')
    expect(url).toBe(`${server.origin}/manifest.webmanifest`)
    expect(errors).toEqual([])
  })

  // The headless shell of the npm registry cannot install apps, so it reports no installation errors.
  test.skipIf(isPackaged)('the browser can install the app, and knows it by its own id', async () => {
    const session = await tablet.context.newCDPSession(page)
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
    const { appId } = await session.send('Page.getAppId')
    expect(appId).toBe(`${server.origin}/`)
  })

  test('the browser’s install offer shows as a button until a user says Not now', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    const offer = () =>
      page.evaluate(() => {
        const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
          prompt: () => Promise.resolve(),
          userChoice: new Promise(() => {}),
        })
        window.dispatchEvent(event)
        return event.defaultPrevented
      })
    expect(await offer()).toBe(true)
    const button = page.getByRole('button', { name: 'Install', exact: true })
    await button.waitFor()
    await page.getByRole('button', { name: 'Not now' }).click()
    await button.waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await offer()
    expect(await button.count()).toBe(0)
  })

  test('an iPad, which has no such button, shows the two steps as text', async () => {
    const ipad = await openTablet()
    try {
      await ipad.context.addInitScript(() => {
        const userAgent =
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.3 Safari/605.1.15'
        Object.defineProperty(navigator, 'userAgent', { get: () => userAgent })
        Object.defineProperty(navigator, 'maxTouchPoints', { get: () => 5 })
      })
      const there = await pageOf(ipad)
      await signIn(there, server, 'ana')
      await there.getByText('Install Lorgnette on this tablet').waitFor()
      await there.getByText('Add to Home Screen').waitFor()
      // This test browser has the button too, and may offer it now.
      const hint = there.getByRole('status').filter({ hasText: 'Install Lorgnette on this tablet' })
      await hint.getByRole('button', { name: 'Not now' }).click()
      // The browser may write local storage a moment after the page has closed.
      await until(
        async () => {
          await there.reload()
          await there.getByRole('heading', { name: 'Today' }).waitFor()
          return await there.getByText('Install Lorgnette on this tablet').count()
        },
        (shown) => shown === 0,
        'The hint came back',
      )
    } finally {
      await ipad.close()
    }
  })
})

describe('the server is gone and the browser was killed', () => {
  test('every address opens from the tablet alone', async () => {
    await page.goto(`${server.origin}/inventory/count-sheets/${sheet.id_count_sheet}`)
    await page.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor()
    await startsWithoutServer(page)
    await server.stop()
    await tablet.kill()
    tablet = await openTablet({ profile: tablet.profile })
    page = await pageOf(tablet)
    const starts: [string, string][] = [
      ['/', 'Today'],
      ['/dashboard', 'Today'],
      ['/inventory/count-sheets', 'Count sheets'],
      [`/inventory/count-sheets/${sheet.id_count_sheet}`, `Count #${sheet.number}`],
      [`/inventory/count-sheets/${sheet.id_count_sheet}/anything`, `Count #${sheet.number}`],
      ['/time-clock', 'Time clock'],
      ['/time-clock/review', 'Time review'],
      ['/settings', 'Inventory'],
      ['/settings/inventory', 'Inventory'],
      ['/sync', 'Sync center'],
      ['/no/such/page', "Oops! You've ventured into the void."],
    ]
    for (const [address, heading] of starts) {
      await page.goto(server.origin + address)
      await page.getByRole('heading', { name: heading }).first().waitFor()
    }
    // The shortcuts of the installed app open too.
    await page.goto(`${server.origin}/inventory/count-sheets?new=1`)
    await page.getByRole('dialog', { name: 'New count' }).getByText('You are offline').waitFor()
    // The login screen comes last, because it ends the session.
    await page.goto(`${server.origin}/login`)
    await page.getByRole('button', { name: 'Login', exact: true }).waitFor()
    await page.goto(`${server.origin}/sync`)
    await page.waitForURL((url) => url.pathname === '/login')
    await server.start()
  })

  test('a user stays signed in when the browser dies in the second of the sign-in', async () => {
    await signIn(page, server, 'maya')
    await startsWithoutServer(page)
    await server.stop()
    await tablet.kill()
    tablet = await openTablet({ profile: tablet.profile })
    page = await pageOf(tablet)
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await page.getByText('Hello, Maya').waitFor()
    await server.start()
  })
})

describe('a new version', () => {
  const offerText = () => page.getByText('A new version of Lorgnette is ready')
  const askForUpdates = () =>
    page.evaluate(() =>
      navigator.serviceWorker
        .getRegistration()
        .then((registration) => registration?.update())
        .then(() => undefined),
    )
  const waiting = () =>
    page.evaluate(() =>
      navigator.serviceWorker
        .getRegistration()
        .then((registration) => registration?.waiting !== null && registration?.waiting !== undefined),
    )
  const outbox = () => keptOn<OutboxCommand>(page, 'outbox')

  /**
   * Puts a new build in place, as an operator does: a new page, a new worker, and a list without the former chunks. The
   * page comes first: the browser may look for a new worker at any moment, and takes the page of that moment.
   */
  function release(name: string) {
    for (const file of ['index.html', 'sw.js']) {
      const target = path.join(dist, file)
      const before = fs.readFileSync(target, 'utf8')
      const after = file === 'sw.js' ? `${before}\n// ${name}\n` : before.replace('<body>', `<body data-release="${name}">`)
      fs.writeFileSync(target, file === 'sw.js' ? nextRevision(after, name) : after)
      for (const packed of ['.br', '.gz']) fs.rmSync(target + packed, { force: true })
    }
  }
  /** Gives the page another revision in the worker's list. */
  function nextRevision(worker: string, name: string): string {
    const changed = worker.replace(/("revision":")[^"]+(","url":"index\.html")/, `$1${name}$2`)
    if (!changed.includes(`"${name}"`)) throw new Error('The worker does not list the page')
    return changed
  }
  const releaseOf = () => page.evaluate(() => document.body.dataset['release'] ?? 'first')

  test('is offered, never forced, and never offered during a count; the outbox stays', async () => {
    await page.goto(`${server.origin}/inventory/count-sheets/${sheet.id_count_sheet}`)
    await page.getByRole('tab', { name: /^To find \([1-9]/ }).waitFor()
    await startsWithoutServer(page)
    // The server takes no work now, so the outbox fills.
    await tablet.context.route('**/api/sync/push', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '3600' }, body: '' }))
    const field = page.getByLabel('Last 4 of the tag')
    for (const code of ['NOT-HERE-1', 'NOT-HERE-2', 'NOT-HERE-3']) {
      await field.fill(code)
      await page.getByRole('button', { name: 'Count', exact: true }).click()
    }
    await until(outbox, (all) => all.length === 3, 'Three scans wait')
    const before = await outbox()

    release('second')
    await askForUpdates()
    await until(waiting, (is) => is, 'The new version has been fetched')
    // During a count the app offers nothing and does not reload.
    expect(await offerText().count()).toBe(0)
    expect(await releaseOf()).toBe('first')

    // Chunks that this version has not loaded before still arrive.
    await page.getByRole('link', { name: /Open the Sync center$/ }).click()
    await page.getByRole('heading', { name: 'Sync center' }).waitFor()
    await offerText().waitFor()
    expect(await releaseOf()).toBe('first')

    await page.getByRole('button', { name: 'Update now' }).click()
    await until(
      () => releaseOf().catch(() => 'reloading'),
      (name) => name === 'second',
      'The new version runs',
      // The browser lets the former worker finish first.
      90_000,
    )
    await page.getByRole('heading', { name: 'Sync center' }).waitFor()
    await offerText().waitFor({ state: 'detached' })
    expect((await outbox()).map(({ id, body }) => ({ id, body }))).toEqual(before.map(({ id, body }) => ({ id, body })))

    await tablet.context.unroute('**/api/sync/push')
    await page.getByRole('button', { name: 'Send now' }).click()
    await until(outbox, (all) => all.length === 0, 'All of it arrives')
  })

  test('can wait: the old version runs until the next start', async () => {
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    release('third')
    await askForUpdates()
    await offerText().waitFor()
    await page.getByRole('button', { name: 'Later' }).click()
    await offerText().waitFor({ state: 'detached' })
    await openFromSidebar(page, 'Team', 'Time clock')
    await page.getByRole('heading', { name: 'Time clock' }).waitFor()
    expect(await releaseOf()).toBe('second')
  })

  test('is offered at the next start', async () => {
    await tablet.kill()
    release('fourth')
    tablet = await openTablet({ profile: tablet.profile })
    page = await pageOf(tablet)
    await page.goto(server.origin)
    await page.getByRole('heading', { name: 'Today' }).waitFor()
    await offerText().waitFor()
  })
})
