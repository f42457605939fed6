import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { demoPassword } from '#server/demo/demo-clinic.ts'

const root = path.resolve(import.meta.dirname, '../..')
const peoplePerClinic = 3
/** The demo's own stores keep their numbers below. */
const firstStore = 101

export type ChainClinic = { store_id: number; address: string; usernames: string[] }
export type Chain = { dataFolder: string; databaseUrl: string; password: string; clinics: ChainClinic[]; remove(): void }

/**
 * The demo's chain, with its frames divided among `clinics` new stores, in a new data folder, or in the PostgreSQL
 * database that `databaseUrl` names.
 */
export async function makeChain(size: { clinics: number; frames: number }, databaseUrl: string | null): Promise<Chain> {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-load-chain-'))
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'build/server/make-demo.js'), '--frames', String(size.frames), '--patients', '0'],
    { cwd: root, env: { ...process.env, LORGNETTE_DATA: dataFolder, DATABASE_URL: databaseUrl ?? '' }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`The demo chain was not made: ${stderr}`)
  const clinics = Array.from({ length: size.clinics }, (_, place): ChainClinic => {
    const store_id = firstStore + place
    return {
      store_id,
      address: `10.20.${place}.1`,
      usernames: Array.from({ length: peoplePerClinic }, (_, number) => `clerk-${store_id}-${number + 1}`),
    }
  })
  await widen(dataFolder, databaseUrl, clinics)
  return {
    dataFolder,
    databaseUrl: databaseUrl ?? '',
    password: demoPassword,
    clinics,
    remove: () => fs.rmSync(dataFolder, { recursive: true, force: true }),
  }
}

async function widen(dataFolder: string, databaseUrl: string | null, clinics: readonly ChainClinic[]): Promise<void> {
  const db = await openDatabase(databaseSource({ databaseUrl, dataFolder }))
  try {
    const { settings } = await db.pool.selectFrom('stores').select('settings').where('store_id', '=', 1).executeTakeFirstOrThrow()
    const { password_hash } = await db.pool.selectFrom('users').select('password_hash').limit(1).executeTakeFirstOrThrow()
    await db.write(['chain'], async ({ trx, revision }) => {
      const stores = clinics.map(({ store_id }) => ({
        store_id,
        store_name: `Clinic ${store_id}`,
        short_name: `C${store_id}`,
        time_zone: 'America/New_York',
        is_warehouse: false,
        settings: JSON.stringify(settings),
      }))
      await trx.insertInto('stores').values(stores).execute()
      const people = clinics.flatMap(({ store_id, usernames }) =>
        usernames.map((username, number) => ({
          id_user: store_id * 10 + number,
          username,
          email: `${username}@lorgnette.example`,
          first_name: `Clerk ${number + 1}`,
          last_name: `of ${store_id}`,
          password_hash,
          pin_lookup: null,
          role_ids: ['stock_clerk' as const],
          store_id,
          disabled_at: null,
        })),
      )
      await trx.insertInto('users').values(people).execute()
      await trx
        .insertInto('user_stores')
        .values(people.map(({ id_user, store_id }) => ({ id_user, store_id })))
        .execute()
      await trx
        .updateTable('frames')
        .set({ store_id: sql<number>`${firstStore}::int + id_inventory % ${clinics.length}::int`, revision: revision('chain') })
        .execute()
    })
    await sql`vacuum analyze`.execute(db.pool)
  } finally {
    await db.close()
  }
}
