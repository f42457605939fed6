import type { HotDatabase } from '#src/db/hot/hot.ts'

/** The facts under which lies what lets a person in without a connection. */
export const offlineFact = (by: 'password' | 'pin', idUser: number) => `offline-${by} ${idUser}`

/** Under which lies what a box is closed with, until it is: as long as its person is signed in, at most. */
export const begunFact = 'offline-begun'

const leavingFact = 'offline-leaving'
/** A sign-out takes no longer. */
const leavingMs = 60_000

/** This person ends the session by choice: that the server then calls it over is no news of the account. */
export async function noteLeaving(hot: HotDatabase, idUser: number, now: number): Promise<void> {
  await hot.facts.put({ key: leavingFact, value: [idUser, now] })
}

/** Whom the server does not let in any more does not come in without it either. */
export async function forgetOffline(hot: HotDatabase, idUser: number, now: number): Promise<void> {
  const leaving = (await hot.facts.get(leavingFact))?.value
  if (Array.isArray(leaving) && leaving[0] === idUser && now - Number(leaving[1]) < leavingMs) return
  await hot.facts.bulkDelete([offlineFact('password', idUser), offlineFact('pin', idUser)])
}
