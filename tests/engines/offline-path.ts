import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { InventorySettings } from '#contract/settings/settings.ts'
import { officeOf, people, until, type Office, type Person } from '#tests/e2e/clinic.ts'
import { expectEachOnce, fullNames, stockOf } from '#tests/e2e/count-room.ts'
import type { Engine, EngineWindow } from '#tests/engines/engine.ts'
import { Screen } from '#tests/engines/screen.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const sheets = '/inventory/count-sheets'

/**
 * Ben's tablet counts online, continues without the server, dies, starts without the server, and then reaches it.
 * Maya's tablet then shows every scan.
 *
 * @param server with the demo clinic, running
 * @throws at the first step whose screen is wrong, with the step and the screen
 */
export async function walkOfflinePath(engine: Engine, server: LorgnetteServer): Promise<void> {
  const office = await officeOf(server)
  await allowSlowScanners(office)
  const { expected } = await stockOf(office)
  const [first = '', ...others] = expected.map(({ sku }) => sku)
  const inTheCellar = others.slice(0, 12)
  const afterTheColdStart = others.slice(12, 17)
  const profiles: string[] = []
  let current: EngineWindow | undefined

  async function switchOn(profile: string): Promise<Screen> {
    current = await engine.open(profile)
    return new Screen(current)
  }

  function newProfile(): string {
    const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-engine-'))
    profiles.push(profile)
    return profile
  }

  let step = 'Begin'
  const at = (name: string) => (step = name)

  try {
    at('Ben signs in online, and the tablet makes itself ready for the day without a network')
    const profile = newProfile()
    let ben = await switchOn(profile)
    await signIn(ben, server, 'ben')
    await ben.window.goto(`${server.origin}${sheets}?new=1`)
    await workerInCharge(ben)
    await ben.reads(new RegExp(`${expected.length.toLocaleString('en-US')} frames expected`))

    at('He makes a count and scans its first frame')
    await ben.press('button', /^Create count$/)
    const sheet = await ben.isAt(/\/count-sheets\/[0-9a-f-]{36}$/)
    const id = sheet.split('/').at(-1) ?? ''
    await ben.reads(/Scan a frame/, 'Last scan')
    await scan(ben, [first], 'Sent')
    await shows(ben, 1)
    await ben.reads(/All sent/)
    const number = /Count #\d+/.exec(await ben.text())?.[0] ?? ''
    if (number === '') throw new Error('The count has no number')

    at('The server is stopped, and he reloads the page')
    await server.stop()
    await ben.window.reload()
    await shows(ben, 1)

    at('He opens the list and the count by their addresses')
    await ben.window.goto(server.origin + sheets)
    await ben.reads(new RegExp(number.replace('Count ', '')))
    await mark(ben)
    await ben.window.goto(server.origin + sheet)
    await shows(ben, 1)
    await ben.reads(new RegExp(number))

    at('He goes back to the list and forward again, by the browser’s own buttons')
    await mark(ben)
    await ben.window.evaluate(() => history.back(), null)
    await loadsAgain(ben, sheets)
    await ben.reads(new RegExp(number.replace('Count ', '')))
    await ben.window.evaluate(() => history.forward(), null)
    await loadsAgain(ben, sheet)
    await shows(ben, 1)

    at('He scans without the server')
    await scan(ben, inTheCellar, 'Saved')
    await shows(ben, 13)
    await ben.reads(/Offline, 12 to send/)

    at('The battery dies, and the tablet starts again without the server')
    await ben.window.kill()
    ben = await switchOn(profile)
    await ben.window.goto(`${server.origin}/`)
    await ben.reads(/Offline, 12 to send/)
    await ben.press('link', new RegExp(`^${number}`))
    await ben.isAt(new RegExp(`${id}$`))
    await shows(ben, 13)

    at('He scans on')
    await scan(ben, afterTheColdStart, 'Saved')
    await shows(ben, 18)
    await ben.reads(/Offline, 17 to send/)

    at('The server is back, and everything leaves')
    await server.start()
    await ben.reads(/Sent/, 'Last scan')
    await ben.reads(/All sent/)
    await shows(ben, 18)
    await ben.press('tab', /^Log/)
    await ben.reads(/Sent/, 'Count log')
    if (/Saved/.test(await ben.text('Count log'))) throw new Error('The log calls something Saved that was sent')
    await ben.window.close()

    at('Maya’s tablet shows what Ben counted')
    const maya = await switchOn(newProfile())
    await signIn(maya, server, 'maya')
    await maya.press('link', new RegExp(`^${number}`))
    await shows(maya, 18)
    await maya.reads(new RegExp(number))
    await maya.reads(/Unknown\s+0\s+Duplicates|0\s+Unknown\s+0\s+Duplicates/, 'Count so far')
    await maya.press('tab', /^Log/)
    await maya.reads(new RegExp(`${afterTheColdStart.at(-1)}[^]*Ben[^]*Sent`), 'Count log')

    at('The server has every scan once')
    await expectEachOnce(office, id, [first, ...inTheCellar, ...afterTheColdStart], fullNames.ben)
  } catch (error) {
    const showed = await current?.evaluate(() => `${location.href}\n${document.body.innerText}`, null).catch(String)
    throw new Error(`${engine.name}, ${step}: ${String(error)}\nThe screen showed: ${showed?.slice(0, 1500)}`, { cause: error })
  } finally {
    await current?.close()
    for (const profile of profiles) removeFolder(profile)
  }
}

