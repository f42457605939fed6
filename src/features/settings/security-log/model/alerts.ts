import { createStore } from 'zustand/vanilla'
import { securityLogEndpoints } from '#contract/people/security-log.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

const timeoutMs = 15_000

/** The alerts that the signed-in user has not seen, for the menu and the page. */
export const alertStore = createStore<{ unseen: number; newestId: number }>(() => ({ unseen: 0, newestId: 0 }))

/** Asks the server for the number of unseen alerts. Keeps the present one when no answer comes. */
export async function readAlerts(device: Pick<Device, 'call'>): Promise<void> {
  const answer = await device.call(securityLogEndpoints.securityAlerts, {}, { timeoutMs })
  if (answer.ok) alertStore.setState({ unseen: answer.value.unseen, newestId: answer.value.newest_id })
}

/** Marks the alerts as seen, up to the newest one that the server reported. */
export async function markAlertsSeen(device: Pick<Device, 'call'>): Promise<Outcome<unknown>> {
  const up_to = alertStore.getState().newestId
  const answer = await device.call(securityLogEndpoints.markAlertsSeen, { body: { up_to } }, { timeoutMs })
  if (answer.ok) await readAlerts(device)
  return answer
}
