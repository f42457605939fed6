import { sql } from 'kysely'
import { SeededRandom } from '#server/features/demo/seeded-random.ts'
import { databaseSource, openDatabase } from '#server/db/open-database.ts'
import { officeOf, people, until } from '#tests/e2e/clinic.ts'
import { everythingSent, fullNames, startCount, stockOf } from '#tests/e2e/count-room.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'
import { CutOff, FieldTablet } from '#tests/faults/field-tablet.ts'
import { countedBy, findFaults, type Evidence, type Mirrored, type Pressed, type Pulled, type PunchPressed } from '#tests/faults/oracle.ts'
import type { ServerBooks, TabletBooks } from '#tests/faults/oracle.ts'
import { type Act, type RoundPlan, type ServerKill, type TabletPlan, type Trigger } from '#tests/faults/plan.ts'
import { wait } from '#tests/faults/weather.ts'
import { startLorgnette, type LorgnetteServer } from '#tests/support/lorgnette-server.ts'
import { startPostgres, type PostgresServer } from '#tests/support/postgres-server.ts'

export type Engine = 'pglite' | 'postgres'

/** What was done and found, added up over rounds. */
export type Figures = {
  rounds: number
  browserKills: number
  serverKills: number
  windowsClosed: number
  handOvers: number
  commands: number
  scans: number
  punches: number
  toldSaved: number
  toldSent: number
  /** Commands that wait for a person, with a reason. */
  setAside: number
  /** Acts that a kill, a lost session or bad weather cut short. */
  cutOff: number
  pageErrors: number
  faults: number
}
export const noFigures: Figures = {
  rounds: 0,
  browserKills: 0,
  serverKills: 0,
  windowsClosed: 0,
  handOvers: 0,
  commands: 0,
  scans: 0,
  punches: 0,
  toldSaved: 0,
  toldSent: 0,
  setAside: 0,
  cutOff: 0,
  pageErrors: 0,
  faults: 0,
}

/** How long a healed lab may take until everything is sent and mirrored, ms. */
const quietPatienceMs = 180_000
/** Tokens that outlive hardly anything, s. */
const tokenSeconds = '3'

export type Lab = {
  /** Plays one plan to its end and returns every fault that was found, in sentences. */
  play(plan: RoundPlan): Promise<string[]>
  /** What happened in this round so far, line by line, and the last of what the server logged. */
  story(): string
  figures: Figures
  close(): Promise<void>
}

export async function openLab(engine: Engine, template: string): Promise<Lab> {
  const postgres = engine === 'postgres' ? await startPostgres() : null
  const server = await startLorgnette({
    ...(engine === 'pglite' && { template }),
    env: { ACCESS_TOKEN_SECONDS: tokenSeconds, ...(postgres && { DATABASE_URL: postgres.url }) },
  })
  const room = new FaultRoom(server, postgres)
  await room.furnish()
  return room
}

class FaultRoom implements Lab {
  readonly figures: Figures = { ...noFigures }
  #server: LorgnetteServer
  #postgres: PostgresServer | null
  #tablets: FieldTablet[] = []
  #labels: string[] = []
  #story: string[] = []
  #began = Date.now()

  constructor(server: LorgnetteServer, postgres: PostgresServer | null) {
    this.#server = server
    this.#postgres = postgres
  }

