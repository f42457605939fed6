import type { SealedPassword } from '#server/features/time-card/open-sealed-password.ts'
import { openSealedPassword } from '#server/features/time-card/open-sealed-password.ts'
import { findPerson, type UserRow } from '#server/people/find-person.ts'
import { verifyPassword } from '#server/people/passwords.ts'
import { guardedAttempt } from '#server/people/sign-in-failures.ts'
import type { Services } from '#server/services.ts'

/** Whose name a punch carries, and whether its password was theirs. */
export type PunchProof = { person: UserRow | null; proven: boolean }

/**
 * Looks at the password of a punch out of a queue. Throws only `login-blocked`, with the seconds after which the punch
 * may come again: what it finds wrong is for a manager to see, not for the sender.
 *
 * These attempts have a count of their own for the address, so that three wrong punches out of one tablet's queue do
 * not keep a whole clinic from signing in.
 */
export async function proveQueuedPunch(services: Services, punch: SealedPassword, address: string): Promise<PunchProof> {
  const password = await openSealedPassword(services.secrets, punch)
  const person =
    password === null
      ? null
      : await guardedAttempt(services, punch.username, `punch queue ${address}`, () => verifyPassword(services, punch.username, password))
  if (person) return { person, proven: true }
  return { person: await findPerson(services.db.reads, punch.username), proven: false }
}
