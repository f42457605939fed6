import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Config, Secrets } from '#server/platform/services.ts'

type Sending = { id: string; id_send: string }

/** Placeholder in an invitation email until the email leaves. The link is never in the database or the history. */
export const linkPlace = '[the patient’s personal link]'
/** Users cannot choose this template. It marks a message as an invitation. */
export const invitationTemplate = 'portal-invitation'

/**
 * Returns the part of a link after its `#`: 256 bits that only this server can compute, from the invitation and its
 * current sending. The server therefore stores no link. A repeated sending has the same link, and the next sending has
 * another.
 */
export function portalToken(secrets: Pick<Secrets, 'recordKey'>, { id, id_send }: Sending): string {
  const key = Buffer.from(hkdfSync('sha256', secrets.recordKey, Buffer.alloc(0), 'lorgnette portal links', 32))
  return createHmac('sha256', key).update(`${id} ${id_send}`).digest('base64url')
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Browsers send nothing after the `#` to a server, so the token gets into no log and no Referer. */
export function portalPath(secrets: Pick<Secrets, 'recordKey'>, sending: Sending): string {
  return `/portal#${portalToken(secrets, sending)}`
}

/** Returns a function that fills in the link of an invitation. It gives null when the server has no public address. */
export function invitationFiller(config: Pick<Config, 'publicUrl'>, secrets: Pick<Secrets, 'recordKey'>) {
  return (text: string, sending: Sending): string | null =>
    config.publicUrl === null ? null : text.replaceAll(linkPlace, config.publicUrl + portalPath(secrets, sending))
}
