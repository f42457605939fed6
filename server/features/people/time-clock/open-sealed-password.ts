import { punchSealContext } from '#contract/sync/commands.ts'
import { openSealed } from '#server/domain/people/open-sealed.ts'
import type { Secrets } from '#server/platform/services.ts'

export type SealedPassword = { id: string; username: string; direction: 'in' | 'out'; sealed_password: string; key_id: string }

/** Opens the password of a punch. Null when no key opens it, or when it was sealed for another punch. */
export async function openSealedPassword(secrets: Pick<Secrets, 'sealingKeys'>, punch: SealedPassword): Promise<string | null> {
  const { id, username, direction, sealed_password: sealed, key_id } = punch
  return await openSealed(secrets, { sealed, key_id }, punchSealContext(id, username, direction))
}
