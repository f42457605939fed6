import { createStore } from 'zustand/vanilla'
import { securityLogEndpoints } from '#contract/people/security-log.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'

const timeoutMs = 15_000

/** The alerts that the person who is signed in has not seen, for the menu and the page. */
export const alertStore = createStore<{ unseen: number; newestId: number }>(() => ({ unseen: 0, newestId: 0 }))

/** Asks the server how many there are. What stood there stays when it does not answer. */
export async function readAlerts(device: Pick<Device, 'call'>): Promise<void> {
  const answer = await device.call(securityLogEndpoints.securityAlerts, {}, { timeoutMs })
  if (answer.ok) alertStore.setState({ unseen: answer.value.unseen, newestId: answer.value.newest_id })
}

/** Marks the alerts up to the newest one that was told of as seen. */
export async function markAlertsSeen(device: Pick<Device, 'call'>): Promise<Outcome<unknown>> {
  const up_to = alertStore.getState().newestId
  const answer = await device.call(securityLogEndpoints.markAlertsSeen, { body: { up_to } }, { timeoutMs })
  if (answer.ok) await readAlerts(device)
  return answer
}
