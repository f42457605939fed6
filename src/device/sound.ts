/**
 * Short tones made by the browser: no file to load, nothing to fail offline. A browser allows sound only after a user
 * has pressed something, so call `open` from a press.
 */
export type ToneName = 'counted' | 'duplicate' | 'set-aside' | 'unknown' | 'model-only' | 'undone' | 'not-recorded' | 'stop'

/** One beep: frequency in Hz, start and length in ms, and relative loudness. */
type Beep = { hz: number; at: number; ms: number; loud: number; shape: OscillatorType }

/** A user tells them apart without looking: high is good, low is bad, and worse lasts longer. */
export const tones: Record<ToneName, readonly Beep[]> = {
  counted: [{ hz: 1760, at: 0, ms: 70, loud: 0.6, shape: 'sine' }],
  duplicate: [
    { hz: 880, at: 0, ms: 60, loud: 0.5, shape: 'sine' },
    { hz: 880, at: 110, ms: 60, loud: 0.5, shape: 'sine' },
  ],
  'set-aside': [
    { hz: 523, at: 0, ms: 90, loud: 0.8, shape: 'triangle' },
    { hz: 659, at: 110, ms: 90, loud: 0.8, shape: 'triangle' },
    { hz: 784, at: 220, ms: 140, loud: 0.8, shape: 'triangle' },
  ],
  unknown: [{ hz: 165, at: 0, ms: 480, loud: 1, shape: 'square' }],
  'model-only': [
    { hz: 784, at: 0, ms: 110, loud: 0.7, shape: 'triangle' },
    { hz: 523, at: 130, ms: 150, loud: 0.7, shape: 'triangle' },
  ],
  // A question is on the screen, and work stops until the user answers it: three hard knocks.
  stop: [
    { hz: 294, at: 0, ms: 130, loud: 1, shape: 'square' },
    { hz: 294, at: 190, ms: 130, loud: 1, shape: 'square' },
    { hz: 294, at: 380, ms: 130, loud: 1, shape: 'square' },
  ],
  undone: [{ hz: 320, at: 0, ms: 22, loud: 0.4, shape: 'sine' }],
  'not-recorded': [
    { hz: 147, at: 0, ms: 420, loud: 1, shape: 'square' },
    { hz: 147, at: 520, ms: 520, loud: 1, shape: 'square' },
  ],
}

export type SoundSettings = { volume: number; muted: boolean }

export type Sound = {
  /** Opens the speaker; call it from a press. Resolves to whether tones will be heard. */
  open: () => Promise<boolean>
  play: (name: ToneName) => void
  settings: () => SoundSettings
  /** Volume from 0 to 1. Kept on this device. */
  set: (settings: Partial<SoundSettings>) => void
  subscribe: (listener: () => void) => () => void
  close: () => void
}

const settingsKey = 'lorgnette-sound'

/** @param storage keeps volume and mute; null when nothing may be kept */
export function createSound(storage: Pick<Storage, 'getItem' | 'setItem'> | null): Sound {
  let context: AudioContext | null = null
  let settings = readSettings(storage)
  const listeners = new Set<() => void>()

  return {
    async open() {
      try {
        context ??= new AudioContext({ latencyHint: 'interactive' })
        if (context.state !== 'running') await context.resume()
        return context.state === 'running'
      } catch {
        // A device without a speaker still counts: words, colors and vibration remain.
        context = null
        return false
      }
    },
    play(name) {
      if (settings.muted || !context) return
      // A call or a locked screen suspends the speaker. Resume it for the next tone.
      if (context.state !== 'running') void context.resume().catch(() => undefined)
      const begin = context.currentTime
      for (const beep of tones[name]) beepOn(context, begin, beep, settings.volume)
    },
    settings: () => settings,
    set(change) {
      settings = { ...settings, ...change }
      try {
        storage?.setItem(settingsKey, JSON.stringify(settings))
      } catch {
        // With full or forbidden storage, only the volume is not remembered.
      }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      void context?.close().catch(() => undefined)
      context = null
    },
  }
}

let sound: Sound | null = null

/** The one speaker of this page. */
export function pageSound(): Sound {
  sound ??= createSound(typeof localStorage === 'undefined' ? null : localStorage)
  return sound
}

function beepOn(context: AudioContext, begin: number, beep: Beep, volume: number): void {
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  const start = begin + beep.at / 1000
  const end = start + beep.ms / 1000
  const peak = Math.max(0.0001, volume * beep.loud * (beep.shape === 'square' ? 0.35 : 0.8))
  oscillator.type = beep.shape
  oscillator.frequency.value = beep.hz
  // Soft edges: a tone cut off at once clicks.
  gain.gain.setValueAtTime(0.0001, start)
  gain.gain.exponentialRampToValueAtTime(peak, start + 0.006)
  gain.gain.setValueAtTime(peak, Math.max(start + 0.006, end - 0.02))
  gain.gain.exponentialRampToValueAtTime(0.0001, end)
  oscillator.connect(gain).connect(context.destination)
  oscillator.start(start)
  oscillator.stop(end + 0.01)
}

function readSettings(storage: Pick<Storage, 'getItem'> | null): SoundSettings {
  const usual: SoundSettings = { volume: 0.7, muted: false }
  try {
    const kept: unknown = JSON.parse(storage?.getItem(settingsKey) ?? 'null')
    if (typeof kept !== 'object' || kept === null) return usual
    const volume = 'volume' in kept && typeof kept.volume === 'number' ? Math.min(1, Math.max(0, kept.volume)) : usual.volume
    return { volume, muted: 'muted' in kept && kept.muted === true }
  } catch {
    return usual
  }
}
