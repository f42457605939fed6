import { encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'

/**
 * What a person has typed of a patient and not saved yet: kept as patients are, encrypted under the tablet's key, so that a reload loses
 * nothing and the disk tells nothing. Only whoever typed it gets it back. Without that key nothing is kept.
 */

type Parts = Pick<Device, 'hot' | 'session' | 'serverNow'>
type KeptDraft = { kept_at: number; text: Uint8Array }

const keptDays = 7
const prefix = 'patient-draft '

/** @param place what is being typed: the id of a patient, or `new` */
export async function keepPatientDraft(parts: Parts, place: string, content: unknown): Promise<boolean> {
  const { hot } = parts
  const seat = seatOf(parts)
  const key = seat && (await keptPatientsKey(hot, seat.home))
  if (!key) return false
  const text = await encryptedCodec(key).encode(JSON.stringify(content))
  if (typeof text === 'string') throw new TypeError('What was to be encrypted is not')
  await hot.facts.put({ key: `${seat.prefix}${place}`, value: { kept_at: parts.serverNow(), text } satisfies KeptDraft })
  return true
}

/** Null where there is none, or where it cannot be read any more. */
export async function readPatientDraft(parts: Parts, place: string): Promise<unknown> {
  const { hot } = parts
  const seat = seatOf(parts)
  const key = seat && (await keptPatientsKey(hot, seat.home))
  if (!key) return null
  await dropOldDrafts(parts)
  const value = (await hot.facts.get(`${seat.prefix}${place}`))?.value
  if (!isKeptDraft(value)) return null
  try {
    return JSON.parse(await encryptedCodec(key).decode(value.text)) as unknown
  } catch (error) {
    if (error instanceof UnreadableWithKey || error instanceof SyntaxError) return null
    throw error
  }
}

export async function dropPatientDraft(parts: Parts, place: string): Promise<void> {
  const seat = seatOf(parts)
  if (seat) await parts.hot.facts.delete(`${seat.prefix}${place}`)
}

async function dropOldDrafts({ hot, serverNow }: Parts): Promise<void> {
  const oldest = serverNow() - keptDays * 86_400_000
  await hot.facts
    .where('key')
    .startsWith(prefix)
    .filter(({ value }) => !isKeptDraft(value) || value.kept_at < oldest)
    .delete()
}

function seatOf({ session }: Parts) {
  const { home } = session.state.getState()
  return home && { home, prefix: `${prefix}${home.id_user} ${home.store_id} ` }
}

function isKeptDraft(value: unknown): value is KeptDraft {
  return typeof value === 'object' && value !== null && 'kept_at' in value && 'text' in value
}
