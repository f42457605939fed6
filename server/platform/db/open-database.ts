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
  /** Called after each commit of `write`, with the scopes whose revision it raised. */
  onCommit?: (changes: RevisionChange[]) => void
  /** Called with the duration of each query in seconds, without the wait for a connection. */
  onQuery?: (seconds: number) => void
  /** Called when the embedded database ends unexpectedly. The process should end too. */
  onLost?: (error: Error) => void
  /** Called when a round of the embedded database's upkeep failed. Saved data is not harmed. */
  onUntidy?: (error: unknown) => void
}
export type OpenedDatabase = Database & {
  /** Open connections, idle ones among them, and callers that wait for one. */
  connections(): { open: number; idle: number; waiting: number }
  /** Writes an embedded database to a tar file from which `{ folder: null, dumpFile }` starts. */
  dump(file: string): Promise<void>
}

/** Tries of one transaction before a serialization failure is reported. */
const tries = 8

/** Returns the place of the data: the PostgreSQL in the configuration, else the embedded one in the data folder. */
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
  // In the same order everywhere: two writers can wait for each other, but never block each other.
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
 * Refuses a query beside the transaction that surrounds it. It would wait forever for that transaction's only
 * connection. Both engines refuse it, so that the mistake shows on either.
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
