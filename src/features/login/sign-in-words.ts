import { blockedWords } from '#src/sync/lockout.ts'
import { showToast } from '#src/ui/toast-store.ts'

/** What the form shows when it did not work: the specification's sentence, and why where we know more. */
export type SignInProblem = { sentence: string; reason: string | null }

export const sentences = {
  failed: 'An error occurred during login. Please try again.',
  wrongPin: 'Incorrect PIN. Please try again.',
} as const

export function tellBlocked(seconds: number): void {
  showToast({ ...blockedWords(seconds), tone: 'bad' })
}
