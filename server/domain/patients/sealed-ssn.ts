import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Secrets } from '#server/platform/services.ts'

const keyOf = (secrets: Pick<Secrets, 'recordKey'>) =>
  Buffer.from(hkdfSync('sha256', secrets.recordKey, Buffer.alloc(0), 'lorgnette social security numbers', 32))

/** A social security number as the database keeps it: AES-256-GCM, bound to its patient. `iv.tag.text`, base64url. */
export function sealSsn(secrets: Pick<Secrets, 'recordKey'>, idPatient: string, ssn: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secrets), iv).setAAD(Buffer.from(idPatient))
  const text = Buffer.concat([cipher.update(ssn, 'utf8'), cipher.final()])
  return [iv, cipher.getAuthTag(), text].map((part) => part.toString('base64url')).join('.')
}

/** @throws Error when it was sealed with another key, or for another patient */
export function openSsn(secrets: Pick<Secrets, 'recordKey'>, idPatient: string, sealed: string): string {
  const [iv = Buffer.alloc(0), tag = Buffer.alloc(0), text = Buffer.alloc(0)] = sealed
    .split('.')
    .map((part) => Buffer.from(part, 'base64url'))
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secrets), iv).setAAD(Buffer.from(idPatient)).setAuthTag(tag)
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8')
}

/** The masked number, as screens show it. */
export function maskedSsn(last4: string | null): string | null {
  return last4 === null ? null : `•••-••-${last4}`
}
