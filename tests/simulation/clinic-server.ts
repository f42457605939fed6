import { CompiledQuery } from 'kysely'
import { createApp } from '#server/app.ts'
import { sequencesPeopleKnow, numbersSkipped } from '#server/platform/db/begin-new-past.ts'
import { auditLogs } from '#server/platform/db/audit-logs.ts'
import { type OpenedDatabase, openDatabase } from '#server/platform/db/open-database.ts'
import { newSecrets } from '#server/secrets.ts'
import type { Config, Services } from '#server/platform/services.ts'
import { type Seed, seedClinic } from '#tests/support/seed-clinic.ts'
import { testConfig, testServices } from '#tests/support/test-services.ts'
import { bringDeliveries, type Deliveries } from './deliveries.ts'
import { direct, killConnections, known, onStatement, script } from './pglite-in-thread.ts'
import { time, wallStart } from './virtual-time.ts'

/** The connection broke, for any reason. */
export class Unreachable extends TypeError {
  constructor() {
    super('Failed to fetch')
  }
}

/** The states that a history may start from. */
export type Ground = 'seed' | 'morning' | 'clinic' | 'clinic_morning'

type Crash = { after: number; when: 'before' | 'after'; downMs: number }

/** The production server in this thread. It can die between any two statements, and be restored from a backup. */
export class ClinicServer {
  readonly seed: Seed
  readonly deliveries: Deliveries
  readonly logged: string[] = []
  crashes = 0
  restores = 0
  #services: Services
  #db: OpenedDatabase
  #app: ReturnType<typeof createApp>
  #stopping = new AbortController()
  #hangUps = new Set<() => void>()
  #isUp = true
  tables: string[] = []
  #sequences: { table: string; column: string }[] = []
  /** The contents of the tables in each start state. */
  readonly #kept = new Map<Ground, Map<string, number>>()
  #planned: Crash | null = null
  #config: Config
  /** The secrets of the day. Every day starts with the same ones. */
  #secrets: Services['secrets']
  readonly #firstSecrets: Services['secrets']

  private constructor(opened: { config: Config; services: Services; db: OpenedDatabase; seed: Seed; deliveries: Deliveries }) {
    this.#config = opened.config
    this.#services = opened.services
    this.#secrets = this.#firstSecrets = opened.services.secrets
    this.#db = opened.db
    this.seed = opened.seed
    this.deliveries = opened.deliveries
    this.#app = createApp(opened.services, { stopping: this.#stopping.signal, rateLimits: noLimits })
    onStatement(
      () => this.#faultOfStatement(),
      () => void this.#crash(),
    )
  }

  /** Opens the database, makes the clinic, and keeps it as the start of every history. */
  static async start(): Promise<ClinicServer> {
    const config = testConfig({ appVersion: '0.0.0-simulation', logLevel: 'error' })
    const secrets = await newSecrets()
    const { services, db } = await open(config, secrets, () => {})
    const seed = await seedClinic(services)
    // So few frames that a tablet's first load takes no time.
    await script(`delete from frames where id_inventory % 30 not between 1 and 8 and id_inventory % 30 <> 28`)
    const deliveries = await bringDeliveries(services)
    const server = new ClinicServer({ config, services, db, seed, deliveries })
    await server.#learnTables()
    const { tables } = server
    await server.keepAs('seed')
    await script(
      `create schema backup; ${tables.map((table) => `create table backup.${table} (like public.${table});`).join('\n')}`,
      new Map(),
    )
    return server
  }

  /** Keeps the current tables as a start state. */
  async keepAs(schema: Ground): Promise<void> {
    await script(
      `create schema ${schema}; ${this.tables.map((table) => `create table ${schema}.${table} as table public.${table};`).join('\n')}`,
      new Map(),
    )
    this.#kept.set(schema, new Map(this.tables.map((table) => [table, known.contentOf(table)])))
  }

  /**
   * Resets the clinic for the next history: new (`seed`; `clinic` with patients), or with tablets in use (`morning`,
   * `clinic_morning`). Such tablets know the epoch of that morning, so it stays.
   */
  async begin(options: { from: Ground; accessTokenSeconds: number; epoch: string }): Promise<void> {
    this.#planned = null
    this.crashes = 0
    this.restores = 0
    this.#secrets = this.#firstSecrets
    this.logged.length = 0
    await this.#stop()
    await this.#putBack(options.from)
    if (options.from === 'seed' || options.from === 'clinic') await direct('update server_state set epoch = $1', [options.epoch])
    this.#config = { ...this.#config, accessTokenSeconds: options.accessTokenSeconds }
    await this.#boot()
  }

  get services(): Services {
    return this.#services
  }

  now(): number {
    return Math.floor(wallStart + time.now())
  }

