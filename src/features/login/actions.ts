import { sessionEndpoints, type SignedIn } from '#contract/session.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device.ts'
import { blockedWords, tooManyAttempts, waitSentence, type Lockout } from '#src/sync/lockout.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { riskToken } from './risk-token.ts'

type SignInDevice = Pick<Device, 'call' | 'session' | 'deviceId'>

/** What the form shows when it did not work: the specification's sentence, and why where we know more. */
export type SignInProblem = { sentence: string; reason: string | null }

const timeoutMs = 20_000

export const sentences = {
  failed: 'An error occurred during login. Please try again.',
  wrongPin: 'Incorrect PIN. Please try again.',
} as const

export async function signInWithPassword(
  device: SignInDevice,
  lockout: Lockout,
  form: { username: string; password: string },
): Promise<SignInProblem | null> {
  return attempt(device, lockout, 'password', (recaptcha_token) =>
    device.call(sessionEndpoints.logIn, { body: { ...form, recaptcha_token, device_id: device.deviceId } }, { timeoutMs }),
  )
}

export async function signInWithPin(
  device: SignInDevice,
  lockout: Lockout,
  form: { express_login: string },
): Promise<SignInProblem | null> {
  return attempt(device, lockout, 'pin', (recaptcha_token) =>
    device.call(sessionEndpoints.logInWithPin, { body: { ...form, recaptcha_token, device_id: device.deviceId } }, { timeoutMs }),
  )
}

/** One attempt, with all its toasts. Null when the person is signed in. */
async function attempt(
  device: SignInDevice,
  lockout: Lockout,
  form: 'password' | 'pin',
  send: (riskToken: string) => Promise<Outcome<SignedIn>>,
): Promise<SignInProblem | null> {
  const left = lockout.secondsLeft()
  if (left > 0) {
    tellBlocked(left)
    return null
  }
  const token = await riskToken(device)
  const answer = token.ok ? await send(token.value) : token
  if (answer.ok) {
    await device.session.signIn(answer.value)
    lockout.succeed()
    showToast({ title: 'Login Successful', description: 'You have been successfully logged in.', tone: 'good' })
    return null
  }
  return refuse(answer.failure, lockout, form)
}

function refuse(failure: Failure, lockout: Lockout, form: 'password' | 'pin'): SignInProblem {
  if (failure.kind === 'refused' && failure.status === 429) {
    const seconds = lockout.obey(failure.retryAfterS)
    tellBlocked(seconds)
    return { sentence: waitSentence(seconds), reason: null }
  }
  const wrong = failure.kind === 'refused' && ['login-wrong', 'pin-wrong'].includes(failure.code)
  // Only what was wrong counts. A network that is down says nothing about who is standing here.
  const blocks = wrong && lockout.fail()
  if (blocks) {
    showToast({ ...tooManyAttempts, tone: 'bad' })
  } else {
    showToast({
      title: 'Login Failed',
      description: form === 'pin' && wrong ? sentences.wrongPin : 'An error occurred during login. Please try again',
      tone: 'bad',
    })
  }
  return { sentence: form === 'pin' && wrong ? sentences.wrongPin : sentences.failed, reason: reasonOf(failure) }
}

function reasonOf(failure: Failure): string | null {
  if (failure.kind === 'unreachable') return 'The server could not be reached. What was saved on this device stays there and is sent later.'
  if (failure.kind === 'refused' && !['login-wrong', 'pin-wrong'].includes(failure.code)) return failure.message
  return null
}

export function tellBlocked(seconds: number): void {
  showToast({ ...blockedWords(seconds), tone: 'bad' })
}
