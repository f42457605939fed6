// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWakeLock } from './wake-lock.ts'
import { eventually } from '#tests/support/eventually.ts'

/** The browser's lock, given and taken away as a browser does it. */
class FakeSentinel extends EventTarget {
  released = false
  release(): Promise<void> {
    this.released = true
    this.dispatchEvent(new Event('release'))
    return Promise.resolve()
  }
}

let given: FakeSentinel[]
let request: () => Promise<FakeSentinel>

beforeEach(() => {
  given = []
  request = () => {
    const sentinel = new FakeSentinel()
    given.push(sentinel)
    return Promise.resolve(sentinel)
  }
  Object.defineProperty(navigator, 'wakeLock', { configurable: true, value: { request: () => request() } })
  see('visible')
})

afterEach(() => {
  Reflect.deleteProperty(navigator, 'wakeLock')
})

function see(state: 'visible' | 'hidden'): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
  document.dispatchEvent(new Event('visibilitychange'))
}

describe('the screen during a count', () => {
  test('stays on until the user leaves the count', async () => {
    const lock = createWakeLock()
    expect(await lock.hold()).toBe('held')
    lock.release()
    expect(given[0]?.released).toBe(true)
    expect(lock.state()).toBe('released')
  })

  test('stays on again when the page comes back, since the browser takes the lock of a hidden page', async () => {
    const lock = createWakeLock()
    await lock.hold()
    see('hidden')
    await given[0]?.release()
    expect(lock.state()).toBe('released')
    see('visible')
    await eventually(() => expect(lock.state()).toBe('held'))
    expect(given).toHaveLength(2)
    lock.release()
  })

  test('is requested once, however often the user presses Start', async () => {
    const lock = createWakeLock()
    await lock.hold()
    await lock.hold()
    expect(given).toHaveLength(1)
    lock.release()
  })

  test('says that the tablet refused, and informs its listeners', async () => {
    request = () => Promise.reject(new DOMException('low battery', 'NotAllowedError'))
    const lock = createWakeLock()
    const heard: string[] = []
    lock.subscribe(() => heard.push(lock.state()))
    expect(await lock.hold()).toBe('refused')
    expect(heard).toEqual(['refused'])
    lock.release()
  })

  test('says that this browser does not support it', async () => {
    Reflect.deleteProperty(navigator, 'wakeLock')
    expect(await createWakeLock().hold()).toBe('unsupported')
  })

  test('a lock that arrives after the user left the count is released', async () => {
    let give: (sentinel: FakeSentinel) => void = () => undefined
    request = () => new Promise((resolve) => (give = resolve))
    const lock = createWakeLock()
    const held = lock.hold()
    lock.release()
    const late = new FakeSentinel()
    give(late)
    expect(await held).toBe('released')
    expect(late.released).toBe(true)
  })
})
