import pg from 'pg'
import { typeParsers } from '#server/platform/db/type-parsers.ts'

/** A pool of connections to a PostgreSQL server (version 15 or later). */
export function openPostgres(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    // It covers the wait for a free connection too, which is no fault of the database: longer than the app waits for an answer.
    connectionTimeoutMillis: 30_000,
    // A process that hangs inside a transaction must not hold a store's revision row for ever.
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    application_name: 'lorgnette',
    options: '-c timezone=UTC',
    types: typeParsers,
  })
  // The caller of the query gets the error; without a listener an idle connection's error would end the process.
  pool.on('error', () => {})
  return pool
}
