import { mkdirSync, readdirSync, rmdirSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { lockFolder } from '#server/platform/db/folder-lock.ts'
import { PgliteThread } from '#server/platform/db/pglite-thread.ts'
import { typeParsers } from '#server/platform/db/type-parsers.ts'

export type PgliteSource = { folder: string } | { folder: null; dumpFile: string | null }
export type OpenedPglite = { pool: pg.Pool; dump(file: string): Promise<void>; close(): Promise<void> }

const maintenanceEveryMs = 60_000
const checkpointAfterBytes = 48_000_000

/**
 * Opens the embedded PostgreSQL, in a folder or in memory. The folder is created when missing and locked against other
 * processes, and every commit is forced to the disk. `onLost` is called when the database ends unexpectedly: only a
 * restart helps then. `onUntidy` is called when its upkeep failed.
 */
export async function openPglite(
  source: PgliteSource,
  onLost: (error: Error) => void,
  onUntidy: (error: unknown) => void,
): Promise<OpenedPglite> {
  if (source.folder === null) return await start(source, onLost, onUntidy)
  mkdirSync(path.dirname(source.folder), { recursive: true, mode: 0o700 })
  const release = lockFolder(source.folder)
  try {
    removeIfEmpty(source.folder)
    const opened = await start(source, onLost, onUntidy)
    return {
      ...opened,
      async close() {
        await opened.close()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

async function start(source: PgliteSource, onLost: (error: Error) => void, onUntidy: (error: unknown) => void): Promise<OpenedPglite> {
  const thread = await PgliteThread.start(source, onLost)
  // One connection, because the embedded database is one session. Callers wait for their turn.
  const pool = new pg.Pool({
    stream: () => thread.connect(),
    max: 1,
    idleTimeoutMillis: 0,
    // Longer than the app waits for an answer: a long queue does not mean that the database is unreachable.
    connectionTimeoutMillis: 30_000,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    types: typeParsers,
  })
  // The caller of the query gets the error; without a listener an idle connection's error would end the process.
  pool.on('error', () => {})
  const stopMaintaining = source.folder === null ? async () => {} : keepTidy(pool, onUntidy)
  return {
    pool,
    dump: (file) => thread.dump(file),
    async close() {
      await stopMaintaining()
      await pool.end()
      await thread.close()
    },
  }
}

/**
 * Does the work of a server's checkpointer and autovacuum. The embedded database has neither, and its log and tables
 * would grow without end. Returns the function that stops it.
 */
export function keepTidy(pool: Pick<pg.Pool, 'query'>, onUntidy: (error: unknown) => void): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let lastPosition: string | null = null

  const tidy = async () => {
    const { rows } = await pool.query<{ position: string; grown: number }>(
      'select pg_current_wal_lsn()::text as position, (pg_current_wal_lsn() - coalesce($1, pg_current_wal_lsn()::text)::pg_lsn)::int8 as grown',
      [lastPosition],
    )
    const log = rows[0]
    if (log && log.grown > checkpointAfterBytes) await pool.query('checkpoint')
    if (log && (lastPosition === null || log.grown > checkpointAfterBytes)) lastPosition = log.position
    const changed = await pool.query<{ name: string }>(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where n_dead_tup > 50 + 0.2 * n_live_tup or n_mod_since_analyze > 50 + 0.1 * n_live_tup`,
    )
    for (const table of changed.rows) await pool.query(`vacuum (analyze) ${table.name}`)
  }

  const timer = setInterval(() => {
    // A failure here does not harm saved data, and the next round tries again.
    running = running.then(tidy).catch(onUntidy)
  }, maintenanceEveryMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}

function removeIfEmpty(folder: string): void {
  try {
    if (readdirSync(folder).length === 0) rmdirSync(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
