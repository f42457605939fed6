import { AsyncLocalStorage } from 'node:async_hooks'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, type KyselyPlugin, PostgresDialect, type Transaction } from 'kysely'
import type pg from 'pg'
import type { Database, RevisionScope, Writing } from '#server/platform/db/database.ts'
import { isWorthRepeating } from '#server/platform/db/database-faults.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openPglite, type PgliteSource } from '#server/platform/db/open-pglite.ts'
import { openPostgres } from '#server/platform/db/open-postgres.ts'
import { preparing } from '#server/platform/db/prepared-statements.ts'
import type { Schema } from '#server/platform/db/schema.ts'

export type RevisionChange = { scope: RevisionScope; revision: number }
export type DatabaseSource = { postgresUrl: string } | PgliteSource
export type OpenOptions = {
  /** Told after each commit of `write`, with the scopes whose revision it raised. */
  onCommit?: (changes: RevisionChange[]) => void
  /** Told how long each query took, in seconds, without the wait for a connection. */
  onQuery?: (seconds: number) => void
  /** Told when the embedded database ends by itself. The process should end too. */
  onLost?: (error: Error) => void
  /** Told when a round of the embedded database's upkeep failed. Nothing that was saved is harmed by it. */
  onUntidy?: (error: unknown) => void
}
export type OpenedDatabase = Database & {
  /** Connections that are open and those of them that are idle, and callers that wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  /** Writes an embedded database to a tar file from which `{ folder: null, dumpFile }` starts. */
  dump(file: string): Promise<void>
}

/** Tries of one transaction before a serialisation failure is reported. */
const tries = 8

/** Where the configuration keeps the data: the PostgreSQL it names, else the embedded one in the data folder. */
export function databaseSource(config: { databaseUrl: string | null; dataFolder: string }): DatabaseSource {
  if (config.databaseUrl !== null) return { postgresUrl: config.databaseUrl }
  return { folder: path.join(path.resolve(config.dataFolder), 'database') }
}

/** Opens a database and brings its tables to this version. */
export async function openDatabase(source: DatabaseSource, options: OpenOptions = {}): Promise<OpenedDatabase> {
  const engine = await openEngine(source, options)
  const { onQuery } = options
  const tables = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: preparing(engine.pool) }),
    ...(onQuery && { log: ({ queryDurationMillis }) => onQuery(queryDurationMillis / 1000) }),
  })
  try {
    await migrate(tables)
  } catch (error) {
    await engine.close()
    throw error
  }
  const insideWriting = new AsyncLocalStorage<true>()

  return {
    engine: engine.name,
    pool: tables.withPlugin(refuseInside(insideWriting)),
    async write<T>(scopes: readonly RevisionScope[], work: (writing: Writing) => Promise<T>): Promise<T> {
      const sorted = [...new Set(scopes)].sort()
      for (let attempt = 1; ; attempt++) {
        try {
          const { result, revisions } = await tables
            .transaction()
            .setIsolationLevel('read committed')
            .execute(async (trx) => {
              const raised = await raiseRevisions(trx, sorted)
              const answer = await insideWriting.run(true, () => work({ trx, revision: revisionIn(raised) }))
              return { result: answer, revisions: raised }
            })
          options.onCommit?.([...revisions].map(([scope, revision]) => ({ scope, revision })))
          return result
        } catch (error) {
          if (attempt >= tries || !isWorthRepeating(error)) throw error
          await wait(Math.random() * 10 * 2 ** attempt)
        }
      }
    },
    connections: () => ({ open: engine.pool.totalCount, idle: engine.pool.idleCount, waiting: engine.pool.waitingCount }),
    dump: (file) => engine.dump(file),
    close: () => engine.close(),
  }
}

type Engine = { name: Database['engine']; pool: pg.Pool; dump(file: string): Promise<void>; close(): Promise<void> }

async function openEngine(source: DatabaseSource, options: OpenOptions): Promise<Engine> {
  if ('postgresUrl' in source) {
    const pool = openPostgres(source.postgresUrl)
    return {
      name: 'postgres',
      pool,
      dump: () => Promise.reject(new Error('A PostgreSQL server is dumped with pg_dump')),
      close: () => pool.end(),
    }
  }
  const opened = await openPglite(source, options.onLost ?? (() => {}), options.onUntidy ?? (() => {}))
  return { name: 'pglite', ...opened }
}

async function raiseRevisions(trx: Transaction<Schema>, sorted: readonly RevisionScope[]): Promise<Map<RevisionScope, number>> {
  const raised = new Map<RevisionScope, number>()
  // One after the other, in the same order everywhere: two writers can wait for each other, never block each other.
  for (const scope of sorted) {
    const { revision } = await trx
      .insertInto('scope_revisions')
      .values({ scope, revision: 1 })
      .onConflict((conflict) => conflict.column('scope').doUpdateSet((eb) => ({ revision: eb('scope_revisions.revision', '+', 1) })))
      .returning('revision')
      .executeTakeFirstOrThrow()
    raised.set(scope, revision)
  }
  return raised
}

function revisionIn(raised: ReadonlyMap<RevisionScope, number>): Writing['revision'] {
  return (scope) => {
    const revision = raised.get(scope)
    if (revision === undefined) throw new Error(`The scope ${scope} was not asked for when this transaction began`)
    return revision
  }
}

/**
 * A query beside the transaction that surrounds it would wait for that transaction's only connection, for ever. It is
 * refused on both engines, so that the mistake shows wherever it is tried.
 */
function refuseInside(insideWriting: AsyncLocalStorage<true>): KyselyPlugin {
  return {
    transformQuery(args) {
      if (insideWriting.getStore()) throw new Error('Inside of write(), queries go through its `trx`, not through `pool`')
      return args.node
    },
    transformResult: async (args) => args.result,
  }
}
