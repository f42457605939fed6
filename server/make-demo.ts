import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { appendOnlyTables } from '#server/platform/db/audit-logs.ts'
import { readConfig } from '#server/config.ts'
import type { Database } from '#server/platform/db/database.ts'
import { seedDemo } from '#server/demo/seed-demo.ts'
import { createLog } from '#server/log.ts'
import { closeServices, makeServices } from '#server/make-services.ts'
import { findProject } from '#server/project.ts'

/** `npm run demo -- --frames 100000 --patients 50000 [--fresh]`: a demo chain of any size, the same each time. */

const { values: said } = parseArgs({
  options: { frames: { type: 'string' }, patients: { type: 'string' }, fresh: { type: 'boolean', default: false } },
})

function sizeOf(name: 'frames' | 'patients'): number | undefined {
  const text = said[name]
  if (text === undefined) return undefined
  if (!/^\d{1,8}$/.test(text)) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}

/** Tables whose rows come with the schema and not with the demo. */
const madeByMigrations = ['server_state', 'insurance_coverage_types']

async function prepare(db: Database): Promise<void> {
  const store = await db.pool.selectFrom('stores').select('store_id').executeTakeFirst()
  if (!store) return
  const { is_demo } = await db.pool.selectFrom('server_state').select('is_demo').executeTakeFirstOrThrow()
  if (!is_demo) throw new Error('There is real data here. A demo is made only where there is none.')
  if (!said.fresh) throw new Error('There is a demo clinic here already. Say --fresh to replace it; all work in it is lost.')
  const { rows } = await sql<{ name: string }>`
    select quote_ident(tablename) as name from pg_tables
    where schemaname = current_schema() and tablename <> all(${madeByMigrations}) and tablename not like 'kysely%'`.execute(db.pool)
  await db.pool.transaction().execute(async (trx) => {
    // The append-only logs of a demo are removed with it.
    for (const table of appendOnlyTables) await sql`alter table ${sql.table(table)} disable trigger user`.execute(trx)
    await sql.raw(`truncate ${rows.map((row) => row.name).join(', ')} restart identity cascade`).execute(trx)
    for (const table of appendOnlyTables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(trx)
  })
  // Tablets that knew the former clinic must forget it.
  await sql`update server_state set epoch = gen_random_uuid(), is_demo = false`.execute(db.pool)
}

async function makeDemo(): Promise<void> {
  // Checked before the database opens. With --fresh, a wrong number would otherwise destroy the former clinic.
  const [frames, patients] = [sizeOf('frames'), sizeOf('patients')]
  const config = readConfig({ ...process.env, LORGNETTE_MODE: 'demo' }, findProject())
  const services = await makeServices(config, process.env, createLog('warn'), (error) => {
    throw error
  })
  try {
    const began = Date.now()
    await prepare(services.db)
    await seedDemo(services, { ...(frames !== undefined && { totalFrames: frames }), ...(patients !== undefined && { patients }) })
    process.stdout.write(`The demo chain is ready after ${Math.round((Date.now() - began) / 1000)} s. Start it with npm start.\n`)
  } finally {
    await closeServices(services)
  }
}

try {
  await makeDemo()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