  /**
   * Answers one request.
   * @throws Unreachable while the server is down, or when it dies before the answer
   */
  async answer(path: string, init: RequestInit): Promise<Response> {
    if (!this.#isUp) throw new Unreachable()
    const cut = new Promise<never>((_, reject) => {
      const hangUp = () => reject(new Unreachable())
      this.#hangUps.add(hangUp)
    })
    cut.catch(() => undefined)
    return await Promise.race([
      this.#app.request(requestWith(path, init), undefined, { connection: { remoteAddress: '10.0.0.1', encrypted: false } }),
      cut,
    ])
  }

  /** Kills the server at its `after`th statement from now, before or after the database has run it. */
  crashSoon(crash: Crash): void {
    this.#planned = crash
  }

  forgetCrash(): void {
    this.#planned = null
  }

  /** Stops at once and starts again after a while. */
  async outage(downMs: number): Promise<void> {
    await this.#crash(downMs)
  }

  async backUp(): Promise<void> {
    await this.ask(this.tables.map((table) => `delete from backup.${table}; insert into backup.${table} table public.${table};`).join('\n'))
  }

  /** Replaces all data by the backup, and gives it a new epoch as `npm run restored` does. */
  async restore(epoch: string): Promise<void> {
    await this.#stop()
    await this.#putBack('backup')
    await direct('update server_state set epoch = $1', [epoch])
    for (const [table, column] of sequencesPeopleKnow) {
      const numbers = `pg_get_serial_sequence('${table}', '${column}')`
      await direct(`select setval(${numbers}, nextval(${numbers}) + $1::int)`, [numbersSkipped])
    }
    await direct('update document_numbers set last = last + $1::int', [numbersSkipped])
    this.restores += 1
    await this.#boot()
  }

  /** Runs a query in its own turn between the server's transactions. */
  async ask<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#db.pool.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
  }

  /** Restarts with a new RECORD_KEY, as when an operator has changed it. */
  async changeRecordKey(downMs: number): Promise<void> {
    this.#secrets = { ...this.#secrets, recordKey: (await newSecrets()).recordKey }
    await this.#crash(downMs)
  }

  async bootNow(): Promise<void> {
    if (!this.#isUp) await this.#boot()
  }

  #faultOfStatement(): 'none' | 'before' | 'after' {
    if (!this.#planned) return 'none'
    if (this.#planned.after > 0) {
      this.#planned.after -= 1
      return 'none'
    }
    return this.#planned.when
  }

  async #crash(downMs = this.#planned?.downMs ?? 1000): Promise<void> {
    this.#planned = null
    this.crashes += 1
    await this.#stop()
    time.schedule(downMs, () => void this.bootNow())
  }

  async #stop(): Promise<void> {
    this.#isUp = false
    this.#stopping.abort()
    this.#services.changes.close()
    const cut = [...this.#hangUps]
    this.#hangUps.clear()
    for (const hangUp of cut) hangUp()
    await killConnections()
  }

  async #boot(): Promise<void> {
    const { services, db } = await open(this.#config, this.#secrets, (line) => void this.logged.push(line))
    this.#stopping = new AbortController()
    this.#services = services
    this.#db = db
    this.#app = createApp(services, { stopping: this.#stopping.signal, rateLimits: noLimits })
    this.#isUp = true
  }

  async #learnTables(): Promise<void> {
    const found = await direct<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%' order by 1`,
    )
    this.tables = found.map(({ name }) => name)
    this.#sequences = await direct(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and is_identity = 'YES' order by 1, 2`,
    )
    for (const log of auditLogs) known.isFollowedBy(log, ['audit_chain'])
    await this.#learnDependents()
  }

  /** Learns which tables lose or change rows with a deleted row, directly or indirectly. */
  async #learnDependents(): Promise<void> {
    const references = await direct<{ from: string; to: string }>(
      `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint
       where contype = 'f' and confdeltype not in ('a', 'r')`,
    )
    for (const table of this.tables) {
      const dependents = new Set([table])
      for (const one of dependents) for (const { from, to } of references) if (to === one) dependents.add(from)
      known.hasDependents(table, [...dependents])
    }
  }

  /** Restores only the tables that differ, because most are unchanged since the morning. */
  async #putBack(schema: Ground | 'backup'): Promise<void> {
    const kept = schema === 'backup' ? null : this.#kept.get(schema)
    const wanted = new Map<string, number>()
    for (const table of this.tables) {
      const content = kept?.get(table)
      if (content === undefined || content !== known.contentOf(table)) wanted.set(table, content ?? known.newContent())
    }
    const changed = [...wanted.keys()]
    const numbers = this.#sequences.map(
      ({ table, column }) =>
        `select setval(pg_get_serial_sequence('${table}', '${column}'), (select coalesce(max(${column}), 0) + 1 from ${table}), false);`,
    )
    await script(
      `
      set session_replication_role = replica;
      ${changed.map((table) => `delete from public.${table};`).join('\n')}
      ${changed.map((table) => `insert into public.${table} table ${schema}.${table};`).join('\n')}
      set session_replication_role = default;
      ${numbers.join('\n')}
    `,
      wanted,
    )
  }
}

/**
 * A request whose abort always arrives. Node's own request holds its signal weakly, and loses it on a garbage
 * collection.
 */
function requestWith(path: string, { signal, ...init }: RequestInit): Request {
  const request = new Request(`http://clinic.example${path}`, init)
  return Object.defineProperty(request, 'signal', { value: signal ?? new AbortController().signal })
}

const noLimits = { burst: 1e9, perSecond: 1e9 }

function open(config: Config, secrets: Services['secrets'], write: (line: string) => void) {
  return testServices({
    config,
    secrets,
    write,
    clock: { now: () => Math.floor(wallStart + time.now()) },
    // Leave out the time of each statement: a virtual clock has none.
    openDatabase: ({ onCommit }) => openDatabase({ folder: null, dumpFile: null }, { onCommit }),
  })
}
