import { openDatabase } from '#server/platform/db/open-database.ts'

/**
 * A server for kill tests that only writes. It opens the folder and prints the rows that it found. Then it writes one
 * transaction after another, and prints each number once the database has acknowledged it.
 */
const folder = process.argv[2]
if (folder === undefined) throw new Error('which folder?')
const say = (line: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(line)}\n`)

const db = await openDatabase({ folder })
const vendors = await db.pool.selectFrom('vendors').select('name').execute()
const failures = await db.pool.selectFrom('sign_in_failures').select('subject').execute()
const raised = await db.pool.selectFrom('scope_revisions').select('revision').where('scope', '=', 'chain').executeTakeFirst()
const found = vendors.map((row) => Number(row.name))
say({ found, partners: failures.map((row) => Number(row.subject)), revision: raised?.revision ?? 0 })

for (let number = Math.max(0, ...found) + 1; ; number++) {
  await db.write(['chain'], async ({ trx }) => {
    await trx
      .insertInto('vendors')
      .values({ name: String(number) })
      .execute()
    await trx
      .insertInto('sign_in_failures')
      .values({ subject: String(number), failures: 1, last_at: '2026-11-20T00:00:00.000Z', blocked_until: null })
      .execute()
  })
  say({ acknowledged: number })
}
