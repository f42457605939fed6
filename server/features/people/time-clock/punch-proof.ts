import type { SealedPassword } from '#server/features/people/time-clock/open-sealed-password.ts'
import { openSealedPassword } from '#server/features/people/time-clock/open-sealed-password.ts'
import { findPerson, type UserRow } from '#server/domain/people/find-person.ts'
import type { Place } from '#server/domain/people/known-tablets.ts'
import { verifyPassword } from '#server/domain/people/passwords.ts'
import { guardedAttempt } from '#server/domain/people/sign-in-failures.ts'
import { passwordAttempt, unprovenPunches } from '#server/domain/people/sign-in-limits.ts'
import type { Services } from '#server/platform/services.ts'

/** Whose name a punch carries, and whether its password was theirs. */
export type PunchProof = { person: UserRow | null; proven: boolean }

const tooManyUnproven = { message: 'Too many punches couldn’t be verified. This one is kept on the tablet and will be resent later.' }

/**
 * Looks at the password of a punch out of a queue. Finds a wrong one no fault of the sender: a manager sees it in the review list. Only so
 * many of those are let in.
 * @throws Refusal `login-blocked` alone, with the seconds after which the punch may come again. The app keeps it until then.
 */
export async function proveQueuedPunch(services: Services, punch: SealedPassword, place: Place): Promise<PunchProof> {
  const named = await findPerson(services.db.pool, punch.username)
  const password = await openSealedPassword(services.secrets, punch)
  const attempt = passwordAttempt('clock-queue', punch.username, named, place)
  const person =
    password === null ? null : await guardedAttempt(services, attempt, () => verifyPassword(services, punch.username, password))
  if (person) return { person, proven: true }
  // Under the code that every app takes as a word about this punch alone: the punches of others do not wait for it.
  await guardedAttempt(services, unprovenPunches(punch.username, named, place), () => Promise.resolve(null), tooManyUnproven)
  return { person: named, proven: false }
}
