import type { Endpoint, ResponseOf } from '#contract/core/endpoint.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { encryptedCodec, UnreadableWithKey } from '#src/db/packed/encrypted-codec.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keptPatientsKey } from '#src/sync/patients/patients-key.ts'
import * as v from 'valibot'

/** What patients are described with: whom and where they prefer, and who looks after them. */
export const patientLists = [pcpEndpoints.pcpCards, patientEndpoints.patientChoices] as const
type PatientList = (typeof patientLists)[number]

const factOf = ({ path }: Endpoint, { store_id }: HomeInfo) => `patient-list ${store_id} ${path}`

/**
 * Keeps a list under the tablet's key for patients. The worker keeps what was last seen in a session, and forgets it with the session: for
 * whoever signs in without a connection there is this.
 */
export async function keepPatientList(hot: HotDatabase, home: HomeInfo, list: PatientList, value: unknown): Promise<void> {
  const key = await keptPatientsKey(hot, home)
  if (!key) return
  await hot.facts.put({ key: factOf(list, home), value: await encryptedCodec(key).encode(JSON.stringify(value)) })
}

/** A list from the server, or else as this tablet has it. */
export async function loadPatientList<L extends PatientList>(
  { call, hot, session }: Pick<Device, 'call' | 'hot' | 'session'>,
  list: L,
  options: { timeoutMs: number },
): Promise<Outcome<ResponseOf<L>>> {
  const answer = (await call<PatientList>(list, {}, options)) as Outcome<ResponseOf<L>>
  if (answer.ok || answer.failure.kind !== 'unreachable') return answer
  const { home } = session.state.getState()
  const kept = home && (await readKept(hot, home, list).catch(() => null))
  const read = v.safeParse(list.response, kept)
  return read.success ? { ok: true, value: read.output as ResponseOf<L> } : answer
}

async function readKept(hot: HotDatabase, home: HomeInfo, list: PatientList): Promise<unknown> {
  const key = await keptPatientsKey(hot, home)
  const value = key && (await hot.facts.get(factOf(list, home)))?.value
  if (!key || !(value instanceof Uint8Array)) return null
  try {
    return JSON.parse(await encryptedCodec(key).decode(value)) as unknown
  } catch (error) {
    // Of before the tablet got another key.
    if (error instanceof UnreadableWithKey) return null
    throw error
  }
}
