import type { HomeInfo } from '#contract/session.ts'
import { type HotDatabase, patientsKeyFact } from '#src/db/hot.ts'

/** Of the store and the person that it was given for. */
type KeptKey = { store_id: number; id_user: number; key: CryptoKey }

type Seat = Pick<HomeInfo, 'store_id' | 'id_user'>

/** The key under which patients are kept on this device, when this person was given one for this store. */
export async function keptPatientsKey(hot: HotDatabase, seat: Seat): Promise<CryptoKey | null> {
  const value = (await hot.facts.get(patientsKeyFact))?.value
  if (!isKeptKey(value) || value.store_id !== seat.store_id || value.id_user !== seat.id_user) return null
  return value.key
}

/** Keeps a key that the server gave, unless its person has gone meanwhile. @returns what is kept now */
export async function keepPatientsKey(hot: HotDatabase, seat: Seat, key: CryptoKey): Promise<CryptoKey | null> {
  return await hot.transaction('rw', hot.facts, hot.session, async () => {
    const home = (await hot.session.get('session'))?.home
    if (home?.id_user !== seat.id_user || home.store_id !== seat.store_id) return null
    await hot.facts.put({ key: patientsKeyFact, value: { ...pick(seat), key } satisfies KeptKey })
    return key
  })
}

const pick = ({ store_id, id_user }: Seat): Seat => ({ store_id, id_user })

function isKeptKey(value: unknown): value is KeptKey {
  return typeof value === 'object' && value !== null && 'store_id' in value && 'id_user' in value && 'key' in value
}