  #tell = (text: string) => {
    this.#story.push(`${((Date.now() - this.#began) / 1000).toFixed(1).padStart(6)} s  ${text}`)
  }

  async furnish(): Promise<void> {
    const { expected } = await stockOf(await officeOf(this.#server))
    this.#labels = expected.map(({ sku }) => sku)
    this.#tablets = await Promise.all([
      FieldTablet.open('A', this.#server, 'ben', this.#tell),
      FieldTablet.open('B', this.#server, 'maya', this.#tell),
    ])
    await Promise.all(this.#tablets.map((tablet) => tablet.settleIn(expected.length)))
  }

  story(): string {
    return `${this.#story.join('\n')}\n${this.#server.log().slice(-3000)}`
  }

  async play(plan: RoundPlan): Promise<string[]> {
    this.#began = Date.now()
    this.#story = []
    const round = new Round(plan, this.#server, this.#tablets, this.#labels, this.#tell, this.figures)
    await round.prepare()
    await round.storm()
    await round.heal()
    const evidence = await round.gather(() => this.#readServer(round))
    const faults = findFaults(evidence)
    const { figures } = this
    figures.rounds += 1
    figures.faults += faults.length
    figures.scans += evidence.server.scans.filter(({ negates }) => negates === null).length
    figures.punches += evidence.server.punches.length
    figures.commands += round.receivedInRound(evidence)
    const told = (word: string) => evidence.tablets.flatMap(({ said }) => said.filter((one) => one.word === word)).length
    figures.toldSaved += told('Saved')
    figures.toldSent += told('Sent')
    figures.setAside += evidence.tablets.flatMap(({ outbox }) => outbox).length
    figures.pageErrors = this.#tablets.flatMap(({ pageErrors }) => pageErrors).length
    return faults
  }

  /** The tables as they are on the disk after one more SIGKILL. */
  async #readServer(round: Round): Promise<ServerBooks> {
    await this.#server.kill()
    this.figures.serverKills += 1
    const source = databaseSource({ databaseUrl: this.#postgres?.url ?? null, dataFolder: this.#server.dataFolder })
    const database = await openDatabase(source)
    try {
      return await round.readTables(database.reads)
    } finally {
      await database.close()
      await this.#server.start()
    }
  }

  async close(): Promise<void> {
    for (const tablet of this.#tablets) await tablet.close()
    await this.#server.remove()
    await this.#postgres?.stop()
  }
}

type Reads = Awaited<ReturnType<typeof openDatabase>>['reads']

/** One plan as it is played. */
class Round {
  readonly pulled: Pulled[] = []
  readonly pressed: Pressed[] = []
  readonly punched: PunchPressed[] = []
  readonly #plan: RoundPlan
  readonly #server: LorgnetteServer
  readonly #tablets: FieldTablet[]
  readonly #labels: string[]
  readonly #tell: (text: string) => void
  readonly #figures: Figures
  readonly #opened = new Date().toISOString()
  #sheet = ''
  #began = 0
  #isOver = false
  #serial = 0

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
    this.#labels = new SeededRandom(`labels ${plan.seed}`).shuffled(labels)
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
    await everythingSent(maker.window(0))
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

  /** What only a slow machine or a token that ran out under way can keep from succeeding. */
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
    const hands = this.#pairs().flatMap(([tablet, plan]) => plan.hands.map((acts, index) => this.#hand(tablet, index, acts)))
    try {
      await Promise.all([
        this.#killServer(this.#plan.server),
        ...this.#pairs().flatMap(([tablet, plan]) => [this.#killTablet(tablet, plan), this.#weather(tablet, plan)]),
      ])
    } finally {
      this.#isOver = true
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

  /** Resolves when the moment has come, and holds what must not go on before the deed is done. */
  async #momentOf({ at, on, after }: Trigger, tablets: readonly FieldTablet[], deed: () => Promise<void>): Promise<void> {
    await wait(this.#began + at - Date.now())
    if (on === 'moment') return await deed()
    const patienceMs = 3000
    const release = await Promise.race(tablets.map((tablet) => tablet[on].next(patienceMs)))
    try {
      if (on === 'sending') await wait(after)
      await deed()
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

  /** One pair of hands at one window, until the storm is over. */
  async #hand(tablet: FieldTablet, index: number, acts: readonly Act[]): Promise<void> {
    for (let turn = 0; !this.#isOver;) {
      const act = acts[turn % acts.length]
      if (!act) return
      const life = tablet.life
      try {
        if (!tablet.isAtWork(index, this.#sheet) && !(await tablet.sitDown(index, this.#sheet))) continue
        turn += 1
        if (act.kind === 'hand-over') {
          // Whom the list of acts names takes it once; when the acts begin anew it stays with whoever has it.
          if (turn <= acts.length) {
            this.#figures.handOvers += 1
            await tablet.handOver(act.to)
          }
        } else {
          await tablet.turns.together(async () => {
            if (tablet.isAtWork(index, this.#sheet)) await this.#act(tablet, index, act)
          })
        }
      } catch (error) {
        if (!(error instanceof CutOff)) this.#figures.cutOff += 1
        const isDeath = tablet.life !== life || error instanceof CutOff
        if (!isDeath) {
          this.#tell(`tablet ${tablet.name}, window ${index}: ${act.kind} was cut off, ${firstLine(error)}`)
          // Whatever stands open there is left behind.
          await tablet.leave(index)
        }
        await wait(200)
      }
    }
  }

  async #act(tablet: FieldTablet, index: number, act: Act): Promise<void> {
    const page = tablet.window(index)
    const author = fullNames[tablet.person]
    const { name } = tablet
    switch (act.kind) {
      case 'scan': {
        const codes = this.#labels.splice(0, act.labels)
        return await this.#scanAll(tablet, index, codes, act.perSecond)
      }
      case 'stray':
        return await this.#scanAll(tablet, index, [`NX-${name}${index}-${++this.#serial}`], 1)
      case 'undo': {
        const pressed: Pressed = { tablet: name, what: 'undo', text: '', author, told: false }
        this.pressed.push(pressed)
        await page.getByRole('button', { name: 'Undo last' }).first().click()
        return
      }
      case 'note': {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Notes' }).click()
        const text = `Note ${++this.#serial} of ${author} on tablet ${name}`
        await page.getByLabel('Notes of this count').fill(text)
        return await this.#press({ tablet: name, what: 'note', text, author, told: false }, async () => {
          await page.getByRole('button', { name: 'Save notes' }).click()
          await page.getByRole('dialog', { name: 'Notes' }).waitFor({ state: 'detached' })
        })
      }
      case 'recount': {
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Recount' }).click()
        return await this.#press({ tablet: name, what: 'recount', text: '', author, told: false }, async () => {
          const start = page.getByRole('button', { name: /^Start walk/ })
          await start.click()
          await start.waitFor({ state: 'detached' })
        })
      }
      case 'punch':
        return await this.#punch(tablet, index, act.direction)
      case 'close-window':
        this.#figures.windowsClosed += 1
        return await tablet.closeWindow(index)
      case 'rest':
        return await wait(act.ms)
      case 'hand-over':
        throw new Error('A tablet is handed over while nobody works at it')
    }
  }

  async #press(pressed: Pressed, work: () => Promise<void>): Promise<void> {
    this.pressed.push(pressed)
    await work()
    pressed.told = true
  }

  async #scanAll(tablet: FieldTablet, index: number, codes: readonly string[], perSecond: number): Promise<void> {
    const page = tablet.window(index)
    const author = fullNames[tablet.person]
    const sent: Promise<void>[] = []
    let failure: unknown
    for (const code of codes) {
      this.pulled.push({ tablet: tablet.name, code, author, at: Date.now() })
      const one = scan(page, code)
      // Told below; until then nobody else is there to hear it.
      one.catch((error: unknown) => (failure ??= error))
      sent.push(one)
      await wait(1000 / perSecond)
      if (failure) break
    }
    await Promise.all(sent)
  }

  async #punch(tablet: FieldTablet, index: number, wanted: 'in' | 'out'): Promise<void> {
    const page = tablet.window(index)
    const { username, password } = people[tablet.person]
    await page.goto(`${tablet.origin}/time-clock`, { waitUntil: 'commit' })
    const card = page.getByRole('region', { name: 'Clock In/Out' })
    await card.getByLabel(/^Password of/).fill(password)
    const button = (direction: 'in' | 'out') =>
      card.getByRole('button', { name: direction === 'in' ? 'Clock in' : 'Clock Out', exact: true })
    await button('in').or(button('out')).first().waitFor()
    const direction = (await button(wanted).count()) > 0 ? wanted : wanted === 'in' ? 'out' : 'in'
    const punch: PunchPressed = { tablet: tablet.name, username, from: Date.now(), until: Number.POSITIVE_INFINITY, told: null }
    this.punched.push(punch)
    try {
      await button(direction).click()
      punch.told = await until(
        async () => judgePunch(await card.innerText()),
        (told) => told !== null,
        'The clock said nothing',
        60_000,
      )
    } finally {
      punch.until = Date.now()
    }
  }

  async heal(): Promise<void> {
    for (const tablet of this.#tablets) tablet.heal()
    for (const tablet of this.#tablets) {
      await this.#seat(tablet)
      await tablet.feelNetwork()
    }
    for (const tablet of this.#tablets) {
      // Whoever was signed out again meanwhile comes back.
      await until(
        async () => {
          if (!tablet.isAtWork(0, this.#sheet)) await this.#seat(tablet)
          return (await tablet.outbox()).filter(({ state }) => state !== 'needs-attention').map(({ title, state }) => ({ title, state }))
        },
        (left) => left.length === 0,
        '',
        quietPatienceMs,
      ).catch((error: unknown) => this.#tell(`tablet ${tablet.name} is not empty: ${firstLine(error)}`))
    }
    this.#tell('everything that can leave has left')
  }

  /** Looks at tablets and server until they agree, or long enough to say that they never will. */
  async gather(readServer: () => Promise<ServerBooks>): Promise<Evidence> {
    const offices = await Promise.all(this.#tablets.map((tablet) => officeOf(this.#server, tablet.person)))
    const look = async (): Promise<{ books: Omit<TabletBooks, 'said'>[]; agree: boolean }> => {
      const books = await Promise.all(
        this.#tablets.map(async (tablet, index) => {
          const office = offices[index]
          if (!office) throw new Error('A tablet without an office')
          if (!tablet.isAtWork(0, this.#sheet) || !tablet.isAtWork(1, this.#sheet)) await this.#seat(tablet)
          const expected: Mirrored = {}
          for (const collection of ['count_sheets', 'count_items', 'count_scans', 'count_decisions', 'punches']) {
            const rows = await office.rows<Record<string, unknown>>(collection)
            expected[collection] = collection === 'count_items' ? rows.filter((row) => row['id_count_sheet'] === this.#sheet) : rows
          }
          const person = (expected['punches'] ?? [])[0]?.['id_user']
          const held = await tablet.mirror(this.#sheet)
          const mirror: Mirrored = { ...held, punches: held.punches.filter((row) => row['id_user'] === person) }
          const counted = await Promise.all(tablet.windows().map((page) => page.getByTestId('counted').innerText()))
          return {
            name: tablet.name,
            outbox: await tablet.outbox(),
            settled: await tablet.settled(),
            mirror,
            expected,
            counted: counted.map((text) => Number(text.replaceAll(',', ''))),
          }
        }),
      )
      const agree = books.every(
        ({ mirror, expected, counted }) =>
          counted.every((number) => number === countedBy(scansIn(expected, this.#sheet))) &&
          Object.keys(expected).every(
            (name) => mirror[name]?.length === expected[name]?.length && revisionsOf(mirror[name]) === revisionsOf(expected[name]),
          ),
      )
      return { books, agree }
    }
    const deadline = Date.now() + quietPatienceMs
    let seen = await look()
    while (!seen.agree && Date.now() < deadline) {
      await wait(500)
      seen = await look()
    }
    this.#tell(seen.agree ? 'tablets and server agree' : 'tablets and server do not agree')
    const server = await readServer()
    return {
      pulled: this.pulled,
      pressed: this.pressed,
      punched: this.punched,
      tablets: seen.books.map((books, index) => ({
        ...books,
        said: (this.#tablets[index]?.said ?? []).filter(({ sheet }) => sheet === this.#sheet),
      })),
      server,
    }
  }

  async readTables(db: Reads): Promise<ServerBooks> {
    const [receipts, scans, sheet, punches] = await Promise.all([
      db.selectFrom('receipts').select(['command_id', 'number', 'kind', 'author_id', 'received_at']).execute(),
      db
        .selectFrom('count_scans as scan')
        .innerJoin('users', 'users.id_user', 'scan.author_id')
        .select(['scan.id', 'scan.raw_code', 'scan.negates', 'scan.author_id', 'scan.walk', 'scan.finding', 'scan.id_inventory'])
        .select(sql<string>`users.first_name || ' ' || users.last_name`.as('author'))
        .where('scan.id_count_sheet', '=', this.#sheet)
        .execute(),
      db
        .selectFrom('count_sheets')
        .select(['id_count_sheet', 'notes', 'walk'])
        .where('id_count_sheet', '=', this.#sheet)
        .where('deleted_at', 'is', null)
        .executeTakeFirst(),
      db
        .selectFrom('punches')
        .leftJoin('users', 'users.id_user', 'punches.id_user')
        .select(['punches.id', 'punches.username', 'punches.device_wall', 'users.username as author'])
        .where('punches.received_at', '>=', this.#opened)
        .execute(),
    ])
    return { receipts, scans, sheet: sheet ?? null, punches }
  }

  receivedInRound({ server }: Evidence): number {
    return server.receipts.filter(({ received_at }) => received_at >= this.#opened).length
  }
}

function judgePunch(text: string): PunchPressed['told'] {
  if (/Saved on this device: clocked|Clocked (in|out) at/.test(text)) return 'kept'
  if (/You are clocked in since|You were not clocked in\./.test(text)) return 'already'
  if (/NOT SAVED|Wrong username|not been connected|Please wait|error/i.test(text)) return 'refused'
  return null
}

function scansIn(expected: Mirrored, sheet: string): Pick<ServerBooks, 'scans' | 'sheet'> {
  const of = (name: string) => (expected[name] ?? []).filter((row) => row['id_count_sheet'] === sheet)
  return {
    scans: of('count_scans') as unknown as ServerBooks['scans'],
    sheet: (of('count_sheets')[0] ?? null) as unknown as ServerBooks['sheet'],
  }
}

function revisionsOf(rows: readonly Record<string, unknown>[] | undefined): string {
  return (rows ?? [])
    .map((row) => Number(row['revision']))
    .sort((one, other) => one - other)
    .join(' ')
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}
