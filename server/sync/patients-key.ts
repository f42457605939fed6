import { hkdfSync } from 'node:crypto'
import type { patientsKey } from '#contract/sync.ts'
import type { Handler } from '#server/http/handler.ts'
import { tabletOf } from '#server/http/scope.ts'

/**
 * Nothing is kept of it: the same tablet gets the same key for the same store from whichever server of the clinic it asks, so that what it
 * has mirrored stays readable for the next who may read it, and for nobody without the server's word.
 */
export const patientsKeyHandler: Handler<typeof patientsKey> = async ({ services, scope }) => {
  const purpose = `lorgnette patients of store ${scope.store_id}`
  const key = hkdfSync('sha256', services.secrets.recordKey, Buffer.from(tabletOf(scope)), purpose, 32)
  return { store_id: scope.store_id, key: Buffer.from(key).toString('base64url') }
}
