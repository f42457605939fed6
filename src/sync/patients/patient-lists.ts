import type { Endpoint, ResponseOf } from '#contract/core/endpoint.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import * as v from 'valibot'

/** A reference list of patients' records: preferred people and stores, and primary care providers. */
export type SecretList = Endpoint & { cached: 'reference'; secret: true }

const factOf = ({ path }: Endpoint, { store_id }: HomeInfo) => `patient-list ${store_id} ${path}`

/**
 * Keeps a list, encrypted with the tablet's key for patients. The worker keeps a list only for the session. This copy
 * serves a user who signs in without a connection.
 */
export async function keepPatientList(hot: HotDatabase, home: HomeInfo, list: SecretList, value: unknown): Promise<void> {
  const key = await keptPatientsKey(hot, home)
  if (!key) return
  await hot.facts.put({ key: factOf(list, home), value: await encryptedCodec(key).encode(JSON.stringify(value)) })
}

/** Returns the tablet's copy of a list; null when there is none that can be read. */
export async function readPatientList<L extends SecretList>(
  { hot, session }: Pick<Device, 'hot' | 'session'>,
  list: L,
): Promise<ResponseOf<L> | null> {
  const { home } = session.state.getState()
  const kept = home && (await readKept(hot, home, list).catch(() => null))
  const read = v.safeParse(list.response, kept)
  return read.success ? (read.output as ResponseOf<L>) : null
}

async function readKept(hot: HotDatabase, home: HomeInfo, list: SecretList): Promise<unknown> {
  const key = await keptPatientsKey(hot, home)
  const value = key && (await hot.facts.get(factOf(list, home)))?.value
  if (!key || !(value instanceof Uint8Array)) return null
  try {
    return JSON.parse(await encryptedCodec(key).decode(value)) as unknown
  } catch (error) {
    // It was kept before the tablet got another key.
    if (error instanceof UnreadableWithKey) return null
    throw error
  }
}
