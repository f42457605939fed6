import type { HotDatabase } from '#src/db/hot/hot.ts'

/** The facts with the boxes for signing in without a connection. */
export const offlineFact = (by: 'password' | 'pin', idUser: number) => `offline-${by} ${idUser}`

/** The fact with a lid until its box is closed, at most while its user is signed in. */
export const begunFact = 'offline-begun'

const leavingFact = 'offline-leaving'
/** A sign-out takes no longer, ms. */
const leavingMs = 60_000

/**
 * Notes that this user signs out by choice. If the server then calls the session over, that says nothing about the
 * account.
 */
export async function noteLeaving(hot: HotDatabase, idUser: number, now: number): Promise<void> {
  await hot.facts.put({ key: leavingFact, value: [idUser, now] })
}

/** Deletes the offline sign-in of a user whom the server no longer accepts. */
export async function forgetOffline(hot: HotDatabase, idUser: number, now: number): Promise<void> {
  const leaving = (await hot.facts.get(leavingFact))?.value
  if (Array.isArray(leaving) && leaving[0] === idUser && now - Number(leaving[1]) < leavingMs) return
  await hot.facts.bulkDelete([offlineFact('password', idUser), offlineFact('pin', idUser)])
}
