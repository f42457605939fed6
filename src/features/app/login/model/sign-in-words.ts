import { blockedWords } from '#src/sync/session/lockout.ts'
import { showToast } from '#src/ui/toast-store.ts'

/**
 * What the form shows when it did not work: the specification's sentence, and why where we know more. `isBlock`: the form waits. Its button
 * counts down and the toast has told the seconds, so a sentence with a number in it would be wrong a second later.
 */
export type SignInProblem = { sentence: string; reason: string | null; isBlock?: true }

/** What to show of a problem now: a block's own words only while it lasts, everything else only while the form is open. */
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

/** What a form keeps of a block of the server: nothing more than the toast and the button say, but for PINs. */
export function blockProblem(code: string | null, message: string): SignInProblem {
  return code === 'pins-off'
    ? { sentence: sentences.pinsOff, reason: message, isBlock: true }
    : { sentence: '', reason: null, isBlock: true }
}
/** What a scan is answered where nobody is signed in. */
export const notCounted = 'Not counted. Sign in first.'

export function tellBlocked(seconds: number): void {
  showToast({ ...blockedWords(seconds), tone: 'bad' })
}
