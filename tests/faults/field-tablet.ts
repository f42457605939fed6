import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import type { CountItemPage, OutboxCommand, SettledCommand } from '#src/db/hot/hot.ts'
import type { HotCollection, Row } from '#src/sync/device/mirror-tables.ts'
import { pageOf, people, signIn, until } from '#tests/e2e/clinic.ts'
import { chooseTab, lastScan, readyForOffline } from '#tests/e2e/count-room.ts'
import { feelNetwork, keptOn } from '#tests/e2e/screen.ts'
import { listen, type Said } from '#tests/faults/observer.ts'
import type { Counter, Weather } from '#tests/faults/plan.ts'
import { Bell, Turns } from '#tests/faults/turns.ts'
import { NetworkFaults } from '#tests/faults/network-faults.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import { openWireProxy, type WireProxy } from '#tests/support/wire-proxy.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

/** An act was cut off: the tablet died, its window was closed, or its person lost the session meanwhile. */
export class CutOff extends Error {
  override name = 'CutOff'
}

/** Longer than this nobody waits for a screen in the middle of a round; it is tried again. */
const actPatienceMs = 12_000

/** A tablet in the lab: a browser with two windows behind a line of its own, which dies and comes back with its disk. */
export class FieldTablet {
  readonly name: string
  readonly turns = new Turns()
  readonly sending = new Bell()
  readonly answered = new Bell()
  readonly said: Said[] = []
  /** Whoever shall be signed in here. */
  person: Counter
  /** Raised by each death: whatever began before it is cut off. */
  life = 0
  readonly pageErrors: string[] = []
  #line: WireProxy
  #tablet: Tablet
  #networkFaults: NetworkFaults
  #windows: (Page | null)[] = [null, null]
  #mustSignIn = true
  #device = ''
  #tell: (text: string) => void

  private constructor(name: string, line: WireProxy, tablet: Tablet, person: Counter, tell: (text: string) => void) {
    this.name = name
    this.#line = line
    this.#tablet = tablet
    this.#networkFaults = new NetworkFaults(new SeededRandom(name))
    this.#tell = (text) => tell(`tablet ${name}: ${text}`)
    this.person = person
    line.meet = async (call) => {
      if (call.commands.length > 0) void this.sending.ring()
      return await this.#networkFaults.there()
    }
    line.answered = async (call) => {
      await this.#networkFaults.back()
      if (call.commands.length > 0) await this.answered.ring()
    }
  }

  static async open(name: string, server: { port: number }, person: Counter, tell: (text: string) => void): Promise<FieldTablet> {
    const tablet = new FieldTablet(name, await openWireProxy(server), await openTablet(), person, tell)
    await tablet.#unpack()
    return tablet
  }

  get origin(): string {
    return this.#line.origin
  }

  /** @throws CutOff while the tablet is dead */
  window(index: number): Page {
    const page = this.#windows[index]
    if (!page || page.isClosed()) throw new CutOff('There is no such window')
    return page
  }

  windows(): Page[] {
    return this.#windows.filter((page) => page !== null && !page.isClosed()) as Page[]
  }

  /** Signs in for the first time, and waits until the tablet could work alone. */
  async settleIn(expected: number): Promise<void> {
    const page = this.window(0)
    await signIn(page, this, this.person)
    this.#mustSignIn = false
    await readyForOffline(page, this.origin, expected)
    const facts = () => keptOn<{ key: string }>(page, 'facts')
    await until(facts, (all) => all.some(({ key }) => key === 'sealing-key'), 'The tablet never got the key to which it seals')
    this.#tablet.context.setDefaultTimeout(actPatienceMs)
  }

  /** A climate for the next round, drawn from its seed. */
  beginRound(random: SeededRandom): void {
    this.#networkFaults = new NetworkFaults(random)
    this.said.length = 0
  }

  weather(sky: Weather['sky']): void {
    this.#networkFaults.become(sky)
    if (sky === 'down') this.#line.cut()
  }

  /** The network is back for good: what hangs in it breaks. */
  heal(): void {
    this.weather('clear')
    this.#line.cut()
    this.#line.pushes.length = 0
  }

  async die(): Promise<void> {
    this.life += 1
    this.#windows = [null, null]
    await this.#tablet.kill()
  }

  async comeBack(): Promise<void> {
    this.#tablet = await openTablet({ profile: this.#tablet.profile })
    this.#tablet.context.setDefaultTimeout(actPatienceMs)
    await this.#unpack()
  }

