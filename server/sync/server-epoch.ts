import type { Services } from '#server/platform/services.ts'

/** Changes when the database was restored from a backup: what devices remember of the server is then of another history. */
export async function readEpoch(services: Services): Promise<string> {
  const state = await services.db.pool.selectFrom('server_state').select('epoch').executeTakeFirstOrThrow()
  return state.epoch
}
