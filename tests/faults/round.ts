import { SeededRandom } from '#server/demo/seeded-random.ts'
import { officeOf, until } from '#tests/e2e/clinic.ts'
import { startCount } from '#tests/e2e/count-room.ts'
import { hasSentAll, isUpToDate, readTables, readTablet, type Reads } from '#tests/faults/evidence.ts'
import { firstLine, type FieldTablet } from '#tests/faults/field-tablet.ts'
import type { Figures } from '#tests/faults/figures.ts'
import { People } from '#tests/faults/people.ts'
import type { Evidence, ServerBooks } from '#tests/faults/oracle.ts'
import type { RoundPlan, ServerKill, TabletPlan, Trigger } from '#tests/faults/plan.ts'
import { wait } from '#tests/faults/network-faults.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

/** How long a healed lab may take until everything is sent and mirrored, ms. */
const quietPatienceMs = 180_000

/** A running plan. */
export class Round {
  readonly #plan: RoundPlan
  readonly #server: LorgnetteServer
  readonly #tablets: FieldTablet[]
  readonly #people: People
  readonly #tell: (text: string) => void
  readonly #figures: Figures
  readonly #opened = new Date().toISOString()
  #sheet = ''
  #began = 0

  constructor(
    plan: RoundPlan,
    server: LorgnetteServer,
    tablets: FieldTablet[],
    labels: readonly string[],
    tell: (text: string) => void,
    figures: Figures,
  ) {
    this.#plan = plan
    this.#server = server
    this.#tablets = tablets
    this.#people = new People(labels, new SeededRandom(`labels ${plan.seed}`), tell, figures)
    this.#tell = tell
    this.#figures = figures
  }