  async #unpack(): Promise<void> {
    const { context } = this.#tablet
    await listen(context, (said) => this.said.push(said))
    context.on('page', (page) => page.on('pageerror', (error) => this.#hearError(error)))
    const first = await pageOf(this.#tablet)
    first.on('pageerror', (error) => this.#hearError(error))
    this.#windows = [first, await context.newPage()]
  }

  #hearError(error: Error) {
    this.pageErrors.push(error.message)
    this.#tell(`the page threw ${error.message}`)
  }

  async closeWindow(index: number): Promise<void> {
    await this.window(index).close()
    this.#windows[index] = await this.#tablet.context.newPage()
  }

  /** Goes away from whatever this window shows. */
  async leave(index: number): Promise<void> {
    await this.#windows[index]?.goto('about:blank').catch(() => undefined)
  }

  /** Whether someone at this window could scan now. */
  isAtWork(index: number, sheet: string): boolean {
    const page = this.#windows[index]
    return !this.#mustSignIn && page !== null && page !== undefined && !page.isClosed() && pathOf(page).endsWith(sheet)
  }

  /** One try at getting the person of this tablet to the sheet in this window. False when it has to be tried again. */
  async sitDown(index: number, sheet: string, patienceMs = actPatienceMs): Promise<boolean> {
    const page = this.window(index)
    if (this.#mustSignIn) await this.turns.alone(() => (this.#mustSignIn ? this.#signIn() : Promise.resolve()))
    if (!pathOf(page).endsWith(sheet)) {
      await page.goto(`${this.origin}/inventory/count-sheets/${sheet}`, { waitUntil: 'commit', timeout: patienceMs })
    }
    const place = await Promise.race([
      lastScan(page)
        .waitFor({ timeout: patienceMs })
        .then(() => 'sheet'),
      page.waitForURL(/\/login/, { waitUntil: 'commit', timeout: patienceMs }).then(() => 'login'),
    ])
    if (place === 'login') {
      this.#tell('nobody is signed in any more')
      this.#mustSignIn = true
      return false
    }
    await this.#identify(page)
    // The log shows what each scan came to, one below the other; the other window keeps the list it begins with.
    if (index === 0) await chooseTab(page, 'Log').catch(() => undefined)
    return true
  }

  /** A tablet with a new identity has lost its database. What the browser's own log says of it is part of the story. */
  async #identify(page: Page): Promise<void> {
    const facts = await keptOn<{ key: string; value: unknown }>(page, 'facts')
    const device = JSON.stringify(facts.find(({ key }) => key === 'device')?.value)
    if (this.#device !== '' && device !== this.#device) {
      const folder = path.join(this.#tablet.profile, 'Default', 'IndexedDB')
      const logs = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /LOG(\.old)?$/.test(file))
      const said = logs.map((file) => `${file}\n${fs.readFileSync(path.join(folder, file), 'utf8').slice(-1500)}`)
      this.#tell(`LOST ITS DATABASE, was ${this.#device}, is ${device}\n${said.join('\n')}`)
    }
    this.#device = device
  }

  /** Someone takes the tablet; who had it before is signed out by coming to the login screen. */
  async handOver(to: Counter): Promise<void> {
    await this.turns.alone(async () => {
      this.#mustSignIn = true
      this.person = to
      await this.#signIn()
    })
  }

  async #signIn(): Promise<void> {
    await signIn(this.window(0), this, this.person)
    // The other window is read anew by whoever works there.
    await this.window(1).goto('about:blank')
    this.#mustSignIn = false
    this.#tell(`${people[this.person].username} is signed in`)
  }

  /** The browser tells its pages that the network is back. */
  async feelNetwork(): Promise<void> {
    for (const page of this.windows()) await feelNetwork(page)
  }

  outbox(): Promise<OutboxCommand[]> {
    return keptOn<OutboxCommand>(this.window(0), 'outbox')
  }

  settled(): Promise<SettledCommand[]> {
    return keptOn<SettledCommand>(this.window(0), 'settled')
  }

  /** The rows that it mirrors, but for frames: nothing of what happens in the lab changes one. */
  async mirror(sheet: string): Promise<Record<HotCollection, Row[]>> {
    const page = this.window(0)
    const [count_sheets, pages, count_scans, count_decisions, punches] = await Promise.all([
      keptOn<Row>(page, 'sheets'),
      keptOn<CountItemPage>(page, 'items'),
      keptOn<Row>(page, 'scans'),
      keptOn<Row>(page, 'decisions'),
      keptOn<Row>(page, 'punches'),
    ])
    const count_items = pages.filter((page) => page.id_count_sheet === sheet).flatMap(({ items }) => items)
    return { count_sheets, count_items, count_scans, count_decisions, punches }
  }

  async close(): Promise<void> {
    await this.#tablet.close()
    removeFolder(this.#tablet.profile)
    await this.#line.close()
  }
}

function pathOf(page: Page): string {
  return page.url() === 'about:blank' ? '' : new URL(page.url()).pathname
}

export function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
