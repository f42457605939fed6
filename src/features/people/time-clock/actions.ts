import { v7 as uuidv7 } from 'uuid'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { RequestOf } from '#contract/core/endpoint.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

type Resolving = RequestOf<typeof timeCardEndpoints.resolvePunch>['body']
type Correcting = Omit<RequestOf<typeof timeCardEndpoints.correctPunch>['body'], 'id'>

const timeoutMs = 15_000

/** Ends the review of a punch. Returns null, or why it failed. */
export async function resolvePunch(device: Device, id: string, body: Resolving): Promise<Failure | null> {
  const answer = await device.call(timeCardEndpoints.resolvePunch, { params: { id }, body }, { timeoutMs })
  return answer.ok ? null : answer.failure
}

/**
 * Returns a function that sends a correction.
 * A retry of the same correction keeps its id, so that the server applies it once.
 */
export function createCorrecting(device: Device): (correction: Correcting) => Promise<Failure | null> {
  let last: { text: string; id: string } | null = null
  return async (correction) => {
    const text = JSON.stringify(correction)
    if (last?.text !== text) last = { text, id: uuidv7() }
    const answer = await device.call(timeCardEndpoints.correctPunch, { body: { ...correction, id: last.id } }, { timeoutMs })
    return answer.ok ? null : answer.failure
  }
}
