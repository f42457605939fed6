import type { HomeInfo } from '#contract/people/session.ts'
import type { DeviceFact, HotDatabase } from '#src/db/hot/hot.ts'

/** The fact with the non-extractable key for patients, kept while its user is signed in. */
export const patientsKeyFact = 'patients-key'

/** The key, with the store and the user that it was given for. */
type KeptKey = { store_id: number; id_user: number; key: CryptoKey }

type Seat = Pick<HomeInfo, 'store_id' | 'id_user'>

/** Returns this device's key for patients, when this user was given one for this store. */
export async function keptPatientsKey(hot: HotDatabase, seat: Seat): Promise<CryptoKey | null> {
  return patientsKeyIn((await hot.facts.get(patientsKeyFact))?.value, seat)
}

/** Returns the key in the fact's value, when it is this user's for this store. */
export function patientsKeyIn(value: unknown, seat: Seat): CryptoKey | null {
  if (!isKeptKey(value) || value.store_id !== seat.store_id || value.id_user !== seat.id_user) return null
  return value.key
}

/** Keeps a key from the server, unless its user has left or the tablet was locked meanwhile. @returns the kept key */
export async function keepPatientsKey(hot: HotDatabase, seat: Seat, key: CryptoKey): Promise<CryptoKey | null> {
  return await hot.transaction('rw', hot.facts, hot.session, async () => {
    const { home, locked } = (await hot.session.get('session')) ?? {}
    if (locked || home?.id_user !== seat.id_user || home.store_id !== seat.store_id) return null
    await hot.facts.put(patientsKeyRow(seat, key))
    return key
  })
}

/** The row for a key, to be written in any transaction. */
export function patientsKeyRow(seat: Seat, key: CryptoKey): DeviceFact {
  return { key: patientsKeyFact, value: { ...pick(seat), key } satisfies KeptKey }
}

/** Imports the server's key, so that it can never be read back. */
export async function importPatientsKey(subtle: SubtleCrypto, given: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(given.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
  return await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** Identifies this key without revealing it: eight hexadecimal digits. */
export async function markOfKey(subtle: SubtleCrypto, key: CryptoKey): Promise<string> {
  // No kept data uses this nonce: theirs are random.
  const made = await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(16))
  return Array.from(new Uint8Array(made, 0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How the names of a store's patient databases begin. The mark of the key follows. */
export const patientsPlace = (databaseName: string, storeId: number) => `${databaseName}-patients-${storeId}-`

const pick = ({ store_id, id_user }: Seat): Seat => ({ store_id, id_user })

function isKeptKey(value: unknown): value is KeptKey {
  return typeof value === 'object' && value !== null && 'store_id' in value && 'id_user' in value && 'key' in value
}
