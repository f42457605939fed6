import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { chromium, type BrowserContext } from 'playwright-core'
import { removeFolder } from '#tests/support/remove-folder.ts'

const systemBrowsers = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable']

/** Returns the Chromium of this system, unless the tests must not use it. */
export function systemBrowser(): string | undefined {
  return process.env.LORGNETTE_TEST_BROWSER === 'package' ? undefined : systemBrowsers.find((file) => fs.existsSync(file))
}

export type BrowserChoice = { executablePath: string; isPackaged: boolean }

/**
 * Returns the system's Chromium, or else the headless shell of the npm registry. The shell lacks Background Sync, the
 * install prompt and cameras. `LORGNETTE_TEST_BROWSER=package` forces the shell.
 */
export async function chooseBrowser(): Promise<BrowserChoice> {
  const system = systemBrowser()
  if (system) return { executablePath: system, isPackaged: false }
  return { executablePath: await sparticuz.executablePath(), isPackaged: true }
}

export const browserSwitches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A tablet: a browser with its own profile, which survives a kill. */
export type Tablet = {
  profile: string
  context: BrowserContext
  /** Sends SIGKILL to the whole browser, as when the battery dies. */
  kill(): Promise<void>
  close(): Promise<void>
}

export type TabletOptions = {
  profile?: string
  viewport?: { width: number; height: number }
  colorScheme?: 'light' | 'dark'
  reducedMotion?: 'reduce'
  /** A computer with a mouse, instead of a tablet that is touched. */
  hasMouse?: true
}

export const tabletView = { width: 1024, height: 768 }
export const phoneView = { width: 390, height: 844 }

/** The tablets whose browsers run now. */
export const openTablets = new Set<Tablet>()

export async function openTablet(options: TabletOptions = {}): Promise<Tablet> {
  const profile = options.profile ?? fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-tablet-'))
  const { executablePath } = await chooseBrowser()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    headless: true,
    args: browserSwitches,
    viewport: options.viewport ?? tabletView,
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: options.reducedMotion ?? null,
    hasTouch: !options.hasMouse,
    serviceWorkers: 'allow',
    timeout: 120_000,
  })
  context.setDefaultTimeout(30_000)
  const tablet: Tablet = {
    profile,
    context,
    async kill() {
      const gone = new Promise<void>((resolve) => context.once('close', () => resolve()))
      for (const pid of processesOf(profile)) {
        try {
          process.kill(pid, 'SIGKILL')
        } catch {
          // It has already ended.
        }
      }
      await gone
      for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket']) fs.rmSync(path.join(profile, name), { force: true })
    },
    async close() {
      await context.close()
      if (!options.profile) removeFolder(profile)
    },
  }
  openTablets.add(tablet)
  context.once('close', () => openTablets.delete(tablet))
  return tablet
}

/** Returns the browser's processes: each names the profile folder in its command line. */
function processesOf(profile: string): number[] {
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--user-data-dir=${profile}`)
      } catch {
        return false
      }
    })
}
