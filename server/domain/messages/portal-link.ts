import { createHash, createHmac, hkdfSync } from 'node:crypto'
import type { Config, Secrets } from '#server/platform/services.ts'

type Sending = { id: string; id_send: string }

/** Stands in the e-mail of an invitation until it leaves: neither the database nor whoever reads the history has the link. */
export const linkPlace = '[the patient’s personal link]'
/** No person can choose this template: what bears it is an invitation. */
export const invitationTemplate = 'portal-invitation'

/**
 * What stands behind the `#` of a link: 256 bits that only this server can make again, of the invitation and of the sending that counts. So
 * it needs to be kept nowhere, a sending that is repeated has the same link, and one that follows has another.
 */
export function portalToken(secrets: Pick<Secrets, 'recordKey'>, { id, id_send }: Sending): string {
  const key = Buffer.from(hkdfSync('sha256', secrets.recordKey, Buffer.alloc(0), 'lorgnette portal links', 32))
  return createHmac('sha256', key).update(`${id} ${id_send}`).digest('base64url')
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Behind the `#` nothing is sent to any server, so that it stands in no log and no Referer. */
export function portalPath(secrets: Pick<Secrets, 'recordKey'>, sending: Sending): string {
  return `/portal#${portalToken(secrets, sending)}`
}

/** The text of an invitation as it leaves; null when this server does not know where people reach it. */
export function invitationFiller(config: Pick<Config, 'publicUrl'>, secrets: Pick<Secrets, 'recordKey'>) {
  return (text: string, sending: Sending): string | null =>
    config.publicUrl === null ? null : text.replaceAll(linkPlace, config.publicUrl + portalPath(secrets, sending))
}
