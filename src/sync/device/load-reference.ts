import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { readPatientList, type SecretList } from '#src/sync/patients/patient-lists.ts'

/** A list that seldom changes and is the same for everyone in a store. */
export type ReferenceEndpoint = Endpoint & { cached: 'reference' }

const timeoutMs = 15_000

/**
 * A reference list of the server. Without a connection the worker answers with the last list of this session. A secret
 * list also comes from the tablet.
 */
export async function loadReference<E extends ReferenceEndpoint>(
  device: Pick<Device, 'call' | 'hot' | 'session'>,
  list: E,
  options: { signal?: AbortSignal } = {},
): Promise<Outcome<ResponseOf<E>>> {
  const answer = (await device.call<Endpoint>(list, {} as RequestOf<Endpoint>, { timeoutMs, ...options })) as Outcome<ResponseOf<E>>
  if (answer.ok || answer.failure.kind !== 'unreachable' || !isSecret(list)) return answer
  const kept = await readPatientList(device, list)
  return kept === null ? answer : { ok: true, value: kept as ResponseOf<E> }
}

const isSecret = (list: ReferenceEndpoint): list is SecretList => list.secret === true
