import { beforeEach, describe, expect, test } from 'vitest'
import type { ConnectionState } from '#src/sync/device/device.ts'
import { createWatchdog } from '#src/sync/engine/watchdog.ts'

let now: number
let state: ConnectionState
let progressAt: number
let restarts: number
let hasWork: boolean
let look: () => Promise<void>

beforeEach(() => {
  now = 0
  progressAt = 0
  restarts = 0
  hasWork = true
  state = {
    online: true,
    unsent: 37,
    needsAttention: 0,
    oldestAt: 1,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
  }
  look = createWatchdog({
    environment: { monotonic: () => now },
    state: () => state,
    set: (change) => void (state = { ...state, ...change }),
    drain: { progressAt: () => progressAt, hasWork: async () => hasWork, restart: () => void (restarts += 1) },
  })
})

/** One look every twenty seconds. */
async function watch(seconds: number, each: () => void = () => {}) {
  for (let passed = 0; passed < seconds; passed += 20) {
    now += 20_000
    each()
    await look()
  }
}

describe('the watchdog', () => {
  test('restarts the sending after two minutes without progress, and reports a stall when that does not help', async () => {
    await watch(100)
    expect(restarts).toBe(0)
    await watch(20)
    expect(restarts).toBe(1)
    expect(state.stalled).toBe(false)
    await watch(40)
    expect(state.stalled).toBe(true)
    expect(restarts).toBe(1)
  })

  test('clears the stall as soon as work has left', async () => {
    await watch(200)
    expect(state.stalled).toBe(true)
    progressAt = now
    await watch(20)
    expect(state.stalled).toBe(false)
  })

  test('hours without a network are not a stall when it comes back', async () => {
    state = { ...state, online: false }
    await watch(7200)
    state = { ...state, online: true }
    await watch(100)
    expect(restarts).toBe(0)
    expect(state.stalled).toBe(false)
  })

  test('pushes that hang while the server answers every probe do not hide the stall', async () => {
    let round = 0
    await watch(400, () => {
      round += 1
      state = { ...state, online: round % 2 === 0 }
    })
    expect(restarts).toBe(1)
    expect(state.stalled).toBe(true)
  })

  test('the sleep of a tablet does not count as waiting', async () => {
    await watch(40)
    now += 8 * 3_600_000
    await look()
    expect(restarts).toBe(0)
  })

  test('work behind a command that waits for a user is not a stall', async () => {
    hasWork = false
    await watch(600)
    expect(restarts).toBe(0)
    expect(state.stalled).toBe(false)
  })

  test.each([
    ['nothing waits', { unsent: 0 }],
    ['nobody is signed in', { waitsForSignIn: true }],
    ['the app must be updated first', { updateRequired: true }],
  ])('keeps quiet when %s', async (_, change) => {
    state = { ...state, ...change }
    await watch(600)
    expect(restarts).toBe(0)
    expect(state.stalled).toBe(false)
  })
})
