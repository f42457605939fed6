import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import '#tests/support/provided.ts'
import { type OpenedDatabase, type OpenOptions, openDatabase } from '#server/platform/db/open-database.ts'

/** The database engine of this run of the server tests. */
export const testEngine = process.env.LORGNETTE_TEST_DATABASE === 'postgres' ? 'postgres' : 'pglite'

/** Opens a migrated, empty database on the engine of the test project. The caller closes it. */
export async function openTestDatabase(options: OpenOptions = {}): Promise<OpenedDatabase> {
  if (testEngine === 'pglite') return await openDatabase({ folder: null, dumpFile: inject('pgliteDump') }, options)
  const { url, drop } = await createPostgresDatabase('template1')
  const db = await openDatabase({ postgresUrl: url }, options)
  return {
    ...db,
    async close() {
      await db.close()
      await drop()
    },
  }
}

/**
 * Makes a new database on the run's PostgreSQL with our sort order: empty, or with the tables of `template1`
 * (postgres-setup.ts). `drop` removes it and ends its connections.
 */
export async function createPostgresDatabase(
  template: 'template0' | 'template1' = 'template0',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const adminUrl = inject('postgresUrl')
  const name = `lorgnette_${randomUUID().replaceAll('-', '')}`
  await asAdmin(adminUrl, `create database ${name} template ${template} encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => asAdmin(adminUrl, `drop database if exists ${name} with (force)`) }
}

async function asAdmin(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
