import { sessionEndpoints } from '#contract/people/session.ts'
import type { Location } from '#contract/people/session.ts'
import type { Device } from '#src/sync/device/device.ts'
import { loadReference } from '#src/sync/device/load-reference.ts'
import { showToast } from '#src/ui/toast-store.ts'

type SessionDevice = Pick<Device, 'call' | 'session' | 'deviceId' | 'hot'>

/** Returns the stores to choose from, or the session's own list without a network. */
export async function storesToChoose(device: SessionDevice): Promise<Location[]> {
  const answer = await loadReference(device, sessionEndpoints.storesToSet)
  return answer.ok ? answer.value.stores : (device.session.state.getState().home?.locations ?? [])
}

/** Changes the user's store. Returns a message if it failed, or null. */
export async function changeStore(device: SessionDevice, store: Location): Promise<string | null> {
  const answer = await device.call(sessionEndpoints.setStore, { body: { store_id: store.store_id, device_id: device.deviceId } })
  if (!answer.ok) {
    return answer.failure.kind === 'unreachable'
      ? 'Couldn’t reach the server. You need a connection to change stores.'
      : answer.failure.message
  }
  await device.session.updateHome(answer.value)
  showToast({ title: `You’re now working in ${answer.value.store_name}`, tone: 'good' })
  return null
}

/** Signs out. Returns true when the session is over on this device. */
export async function logOut(device: SessionDevice): Promise<boolean> {
  const answer = await device.session.signOut()
  const ended = device.session.state.getState().status === 0
  if (answer.ok) showToast({ title: 'Logout Successful', tone: 'good' })
  else showToast({ title: 'Logout Failed', description: 'An error occurred during logout. Please try again.', tone: 'bad' })
  return ended
}
