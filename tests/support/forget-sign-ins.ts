import type { TestServer } from '#tests/support/test-server.ts'

const start = '2026-11-20T14:00:00.000Z'

/** Resets all sign-ins: no sessions, no failures, everyone enabled and in the seeded stores, the clock at its start. */
export async function forgetSignIns(server: TestServer): Promise<void> {
  const { pool } = server.db
  server.clock.set(start)
  await pool.deleteFrom('sign_in_failures').execute()
  for (const table of ['tablet_passwords', 'known_tablets', 'sessions'] as const) await pool.deleteFrom(table).execute()
  await pool.updateTable('users').set({ disabled_at: null }).execute()
  const { maya, ben, ana } = server.seed.users
  const memberships = [maya, ben].flatMap(({ id_user }) => [1, 2, 3].map((store_id) => ({ id_user, store_id })))
  await pool
    .insertInto('user_stores')
    .values([...memberships, { id_user: ana.id_user, store_id: 1 }])
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
