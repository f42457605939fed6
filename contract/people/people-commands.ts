import * as v from 'valibot'
import { requiredText, rowId } from '#contract/core/primitives.ts'
import type { peopleCommandKinds } from '#contract/people/people-command-kinds.ts'

/** What a punch says. */
export const punchBody = v.object({
  username: requiredText(120, 'Username is required'),
  direction: v.picklist(['in', 'out']),
  /** HPKE (RFC 9180) to the server's key, base64url; the device cannot read it back. Its AAD is `punchSealContext`. */
  sealed_password: v.pipe(v.string(), v.maxLength(2048)),
  key_id: v.pipe(v.string(), v.maxLength(64)),
  store_id: v.nullable(rowId),
})

/** What each command of the time clock says. */
export const peopleCommandBodies = {
  'punch.record': punchBody,
} as const satisfies Record<keyof typeof peopleCommandKinds, v.GenericSchema>
