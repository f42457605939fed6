/** `held`: the screen stays on. `refused`: the device said no (low battery, a setting). `unsupported`: it cannot. */
export type WakeState = 'released' | 'held' | 'refused' | 'unsupported'

export type WakeLock = {
  /** Keeps the screen on until `release`, even after the page was hidden for a while. */
  hold: () => Promise<WakeState>
  release: () => void
  state: () => WakeState
  subscribe: (listener: () => void) => () => void
}

/** Keeps the screen on during a count: a tablet that goes dark after a minute breaks the rhythm. */
export function createWakeLock(): WakeLock {
  let wanted = false
  let sentinel: WakeLockSentinel | null = null
  let state: WakeState = 'released'
  const listeners = new Set<() => void>()

  function become(next: WakeState): WakeState {
    if (next !== state) {
      state = next
      for (const listener of listeners) listener()
    }
    return state
  }

  async function request(): Promise<WakeState> {
    if (!('wakeLock' in navigator)) return become('unsupported')
    try {
      const lock = await navigator.wakeLock.request('screen')
      if (!wanted) {
        await lock.release()
        return become('released')
      }
      sentinel = lock
      lock.addEventListener('release', () => {
        if (sentinel === lock) {
          sentinel = null
          become('released')
        }
      })
      return become('held')
    } catch {
      return become('refused')
    }
  }

  // The browser takes the lock away whenever the page is hidden.
  function onVisible(): void {
    if (wanted && !sentinel && document.visibilityState === 'visible') void request()
  }

  return {
    hold() {
      if (!wanted) {
        wanted = true
        document.addEventListener('visibilitychange', onVisible)
      }
      return sentinel ? Promise.resolve(state) : request()
    },
    release() {
      wanted = false
      document.removeEventListener('visibilitychange', onVisible)
      const held = sentinel
      sentinel = null
      void held?.release().catch(() => undefined)
      become('released')
    },
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
