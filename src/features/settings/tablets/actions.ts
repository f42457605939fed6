import { type HeldCommand, heldWorkEndpoints } from '#contract/sync/held-work.ts'
import { tabletEndpoints } from '#contract/people/tablets.ts'
import type { Tablet } from '#contract/people/tablets.ts'
import { settingsEndpoints } from '#contract/settings/settings.ts'
import type { Failure } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

/** Ends every session of a tablet. Returns null, or why it failed. Nothing is queued. */
export async function revokeTablet(device: Pick<Device, 'call'>, { id_tablet }: Pick<Tablet, 'id_tablet'>): Promise<Failure | null> {
  const answer = await device.call(tabletEndpoints.revokeTablet, { params: { id: id_tablet } })
  return answer.ok ? null : answer.failure
}

/** Changes after how many idle minutes the store's tablets lock. Returns null, or why it failed. Nothing is queued. */
export async function saveLockMinutes(device: Pick<Device, 'call' | 'session'>, lock_minutes: number): Promise<Failure | null> {
  const { session } = device
  const store = session.state.getState().home?.store_id
  const answer = await device.call(settingsEndpoints.changeSecuritySettings, { body: { lock_minutes } })
  if (!answer.ok) return answer.failure
  const { home } = session.state.getState()
  if (home && home.store_id === store) await session.updateHome({ ...home, lock_minutes: answer.value.lock_minutes })
  return null
}

export type Decision = 'apply' | 'discard'

/**
 * Applies or discards work that waits for a manager. `problem` explains the work that could not be decided and still
 * waits.
 */
export async function decideHeldWork(
  device: Pick<Device, 'call'>,
  commands: readonly HeldCommand[],
  decision: Decision,
  reason: string,
): Promise<{ decided: number } | { title: string; problem: string }> {
  const body = { ids: commands.map(({ id }) => id), decision, reason }
  const answer = await device.call(heldWorkEndpoints.decideHeldWork, { body })
  if (!answer.ok) return { title: decision === 'apply' ? 'NOT APPLIED' : 'NOT DISCARDED', problem: answer.failure.message }
  const { decided, refused } = answer.value
  if (refused.length === 0) return { decided: decided.length }
  const reasons = [...new Set(refused.map(({ message }) => message))]
  return {
    title: decision === 'apply' ? 'NOT ALL APPLIED' : 'NOT ALL DISCARDED',
    problem: `${decided.length} of ${commands.length} ${decision === 'apply' ? 'applied' : 'discarded'}. The rest are still waiting: ${reasons.join('. ')}.`,
  }
}
