import { expect, test } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { act } from './act.ts'

const signedOut: Outcome<never> = { ok: false, failure: { kind: 'signed-out', message: 'over' } }

function tablet(answer: Outcome<string>, problem: string | null = null) {
  const made = screenDevice({ signedIn: true })
  const done: unknown[] = []
  const ways = {
    live: async () => {
      done.push('asked')
      return answer
    },
    record: async (by: unknown) => {
      done.push(by)
      return problem
    },
  }
  return { ...made, done, ways }
}

test('with a connection the server does the action, and nothing is recorded', async () => {
  const { device, done, ways } = tablet({ ok: true, value: 'made' })
  expect(await act(device, ways)).toEqual({ ok: true, value: 'made' })
  expect(done).toEqual(['asked'])
})

test('without a connection, after the session has ended, and behind earlier work the action is recorded without asking the server', async () => {
  const offline = tablet(unreachable)
  offline.connection.setState({ online: false })
  expect(await act(offline.device, offline.ways)).toEqual({ ok: true, kept: 'offline' })
  expect(offline.done).toEqual([mayasHome])
  const ended = tablet(unreachable)
  ended.state.setState({ ended: 'scans' })
  expect(await act(ended.device, ended.ways)).toEqual({ ok: true, kept: 'signed-out' })
  const behind = tablet(unreachable)
  expect(await act(behind.device, { ...behind.ways, isBehind: true })).toEqual({ ok: true, kept: 'behind' })
  expect([...ended.done, ...behind.done]).toEqual([mayasHome, mayasHome])
})

test('a refused action is not recorded', async () => {
  const { device, done, ways } = tablet(refused(409, 'transfer-changed'))
  expect(await act(device, { ...ways, isOnce: true })).toMatchObject({ ok: false, failure: { code: 'transfer-changed' } })
  expect(done).toEqual(['asked'])
})

test('a call without an answer is recorded only when the server does it once', async () => {
  const once = tablet(unreachable)
  expect(await act(once.device, { ...once.ways, isOnce: true })).toEqual({ ok: true, kept: 'no-answer' })
  const again = tablet(unreachable)
  expect(await act(again.device, again.ways)).toEqual(unreachable)
  expect(again.done).toEqual(['asked'])
})

test('a session that ends during the call leaves the work on this device', async () => {
  const { device, state, ways } = tablet(signedOut)
  const live = () => {
    state.setState({ ended: 'scans' })
    return ways.live()
  }
  expect(await act(device, { ...ways, live })).toEqual({ ok: true, kept: 'signed-out' })
})

test('an action that could not be recorded either says that it was not saved', async () => {
  const { device, connection, ways } = tablet(unreachable, 'This device is full.')
  connection.setState({ online: false })
  expect(await act(device, ways)).toEqual({ ok: false, failure: { kind: 'unreachable', message: 'This device is full.' } })
})
