import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import type { CountItemPage, OutboxCommand, SessionRow, SettledCommand } from '#src/db/hot/hot.ts'
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

/** An act was interrupted: the tablet died, its window closed, or its session ended. */
export class CutOff extends Error {
  override name = 'CutOff'
}

/** The longest wait for a screen during a round. After it, the act is tried again. */
const actPatienceMs = 12_000

/** A tablet in the lab: a browser with two windows on its own line. It dies and comes back with its disk. */
export class FieldTablet {
  readonly name: string
  readonly turns = new Turns()
  readonly sending = new Bell()
  readonly answered = new Bell()
  readonly said: Said[] = []
  /** The person who should be signed in here. */
  person: Counter
  /** Each death raises it, and so interrupts every act from before. */
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

  /** Signs in for the first time, and waits until the tablet can work offline. */
  async settleIn(expected: number): Promise<void> {
    const page = this.window(0)
    await signIn(page, this, this.person)
    this.#mustSignIn = false
    await readyForOffline(page, this.origin, expected)
    const facts = () => keptOn<{ key: string }>(page, 'facts')
    await until(facts, (all) => all.some(({ key }) => key === 'sealing-key'), 'The tablet never got the key to which it seals')
    this.#tablet.context.setDefaultTimeout(actPatienceMs)
  }

  /** Draws the network faults of the next round from its seed. */
  beginRound(random: SeededRandom): void {
    this.#networkFaults = new NetworkFaults(random)
    this.said.length = 0
  }

  weather(sky: Weather['sky']): void {
    this.#networkFaults.become(sky)
    if (sky === 'down') this.#line.cut()
  }

  /** The network is back for good: hanging connections break. */
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

  /** Leaves the page of this window. */
  async leave(index: number): Promise<void> {
    await this.#windows[index]?.goto('about:blank').catch(() => undefined)
  }

  /** Returns true when a user at this window could scan now. */
  isAtWork(index: number, sheet: string): boolean {
    const page = this.#windows[index]
    return !this.#mustSignIn && page !== null && page !== undefined && !page.isClosed() && pathOf(page).endsWith(sheet)
  }

  /** Notices that the person signed in while the server was away. Nothing leaves until they sign in again. */
  async lookAtSession(): Promise<void> {
    const [page] = this.windows()
    const [session] = page ? await keptOn<SessionRow>(page, 'session') : []
    if (!session?.offline) return
    this.#tell('the session began without the server')
    this.#mustSignIn = true
  }

  /** Tries once to bring this tablet's person to the sheet in this window. Returns false when it needs another try. */
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
    // The log lists the outcome of each scan. The other window keeps its first list.
    if (index === 0) await chooseTab(page, 'Log').catch(() => undefined)
    return true
  }

  /** A tablet with a new identity has lost its database. The story then includes the browser's own log. */
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

  /** Another person takes the tablet. The login screen signs the last one out. */
  async handOver(to: Counter): Promise<void> {
    await this.turns.alone(async () => {
      this.#mustSignIn = true
      this.person = to
      await this.#signIn()
    })
  }

  async #signIn(): Promise<void> {
    await signIn(this.window(0), this, this.person)
    // The next act in the other window loads its page again.
    await this.window(1).goto('about:blank')
    this.#mustSignIn = false
    this.#tell(`${people[this.person].username} is signed in`)
  }

  /** The browser reports the network to its pages. */
  async feelNetwork(): Promise<void> {
    for (const page of this.windows()) await feelNetwork(page)
  }

  outbox(): Promise<OutboxCommand[]> {
    return keptOn<OutboxCommand>(this.window(0), 'outbox')
  }

  settled(): Promise<SettledCommand[]> {
    return keptOn<SettledCommand>(this.window(0), 'settled')
  }

  /** Returns the mirrored rows except frames, because nothing in the lab changes a frame. */
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
