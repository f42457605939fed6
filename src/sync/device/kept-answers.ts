import * as v from 'valibot'
import type { Endpoint, ResponseOf } from '#contract/core/endpoint.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { keptPrefix } from '#src/sync/device/kept-prefix.ts'

/**
 * The server's last answers about deliveries, transfers and returns. A page that was opened on this tablet opens again
 * without a connection. The answers are not encrypted, so they never hold anything of patients. They belong to one
 * user, because not everybody sees costs, and are deleted at the sign-out (`session.ts`).
 */
export type KeptEndpoint = Endpoint & { cached: 'recent' }

/** The newest answers replace the oldest. */
const most = 200

/** The user and the store of an answer. */
export type Keeper = { id_user: number; store_id: number }
export type KeptAnswer<T> = { at: string; value: T }

const shape = v.object({ at: v.string(), value: v.unknown() })

/** @param asked the request as JSON */
export function keptKey({ id_user, store_id }: Keeper, { path }: KeptEndpoint, asked: string): string {
  return `${keptPrefix}${id_user} ${store_id} ${path} ${asked}`
}

/** Keeps an answer, unless a later one is kept already. `answer.at`: time of the request, ISO 8601. */
export async function keepAnswer(hot: HotDatabase, keeper: Keeper, key: string, answer: KeptAnswer<unknown>): Promise<void> {
  await hot.transaction('rw', hot.session, hot.facts, async () => {
    // Drop an answer that comes after the sign-out.
    if ((await hot.session.get('session'))?.home?.id_user !== keeper.id_user) return
    const kept = v.safeParse(shape, (await hot.facts.get(key))?.value)
    // The answer to a later write is newer than this one.
    if (kept.success && kept.output.at > answer.at) return
    await hot.facts.put({ key, value: answer })
    const keys = await hot.facts.where('key').startsWith(keptPrefix).primaryKeys()
    if (keys.length <= most) return
    const rows = await hot.facts.bulkGet(keys)
    const byAge = rows.flatMap((row) => (row ? [{ key: row.key, at: v.is(shape, row.value) ? row.value.at : '' }] : []))
    byAge.sort((a, b) => (a.at < b.at ? -1 : 1))
    await hot.facts.bulkDelete(byAge.slice(0, keys.length - most).map((row) => row.key))
  })
}

/** Returns null when there is no answer, or when an older app kept it in another shape. */
export async function readKept<E extends KeptEndpoint>(
  hot: HotDatabase,
  key: string,
  { response }: E,
): Promise<KeptAnswer<ResponseOf<E>> | null> {
  const kept = v.safeParse(shape, (await hot.facts.get(key))?.value)
  if (!kept.success) return null
  const read = v.safeParse(response, kept.output.value)
  return read.success ? { at: kept.output.at, value: read.output as ResponseOf<E> } : null
}
