import { expect, test } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import { unreachable } from '#tests/support/screen-device.ts'
import { createPcpListKeeper } from './pcp-list-keeper.ts'

test('the list is asked for once an hour, for whoever comes, and again after a failure', async () => {
  const clock = { now: 0 }
  const asked: string[] = []
  let answer: Outcome<unknown> = { ok: true, value: { pcps: [] } }
  const keep = createPcpListKeeper(
    (endpoint) => {
      asked.push(endpoint.path)
      return Promise.resolve(answer as never)
    },
    () => clock.now,
  )
  await keep('1 1')
  await Promise.all([keep('1 1'), keep('1 1')])
  expect(asked).toEqual(['/api/pcp/cards'])
  await keep('2 1')
  expect(asked).toHaveLength(2)
  clock.now = 3_600_000
  answer = unreachable
  await keep('2 1')
  expect(asked).toHaveLength(3)
  answer = { ok: true, value: { pcps: [] } }
  await keep('2 1')
  await keep('2 1')
  expect(asked).toHaveLength(4)
})
