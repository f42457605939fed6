import { createStore } from 'zustand/vanilla'
import { lockout } from '#contract/people/session.ts'

/** The form: each counts its own failures. Clocking in and out has one count on all screens. */
export type GuardedForm = 'password' | 'pin' | 'clock'

export type LockoutState = {
  failures: number
  /** Blocked until this moment (ms); 0 when not blocked. */
  blockedUntil: number
}

/** The words of a toast. */
export type ToastWords = { title: string; description: string }

export const tooManyAttempts: ToastWords = {
  title: 'Too Many Attempts',
  description: `Your account has been temporarily blocked. Please try again in ${lockout.seconds} seconds.`,
}

export function blockedWords(seconds: number): ToastWords {
  return { title: 'Login Blocked', description: waitSentence(seconds) }
}

export function waitSentence(seconds: number): string {
  return `Please wait ${seconds} seconds before trying again.`
}

export type Lockout = ReturnType<typeof createLockout>

/**
 * Three failures block a form for a minute; then the count starts again. The server also counts, for everyone who tries
 * the same account. Its refusal (429 with a time to wait) blocks the form too.
 */
export function createLockout(now: () => number = () => Date.now()) {
  const state = createStore<LockoutState>(() => ({ failures: 0, blockedUntil: 0 }))

  function secondsLeft(): number {
    return Math.max(0, Math.ceil((state.getState().blockedUntil - now()) / 1000))
  }

  function blockFor(seconds: number): void {
    state.setState({ failures: 0, blockedUntil: now() + seconds * 1000 })
  }

  return {
    state,
    secondsLeft,
    /** Counts a failed attempt. Returns true when it blocks the form. */
    fail(): boolean {
      const failures = state.getState().failures + 1
      if (failures >= lockout.failures) {
        blockFor(lockout.seconds)
        return true
      }
      state.setState({ failures })
      return false
    },
    /** The server blocks: for its own time, or the usual time. Returns the seconds. */
    obey(retryAfterS: number | null): number {
      const seconds = Math.max(1, Math.ceil(retryAfterS ?? lockout.seconds))
      blockFor(seconds)
      return seconds
    },
    succeed(): void {
      state.setState({ failures: 0, blockedUntil: 0 })
    },
  }
}

// Kept outside of the screen, so that turning the card or leaving the page does not lift a block.
const lockouts: Record<GuardedForm, Lockout> = { password: createLockout(), pin: createLockout(), clock: createLockout() }

export function lockoutOf(form: GuardedForm): Lockout {
  return lockouts[form]
}
