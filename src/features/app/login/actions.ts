import { pinDays, sessionEndpoints, type SignedIn } from '#contract/people/session.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import type { Device, Secret } from '#src/sync/device/device.ts'
import { offlineDays } from '#src/sync/session/offline-days.ts'
import { tooManyAttempts, type Lockout } from '#src/sync/session/lockout.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { riskToken } from './model/risk-token.ts'
import { blockProblem, sentences, tellBlocked, type SignInProblem } from './model/sign-in-words.ts'

type SignInDevice = Pick<Device, 'call' | 'session' | 'deviceId' | 'offline'>

const timeoutMs = 20_000

export async function signInWithPassword(
  device: SignInDevice,
  lockout: Lockout,
  form: { username: string; password: string },
): Promise<SignInProblem | null> {
  return attempt(device, lockout, form)
}

export async function signInWithPin(
  device: SignInDevice,
  lockout: Lockout,
  form: { express_login: string },
): Promise<SignInProblem | null> {
  return attempt(device, lockout, { pin: form.express_login })
}

/** Asks the server to sign in the user. */
export async function askServer(device: SignInDevice, secret: Secret): Promise<Outcome<SignedIn>> {
  const token = await riskToken(device)
  if (!token.ok) return token
  const signing_key = await device.session.signingKey()
  const rest = { recaptcha_token: token.value, device_id: device.deviceId, ...(signing_key && { signing_key }) }
  return 'pin' in secret
    ? await device.call(sessionEndpoints.logInWithPin, { body: { express_login: secret.pin, ...rest } }, { timeoutMs })
    : await device.call(sessionEndpoints.logIn, { body: { ...secret, ...rest } }, { timeoutMs })
}

/**
 * Prepares this tablet for a day without a connection. Nobody waits for it. If it fails, that day needs a connection.
 * The slow part runs while the server checks the sign-in.
 * @returns a function to call after the user is signed in
 */
export function beginKeeping(device: Pick<Device, 'offline'>, secret: Secret): () => void {
  const begun = device.offline().then((offline) => offline.prepare(secret))
  begun.catch(ignore)
  return () => {
    begun.then((keep) => keep()).catch(ignore)
  }
}

const ignore = () => undefined

function learnRefused(device: Pick<Device, 'offline'>, secret: Secret): void {
  device
    .offline()
    .then((offline) => offline.refused(secret))
    .catch(ignore)
}

/** Tries once to sign in, and shows the toasts. Returns null when the user is signed in. */
async function attempt(device: SignInDevice, lockout: Lockout, secret: Secret): Promise<SignInProblem | null> {
  const left = lockout.secondsLeft()
  if (left > 0) {
    tellBlocked(left)
    return null
  }
  const keep = beginKeeping(device, secret)
  const answer = await askServer(device, secret)
  if (answer.ok) {
    await device.session.signIn(answer.value)
    keep()
    lockout.succeed()
    showToast({ title: 'Login Successful', description: 'You have been successfully logged in.', tone: 'good' })
    return null
  }
  if (answer.failure.kind === 'unreachable') {
    const tried = await import('./model/without-server.ts')
      .then((code) => code.signInWithoutServer(device, lockout, secret))
      .catch(() => undefined)
    if (tried !== undefined) return tried
  }
  return refuse(device, answer.failure, lockout, secret)
}

/** Shows a toast for the server's refusal, and returns the problem for the form. */
export function refuse(device: Pick<Device, 'offline'>, failure: Failure, lockout: Lockout, secret: Secret): SignInProblem {
  const form = 'pin' in secret ? 'pin' : 'password'
  if (failure.kind === 'refused' && failure.status === 429) {
    const seconds = lockout.obey(failure.retryAfterS)
    tellBlocked(seconds)
    return blockProblem(failure.code, failure.message)
  }
  const wrong = failure.kind === 'refused' && ['login-wrong', 'pin-wrong'].includes(failure.code)
  // Only a wrong password or PIN counts. A network that is down says nothing about the user.
  const blocks = wrong && lockout.fail()
  if (wrong) learnRefused(device, secret)
  if (blocks) {
    showToast({ ...tooManyAttempts, tone: 'bad' })
  } else {
    showToast({
      title: 'Login Failed',
      description: form === 'pin' && wrong ? sentences.wrongPin : 'An error occurred during login. Please try again',
      tone: 'bad',
    })
  }
  if (failure.kind === 'refused' && failure.code === 'pin-needs-password') {
    return { sentence: sentences.pinNeedsPassword, reason: `Then your PIN works here for ${pinDays} days.` }
  }
  if (form === 'pin' && wrong) return { sentence: sentences.wrongPin, reason: whereAPinWorks }
  return { sentence: sentences.failed, reason: reasonOf(failure, form) }
}

/** The server is out of reach, and this tablet cannot check the user. */
const offlineReasons = {
  pin: 'You’re offline, and this tablet can’t check your PIN. Use your password.',
  password: `You’re offline. Only users who signed in on this tablet in the last ${offlineDays} days can sign in offline.`,
}

/** The server answers alike for a wrong PIN and for a PIN on the wrong tablet, so the form mentions both. */
const whereAPinWorks = `A PIN works on a tablet where you signed in with your password in the last ${pinDays} days.`

function reasonOf(failure: Failure, form: 'pin' | 'password'): string | null {
  if (failure.kind === 'unreachable') return offlineReasons[form]
  if (failure.kind === 'refused' && !['login-wrong', 'pin-wrong'].includes(failure.code)) return failure.message
  return null
}
