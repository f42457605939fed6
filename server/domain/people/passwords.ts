import { createHmac } from 'node:crypto'
import { hash, verify, type Options } from '@node-rs/argon2'
import type { Services } from '#server/platform/services.ts'
import { findPerson, type UserRow } from '#server/domain/people/find-person.ts'

/** Argon2id (the library's default algorithm) with 19 MiB, two passes, one lane: about 25 ms, off the event loop. */
const cost: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Keyboards of different makers send the same letter as different code points. */
function asTyped(password: string): string {
  return password.normalize('NFKC')
}

export async function hashPassword(password: string): Promise<string> {
  return await hash(asTyped(password), cost)
}

let hashOfNobody: Promise<string> | null = null

/**
 * Returns the person with this password. Null for a wrong password, an unknown name and a disabled account alike. All
 * three cost the same work, so that the time of the answer does not reveal who works here.
 */
export async function verifyPassword(services: Pick<Services, 'db'>, username: string, password: string): Promise<UserRow | null> {
  const person = await findPerson(services.db.pool, username)
  hashOfNobody ??= hashPassword('nobody has this password')
  const isRight = await verify(person?.password_hash ?? (await hashOfNobody), asTyped(password))
  return isRight && person && person.disabled_at === null ? person : null
}

/** The key under which a PIN is stored. A PIN comes without a name, so it is keyed instead of salted. */
export function pinLookup(secrets: Pick<Services['secrets'], 'pinPepper'>, pin: string): string {
  return createHmac('sha256', secrets.pinPepper).update(`pin:${pin}`).digest('hex')
}
