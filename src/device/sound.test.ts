import { afterEach, describe, expect, test, vi } from 'vitest'
import { createSound, tones } from './sound.ts'
import { shake, shakes } from './haptics.ts'

class FakeAudio {
  static opened: FakeAudio[] = []
  state = 'suspended'
  currentTime = 0
  destination = {}
  beeps: number[] = []
  constructor() {
    FakeAudio.opened.push(this)
  }
  resume() {
    this.state = 'running'
    return Promise.resolve()
  }
  close() {
    return Promise.resolve()
  }
  createOscillator() {
    return {
      type: 'sine',
      frequency: { value: 0 },
      connect: () => ({ connect: () => undefined }),
      start: (at: number) => this.beeps.push(at),
      stop: () => undefined,
    }
  }
  createGain() {
    return { gain: { setValueAtTime: () => undefined, exponentialRampToValueAtTime: () => undefined } }
  }
}

function storageOf(text: string | null = null) {
  let kept = text
  return { getItem: () => kept, setItem: (_key: string, value: string) => void (kept = value) }
}

afterEach(() => {
  vi.unstubAllGlobals()
  FakeAudio.opened = []
})

describe('the sounds of a count', () => {
  test('no two outcomes sound the same', () => {
    const patterns = Object.values(tones).map((beeps) => JSON.stringify(beeps.map(({ hz, at, ms }) => [hz, at, ms])))
    expect(new Set(patterns).size).toBe(8)
  })

  test('errors sound lower and longer than a success', () => {
    const length = (name: keyof typeof tones) => Math.max(...tones[name].map((beep) => beep.at + beep.ms))
    expect(length('unknown')).toBeGreaterThan(4 * length('counted'))
    expect(length('not-recorded')).toBeGreaterThan(length('unknown'))
  })

  test('one press opens one speaker, which plays every tone', async () => {
    vi.stubGlobal('AudioContext', FakeAudio)
    const sound = createSound(storageOf())
    sound.play('counted')
    expect(FakeAudio.opened).toHaveLength(0)
    expect(await sound.open()).toBe(true)
    await sound.open()
    sound.play('duplicate')
    expect(FakeAudio.opened).toHaveLength(1)
    expect(FakeAudio.opened[0]?.beeps).toHaveLength(2)
  })

  test('muted means silent, and stays so on this device', async () => {
    vi.stubGlobal('AudioContext', FakeAudio)
    const storage = storageOf()
    const sound = createSound(storage)
    await sound.open()
    sound.set({ muted: true })
    sound.play('unknown')
    expect(FakeAudio.opened[0]?.beeps).toEqual([])
    expect(createSound(storage).settings()).toEqual({ volume: 0.7, muted: true })
  })

  test('a device without a speaker says so and continues', async () => {
    vi.stubGlobal(
      'AudioContext',
      class {
        constructor() {
          throw new Error('no audio hardware')
        }
      },
    )
    const sound = createSound(storageOf('not json'))
    expect(await sound.open()).toBe(false)
    expect(() => sound.play('counted')).not.toThrow()
  })
})

describe('vibration', () => {
  test('no two outcomes feel the same', () => {
    expect(new Set(Object.values(shakes).map(String)).size).toBe(8)
  })

  test('a tablet without a motor causes no error', () => {
    vi.stubGlobal('navigator', {})
    expect(shake('counted')).toBe(false)
  })

  test('the motor gets the pattern of the outcome', () => {
    const vibrate = vi.fn(() => true)
    vi.stubGlobal('navigator', { vibrate })
    expect(shake('set-aside')).toBe(true)
    expect(vibrate).toHaveBeenCalledWith([60, 40, 60])
  })
})
