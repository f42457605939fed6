import type { HomeInfo } from '#contract/people/session.ts'
import type { Device, OfflineAnswer } from '#src/sync/device/device.ts'
import type { Lockout } from '#src/sync/session/lockout.ts'
import { askServer, beginKeeping, refuse } from '../actions.ts'
import { tellBlocked, type SignInProblem } from './sign-in-words.ts'
import { problemOf } from './without-server.ts'

type UnlockDevice = Pick<Device, 'call' | 'session' | 'deviceId' | 'offline' | 'connection'>

/**
 * The signed-in user proves to be there. This tablet checks a password. The server checks a PIN first, because its yes
 * opens more. The server also checks first when the session has ended.
 * `byServer`: only the server checks, because the caller needs a session. `leaving`: the page that a colleague's PIN
 * leaves; without it, the tablet stays with its user. Returns null when it is open.
 */
export async function unlock(
  device: UnlockDevice,
  lockout: Lockout,
  home: HomeInfo,
  typed: { password: string } | { pin: string },
  { byServer = false, leaving }: { byServer?: boolean; leaving?: string | undefined } = {},
): Promise<SignInProblem | null> {
  const left = lockout.secondsLeft()
  if (left > 0) {
    tellBlocked(left)
    return null
  }
  const isPin = 'pin' in typed
  const what = isPin ? 'PIN' : 'password'
  const hasEnded = device.session.state.getState().ended !== null
  const hereFirst = !byServer && !hasEnded && (!isPin || device.connection.getState().online === false)
  let here = hereFirst ? await tryHere(device, typed) : null
  if (here?.kind === 'open') return opened(lockout)
  const secret = isPin ? typed : { username: home.username, ...typed }
  const keep = beginKeeping(device, secret)
  const answer = await askServer(device, secret)
  if (answer.ok) {
    if (answer.value.id_user !== home.id_user) {
      if (leaving !== undefined) {
        await device.session.switchUser(answer.value, leaving)
        keep()
        return opened(lockout)
      }
      void device.session.turnAway(answer.value)
      return { sentence: `That’s not ${home.first_name}’s ${what}.`, reason: 'To sign in as yourself, press Switch user.' }
    }
    await device.session.signIn(answer.value)
    keep()
    return opened(lockout)
  }
  if (answer.failure.kind === 'unreachable' && !byServer) {
    here ??= await tryHere(device, typed)
    if (here.kind === 'open') return opened(lockout)
    const unknown = { sentence: 'You’re offline.', reason: `This tablet can’t check your ${what} offline.` }
    return problemOf(here, lockout, isPin) ?? unknown
  }
  return refuse(device, answer.failure, lockout, secret)
}

function opened(lockout: Lockout): null {
  lockout.succeed()
  return null
}

async function tryHere(device: UnlockDevice, typed: { password: string } | { pin: string }): Promise<OfflineAnswer> {
  try {
    return await (await device.offline()).unlock(typed)
  } catch {
    // The code or the disk cannot be read. The server can still check.
    return { kind: 'none' }
  }
}
