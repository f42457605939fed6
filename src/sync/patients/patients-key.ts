import type { HomeInfo } from '#contract/people/session.ts'
import type { DeviceFact, HotDatabase } from '#src/db/hot/hot.ts'

/** The fact under which the key for patients lies, non-extractable, for as long as its person is signed in. */
export const patientsKeyFact = 'patients-key'

/** Of the store and the person that it was given for. */
type KeptKey = { store_id: number; id_user: number; key: CryptoKey }

type Seat = Pick<HomeInfo, 'store_id' | 'id_user'>

/** The key under which patients are kept on this device, when this person was given one for this store. */
export async function keptPatientsKey(hot: HotDatabase, seat: Seat): Promise<CryptoKey | null> {
  return patientsKeyIn((await hot.facts.get(patientsKeyFact))?.value, seat)
}

/** The key in what lies under its fact, when it is this person's for this store. */
export function patientsKeyIn(value: unknown, seat: Seat): CryptoKey | null {
  if (!isKeptKey(value) || value.store_id !== seat.store_id || value.id_user !== seat.id_user) return null
  return value.key
}

/** Keeps a key that the server gave, unless its person has gone or the tablet was locked meanwhile. @returns what is kept now */
export async function keepPatientsKey(hot: HotDatabase, seat: Seat, key: CryptoKey): Promise<CryptoKey | null> {
  return await hot.transaction('rw', hot.facts, hot.session, async () => {
    const { home, locked } = (await hot.session.get('session')) ?? {}
    if (locked || home?.id_user !== seat.id_user || home.store_id !== seat.store_id) return null
    await hot.facts.put(patientsKeyRow(seat, key))
    return key
  })
}

/** What is put down for it, in whatever transaction. */
export function patientsKeyRow(seat: Seat, key: CryptoKey): DeviceFact {
  return { key: patientsKeyFact, value: { ...pick(seat), key } satisfies KeptKey }
}

/** As the server gives it, so that it can never be read back. */
export async function importPatientsKey(subtle: SubtleCrypto, given: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(given.replace(/-/g, '+').replace(/_/g, '/')), (letter) => letter.charCodeAt(0))
  return await subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
}

/** What tells this key from others, and says nothing of it: eight hexadecimal digits. */
export async function markOfKey(subtle: SubtleCrypto, key: CryptoKey): Promise<string> {
  // Under this nonce nothing else is ever encrypted: those of what is kept are drawn at random.
  const made = await subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(16))
  return Array.from(new Uint8Array(made, 0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** How the names of the databases begin in which a store's patients are kept; the rest is the mark of the key under which they are. */
export const patientsPlace = (databaseName: string, storeId: number) => `${databaseName}-patients-${storeId}-`

const pick = ({ store_id, id_user }: Seat): Seat => ({ store_id, id_user })

function isKeptKey(value: unknown): value is KeptKey {
  return typeof value === 'object' && value !== null && 'store_id' in value && 'id_user' in value && 'key' in value
}
