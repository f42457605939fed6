import { blockedWords } from '#src/sync/session/lockout.ts'
import { showToast } from '#src/ui/toast-store.ts'

/**
 * A problem in the form: the specification's sentence, and the reason where it is known. `isBlock`: the form waits. Its
 * button counts down, and the toast has named the seconds. A number in the sentence would be wrong a second later.
 */
export type SignInProblem = { sentence: string; reason: string | null; isBlock?: true }

/** Returns the problem to show now: a block's sentence only while it lasts, any other only while the form is open. */
export function shownProblem(problem: SignInProblem | null, isBlocked: boolean): SignInProblem | null {
  if (problem === null || problem.sentence === '') return null
  return (problem.isBlock === true) === isBlocked ? problem : null
}

export const sentences = {
  failed: 'An error occurred during login. Please try again.',
  wrongPin: 'Incorrect PIN. Please try again.',
  pinNeedsPassword: 'Sign in with your password once on this tablet.',
  pinsOff: 'PINs are turned off for now.',
} as const

/** Returns what the form shows during a server's block. The toast and the button say enough, except for PINs. */
export function blockProblem(code: string | null, message: string): SignInProblem {
  return code === 'pins-off'
    ? { sentence: sentences.pinsOff, reason: message, isBlock: true }
    : { sentence: '', reason: null, isBlock: true }
}
/** The answer to a scan while nobody is signed in. */
export const notCounted = 'Not counted. Sign in first.'

export function tellBlocked(seconds: number): void {
  showToast({ ...blockedWords(seconds), tone: 'bad' })
}