/** On a busy machine, a driver that presses key by key is as slow as the slowest scanners. */
async function allowSlowScanners(office: Office): Promise<void> {
  const settings = await office.get<InventorySettings>('/api/settings/inventory')
  const { status } = await office.send('PUT', '/api/settings/inventory', { ...settings, scan_gap_ms: 120 })
  if (status !== 200) throw new Error(`The settings were refused: ${status}`)
}

async function signIn(screen: Screen, server: LorgnetteServer, person: Person): Promise<void> {
  await screen.window.goto(`${server.origin}/login`)
  await screen.fill(/^Email or username/, people[person].username)
  await screen.fill(/^Password/, people[person].password)
  await screen.press('button', /^Login$/)
  await screen.isAt(/^\/$/)
}

/** Waits until the worker has stored the app and controls this page. */
async function workerInCharge(screen: Screen): Promise<void> {
  const isInCharge = () => screen.window.evaluate(() => navigator.serviceWorker.controller?.state === 'activated', null)
  await screen.window.evaluate(() => navigator.serviceWorker.ready.then(() => null), null)
  // A page that was loading when the worker took over is not under its control. The next page is.
  if (!(await isInCharge())) await screen.window.reload()
  await until(isInCharge, (itIs) => itIs, 'The worker never took charge')
}

/** Marks the page, so that a test recognizes it. */
async function mark(screen: Screen): Promise<void> {
  await screen.window.evaluate(() => void Reflect.set(window, 'wasHereBefore', true), null)
}

/**
 * Waits for a newly loaded page. A page from the browser's back-forward cache has closed its databases, and cannot
 * work.
 */
async function loadsAgain(screen: Screen, address: string): Promise<void> {
  await until(
    // A page that is loading does not answer.
    () => screen.window.evaluate((path) => location.pathname === path && !('wasHereBefore' in window), address).catch(() => false),
    (isNew) => isNew,
    `${address} was never loaded again`,
  )
}

/** Scans, and waits until the screen says that the last label is counted, with this word. */
async function scan(screen: Screen, codes: readonly string[], word: 'Saved' | 'Sent'): Promise<void> {
  for (const code of codes) await screen.window.scan(code)
  await screen.reads(new RegExp(`^Counted[^]*${codes.at(-1)}[^]*${word}`), 'Last scan')
}

async function shows(screen: Screen, counted: number): Promise<void> {
  await screen.reads(new RegExp(`^${counted}\\s`), 'Count so far')
}
