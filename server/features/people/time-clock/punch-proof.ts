import type { SealedPassword } from '#server/features/people/time-clock/open-sealed-password.ts'
import { openSealedPassword } from '#server/features/people/time-clock/open-sealed-password.ts'
import { findPerson, type UserRow } from '#server/domain/people/find-person.ts'
import type { Place } from '#server/domain/people/known-tablets.ts'
import { verifyPassword } from '#server/domain/people/passwords.ts'
import { guardedAttempt } from '#server/domain/people/sign-in-failures.ts'
import { passwordAttempt, unprovenPunches } from '#server/domain/people/sign-in-limits.ts'
import type { Services } from '#server/platform/services.ts'

/** The person with the punch's username, and whether the password was theirs. */
export type PunchProof = { person: UserRow | null; proven: boolean }

const tooManyUnproven = { message: 'Too many punches couldn’t be verified. This one is kept on the tablet and will be resent later.' }

/**
 * Checks the password of a queued punch. A wrong one is not refused: a manager sees it in the review list. Only a
 * limited number of those is accepted.
 * @throws Refusal `login-blocked` with the seconds to wait. The app keeps the punch until then.
 */
export async function proveQueuedPunch(services: Services, punch: SealedPassword, place: Place): Promise<PunchProof> {
  const named = await findPerson(services.db.pool, punch.username)
  const password = await openSealedPassword(services.secrets, punch)
  const attempt = passwordAttempt('clock-queue', punch.username, named, place)
  const person =
    password === null ? null : await guardedAttempt(services, attempt, () => verifyPassword(services, punch.username, password))
  if (person) return { person, proven: true }
  // Apps take this code as a refusal of this punch only, so other people's punches do not wait.
  await guardedAttempt(services, unprovenPunches(punch.username, named, place), () => Promise.resolve(null), tooManyUnproven)
  return { person: named, proven: false }
}
