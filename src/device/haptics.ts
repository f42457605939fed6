import type { ToneName } from './sound.ts'

/** Vibration patterns, in ms of shaking and pause. iPads have no such motor, and nothing depends on it. */
export const shakes: Record<ToneName, readonly number[]> = {
  counted: [30],
  duplicate: [20, 40, 20],
  'set-aside': [60, 40, 60],
  unknown: [200],
  'model-only': [40, 40],
  undone: [10],
  stop: [120, 60, 120, 60, 120],
  'not-recorded': [300],
}

/** Shakes the tablet. Returns false when it cannot. */
export function shake(name: ToneName): boolean {
  if (typeof navigator === 'undefined' || typeof navigator.vibrate !== 'function') return false
  return navigator.vibrate([...shakes[name]])
}