  #pairs(): [FieldTablet, TabletPlan][] {
    return this.#tablets.map((tablet, index) => [tablet, this.#plan.tablets[index === 0 ? 0 : 1]])
  }

  async prepare(): Promise<void> {
    for (const [tablet, plan] of this.#pairs()) {
      tablet.beginRound(new SeededRandom(`${this.#plan.seed} weather ${tablet.name}`))
      if (tablet.person !== plan.person)
        await this.#insist(`${plan.person} takes tablet ${tablet.name}`, () => tablet.handOver(plan.person))
    }
    const [maker] = this.#tablets
    if (!maker) throw new Error('The lab has no tablets')
    this.#sheet = await this.#insist('a count is made', () => startCount(maker.window(0), maker.origin))
    await until(() => maker.outbox(), hasSentAll, 'The count stayed on the tablet', quietPatienceMs)
    for (const tablet of this.#tablets) await this.#seat(tablet)
    this.#tell(`the round begins on sheet ${this.#sheet}`)
  }

  async #seat(tablet: FieldTablet): Promise<void> {
    for (const index of [0, 1]) {
      await until(
        () => tablet.sitDown(index, this.#sheet).catch((error: unknown) => firstLine(error)),
        (seated) => seated === true,
        `Nobody could open the sheet in window ${index} of tablet ${tablet.name}`,
        quietPatienceMs,
      )
    }
  }

  /** Repeats work that fails only on a slow machine or with an expired token. */
  async #insist<T>(what: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work()
      } catch (error) {
        if (tries >= 5) throw new Error(`${what}: failed ${tries} times`, { cause: error })
        this.#tell(`${what}: once more, ${firstLine(error)}`)
      }
    }
  }

  async storm(): Promise<void> {
    this.#began = Date.now()
    const hands = this.#pairs().flatMap(([tablet, plan]) =>
      plan.hands.map((acts, index) => this.#people.work(tablet, index, acts, this.#sheet)),
    )
    try {
      await Promise.all([
        this.#killServer(this.#plan.server),
        ...this.#pairs().flatMap(([tablet, plan]) => [this.#killTablet(tablet, plan), this.#weather(tablet, plan)]),
      ])
    } finally {
      this.#people.rest()
      this.#tell('the storm is over')
      await Promise.all(hands)
    }
  }

  async #weather(tablet: FieldTablet, { weather }: TabletPlan): Promise<void> {
    for (const { sky, ms } of weather) {
      tablet.weather(sky)
      this.#tell(`tablet ${tablet.name}: ${sky} for ${ms} ms`)
      await wait(ms)
    }
    tablet.weather('clear')
  }

  /** Waits for the moment of the trigger and runs the kill. Meanwhile it holds the push or the answer. */
  async #momentOf({ at, on, after }: Trigger, tablets: readonly FieldTablet[], kill: () => Promise<void>): Promise<void> {
    await wait(this.#began + at - Date.now())
    if (on === 'moment') return await kill()
    const patienceMs = 3000
    const release = await Promise.race(tablets.map((tablet) => tablet[on].next(patienceMs)))
    try {
      if (on === 'sending') await wait(after)
      await kill()
    } finally {
      release()
    }
  }

  async #killTablet(tablet: FieldTablet, { kills }: TabletPlan): Promise<void> {
    for (const kill of kills) {
      await this.#momentOf(kill, [tablet], async () => {
        this.#tell(`tablet ${tablet.name}: SIGKILL (${kill.on})`)
        await tablet.die()
      })
      this.#figures.browserKills += 1
      await tablet.comeBack()
      this.#tell(`tablet ${tablet.name}: switched on again`)
    }
  }

  async #killServer(kills: readonly ServerKill[]): Promise<void> {
    for (const kill of kills) {
      await this.#momentOf(kill, this.#tablets, async () => {
        this.#tell(`server: SIGKILL (${kill.on})`)
        await this.#server.kill()
      })
      this.#figures.serverKills += 1
      await wait(kill.down)
      if (kill.whileStarting !== null) {
        const starting = this.#server.start().catch(() => undefined)
        await wait(kill.whileStarting)
        await this.#server.kill()
        await starting
        this.#figures.serverKills += 1
        this.#tell(`server: SIGKILL ${kill.whileStarting} ms after its start`)
      }
      await this.#server.start()
      this.#tell('server: up')
    }
  }

  async heal(): Promise<void> {
    for (const tablet of this.#tablets) tablet.heal()
    for (const tablet of this.#tablets) {
      await this.#insist(`tablet ${tablet.name} feels the network`, async () => {
        await this.#seat(tablet)
        await tablet.feelNetwork()
      })
    }
    for (const tablet of this.#tablets) {
      // A user who was signed out again comes back.
      await until(
        async () => {
          await tablet.lookAtSession()
          if (!tablet.isAtWork(0, this.#sheet)) await this.#seat(tablet)
          return await tablet.outbox()
        },
        hasSentAll,
        '',
        quietPatienceMs,
      ).catch((error: unknown) => this.#tell(`tablet ${tablet.name} is not empty: ${firstLine(error)}`))
    }
    this.#tell('everything that can leave has left')
  }

  /** Reads tablets and server until they agree, or until it is clear that they never will. */
  async gather(readServer: () => Promise<ServerBooks>): Promise<Evidence> {
    const offices = await Promise.all(this.#tablets.map((tablet) => officeOf(this.#server, tablet.person)))
    const look = async () => {
      const books = await Promise.all(
        this.#tablets.map(async (tablet, index) => {
          const office = offices[index]
          if (!office) throw new Error('A tablet without an office')
          if (!tablet.isAtWork(0, this.#sheet) || !tablet.isAtWork(1, this.#sheet)) await this.#seat(tablet)
          return await readTablet(tablet, office, this.#sheet)
        }),
      )
      return { books, agree: books.every((one) => isUpToDate(one, this.#sheet)) }
    }
    const deadline = Date.now() + quietPatienceMs
    let seen = await this.#insist('the tablets are read', look)
    while (!seen.agree && Date.now() < deadline) {
      await wait(500)
      seen = await this.#insist('the tablets are read', look)
    }
    this.#tell(seen.agree ? 'tablets and server agree' : 'tablets and server do not agree')
    const server = await readServer()
    return {
      pulled: this.#people.pulled,
      pressed: this.#people.pressed,
      punched: this.#people.punched,
      tablets: seen.books.map((books, index) => ({
        ...books,
        said: (this.#tablets[index]?.said ?? []).filter(({ sheet }) => sheet === this.#sheet),
      })),
      server,
    }
  }

  readTables(db: Reads): Promise<ServerBooks> {
    return readTables(db, this.#sheet, this.#opened)
  }

  receivedInRound({ server }: Evidence): number {
    return server.receipts.filter(({ received_at }) => received_at >= this.#opened).length
  }
}
