import { decryptBytes, encryptBytes, encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'

/**
 * Typed text that is not saved yet. Every draft is encrypted with a key of this device and this user. So a reload loses
 * nothing, and no other user of a shared tablet sees it. A place of a patient is also encrypted with the key for
 * patients.
 */

/** `patient:` holds data of a patient, `own:` never does. The rest names the form and its object. */
export type DraftPlace = `patient: ${string}` | `own: ${string}`

export type DraftParts = Pick<Device, 'hot' | 'session' | 'serverNow'>
type KeptDraft = { kept_at: number; text: Uint8Array }
/** The keys of one place, from the inner to the outer one; null when one is missing. */
type Keys = readonly CryptoKey[] | null

const keptDays = 7
const prefix = 'draft '
/**
 * Earlier versions kept drafts of patients here, encrypted only with the key for patients. An update loses none of
 * them.
 */
const formerPrefix = 'patient-draft '
const keyPrefix = 'key-of-drafts '

export const isOfPatient = (place: DraftPlace): boolean => place.startsWith('patient: ')

/**
 * Returns true when the draft is on the disk. It needs a user, and in a place of a patient also the key for patients.
 */
export async function keepDraft(parts: DraftParts, place: DraftPlace, content: unknown): Promise<boolean> {
  const seat = seatOf(parts)
  const keys = seat && (await keysOf(parts.hot, seat, place, makePersonKey))
  if (!keys) return false
  let text = new TextEncoder().encode(JSON.stringify(content))
  for (const key of keys) text = Uint8Array.from(await encryptBytes(key, text, place))
  await parts.hot.transaction('rw', parts.hot.facts, async () => {
    await parts.hot.facts.put({ key: factOf(seat, place), value: { kept_at: parts.serverNow(), text } satisfies KeptDraft })
    await parts.hot.facts.delete(formerFactOf(seat, place))
  })
  return true
}

/** Returns null when there is no draft, or when it cannot be read now. */
export async function readDraft(parts: DraftParts, place: DraftPlace): Promise<unknown> {
  const seat = seatOf(parts)
  if (!seat) return null
  await dropOldDrafts(parts)
  try {
    const text = (await textOf(parts.hot, seat, place)) ?? (isOfPatient(place) ? await formerTextOf(parts.hot, seat, place) : null)
    return text === null ? null : (JSON.parse(text) as unknown)
  } catch (error) {
    if (error instanceof UnreadableWithKey || error instanceof SyntaxError) return null
    throw error
  }
}

export async function dropDraft(parts: DraftParts, place: DraftPlace): Promise<void> {
  const seat = seatOf(parts)
  if (seat) await parts.hot.facts.bulkDelete([factOf(seat, place), formerFactOf(seat, place)])
}

type Seat = { id_user: number; store_id: number }

function seatOf({ session }: DraftParts): Seat | null {
  return session.state.getState().home
}

async function textOf(hot: HotDatabase, seat: Seat, place: DraftPlace): Promise<string | null> {
  const keys = await keysOf(hot, seat, place, personKey)
  const value = (await hot.facts.get(factOf(seat, place)))?.value
  if (!keys || !isKeptDraft(value)) return null
  let { text } = value
  for (const key of keys.toReversed()) text = new Uint8Array(await decryptBytes(key, text, place))
  return new TextDecoder().decode(text)
}

async function formerTextOf(hot: HotDatabase, seat: Seat, place: DraftPlace): Promise<string | null> {
  const key = await keptPatientsKey(hot, seat)
  const value = (await hot.facts.get(formerFactOf(seat, place)))?.value
  return key && isKeptDraft(value) ? await encryptedCodec(key).decode(value.text) : null
}

const factOf = ({ id_user, store_id }: Seat, place: DraftPlace) => `${prefix}${id_user} ${store_id} ${place}`

const formerFactOf = ({ id_user, store_id }: Seat, place: DraftPlace) =>
  `${formerPrefix}${id_user} ${store_id} ${place.replace(/^patient: /, '')}`

async function keysOf(hot: HotDatabase, seat: Seat, place: DraftPlace, person: typeof personKey): Promise<Keys> {
  const patients = isOfPatient(place) ? await keptPatientsKey(hot, seat) : null
  if (isOfPatient(place) && !patients) return null
  const own = await person(hot, seat)
  return own && (patients ? [patients, own] : [own])
}

/** Returns the key of this user on this device; null before their first draft. */
async function personKey(hot: HotDatabase, { id_user }: Seat): Promise<CryptoKey | null> {
  return keyIn((await hot.facts.get(`${keyPrefix}${id_user}`))?.value)
}

/** Returns the same key to every window; null when the page has no cryptography. */
async function makePersonKey(hot: HotDatabase, seat: Seat): Promise<CryptoKey | null> {
  const known = await personKey(hot, seat)
  // A page over plain http has no `subtle`, although its type says so.
  const subtle = globalThis.crypto.subtle as SubtleCrypto | undefined
  if (known || !subtle) return known
  const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  return await hot.transaction('rw', hot.facts, async () => {
    const first = await personKey(hot, seat)
    if (!first) await hot.facts.put({ key: `${keyPrefix}${seat.id_user}`, value: { key } })
    return first ?? key
  })
}

function keyIn(value: unknown): CryptoKey | null {
  return typeof value === 'object' && value !== null && 'key' in value ? (value.key as CryptoKey) : null
}

async function dropOldDrafts({ hot, serverNow }: DraftParts): Promise<void> {
  const oldest = serverNow() - keptDays * 86_400_000
  await hot.facts
    .where('key')
    .startsWithAnyOf([prefix, formerPrefix])
    .filter(({ value }) => !isKeptDraft(value) || value.kept_at < oldest)
    .delete()
}

function isKeptDraft(value: unknown): value is KeptDraft {
  return typeof value === 'object' && value !== null && 'kept_at' in value && 'text' in value
}
