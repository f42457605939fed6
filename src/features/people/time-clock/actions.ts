import { v7 as uuidv7 } from 'uuid'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import type { RequestOf } from '#contract/core/endpoint.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

type Resolving = RequestOf<typeof timeCardEndpoints.resolvePunch>['body']
type Correcting = Omit<RequestOf<typeof timeCardEndpoints.correctPunch>['body'], 'id'>

const timeoutMs = 15_000

/** Ends the review of a punch. Null when it is done. */
export async function resolvePunch(device: Device, id: string, body: Resolving): Promise<Failure | null> {
  const answer = await device.call(timeCardEndpoints.resolvePunch, { params: { id }, body }, { timeoutMs })
  return answer.ok ? null : answer.failure
}

/**
 * Makes a correction that can be sent again after a lost answer without being made twice: it keeps its id for as long as
 * what it says is the same.
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
