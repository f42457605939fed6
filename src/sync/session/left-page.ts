import type { HotDatabase } from '#src/db/hot/hot.ts'

/** After this long a user starts at home again, ms. */
const keptMs = 12 * 3_600_000

const factOf = (idUser: number) => `left-page ${idUser}`

/** Notes the page that a user left to a colleague. Addresses hold ids, never names. */
export async function noteLeftPage(hot: HotDatabase, idUser: number, path: string, now: number): Promise<void> {
  await hot.facts.put({ key: factOf(idUser), value: [path, now] })
}

/** Returns the page that this user left to a colleague, once. Null when there is none, or when it was too long ago. */
export async function takeLeftPage(hot: HotDatabase, idUser: number, now: number): Promise<string | null> {
  const key = factOf(idUser)
  const value = (await hot.facts.get(key))?.value
  if (!Array.isArray(value)) return null
  await hot.facts.delete(key)
  const [path, at] = value as unknown[]
  return typeof path === 'string' && now - Number(at) < keptMs ? path : null
}
