import type { Device, OfflineAnswer, Secret } from '#src/sync/device/device.ts'
import type { Lockout } from '#src/sync/session/lockout.ts'
import { formatDate } from '#src/ui/format.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { blockProblem, sentences, tellBlocked, type SignInProblem } from './sign-in-words.ts'

type OfflineDevice = Pick<Device, 'offline'>

/** Signs in without the server. Returns null when the user is in, and undefined when this tablet cannot check them. */
export async function signInWithoutServer(
  device: OfflineDevice,
  lockout: Lockout,
  secret: Secret,
): Promise<SignInProblem | null | undefined> {
  const answer = await (await device.offline()).signIn(secret)
  if (answer.kind !== 'open') return problemOf(answer, lockout, 'pin' in secret)
  lockout.succeed()
  showToast({
    title: 'Signed in offline',
    description:
      answer.by === 'pin'
        ? 'You can count and clock in. Patients need your password or a connection.'
        : `You can use everything on this tablet until ${formatDate(answer.until)}.`,
    tone: 'info',
  })
  return null
}

/** Returns undefined when this tablet does not know the user. */
export function problemOf(answer: Exclude<OfflineAnswer, { kind: 'open' }>, lockout: Lockout, isPin: boolean): SignInProblem | undefined {
  if (answer.kind === 'wait') {
    const seconds = lockout.obey(answer.seconds)
    tellBlocked(seconds)
    return blockProblem(null, '')
  }
  if (answer.kind !== 'wrong') return undefined
  const what = isPin ? 'PIN' : 'password'
  const reason =
    answer.left === 0
      ? `Too many wrong tries. You now need a connection to sign in with this ${what}.`
      : `Wrong ${what}. ${answer.left === 1 ? '1 try' : `${answer.left} tries`} left.`
  return { sentence: isPin ? sentences.wrongPin : sentences.failed, reason }
}
