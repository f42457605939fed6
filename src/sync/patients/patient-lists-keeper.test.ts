import { expect, test, vi } from 'vitest'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { unreachable } from '#tests/support/screen-device.ts'
import { createPatientListsKeeper } from './patient-lists-keeper.ts'

function setUp() {
  const world = { now: 0, isInCharge: true, answer: { ok: true, value: { pcps: [] } } as Outcome<unknown>, later: [] as (() => void)[] }
  const asked: string[] = []
  const keeper = createPatientListsKeeper({
    call: (endpoint) => {
      if (endpoint.path === '/api/pcp/cards') asked.push(endpoint.path)
      return Promise.resolve(world.answer as never)
    },
    // Nobody is signed in, so there is no key to keep anything with.
    hot: {} as Device['hot'],
    session: { home: () => null },
    environment: {
      report: (error) => {
        throw error
      },
      now: () => world.now,
      codeIsKept: () => world.isInCharge,
      schedule: (_ms, work) => {
        world.later.push(work)
        return () => void (world.later = world.later.filter((one) => one !== work))
      },
    },
  })
  return { world, asked, keeper }
}

test('the lists are fetched once an hour for each user and store, and again after a failure', async () => {
  const { world, asked, keeper } = setUp()
  keeper.ask('1 1')
  keeper.ask('1 1')
  expect(asked).toEqual(['/api/pcp/cards'])
  keeper.ask('2 1')
  expect(asked).toHaveLength(2)
  world.now = 3_600_000
  world.answer = unreachable
  keeper.ask('2 1')
  expect(asked).toHaveLength(3)
  world.answer = { ok: true, value: { pcps: [] } }
  await vi.waitFor(() => {
    keeper.ask('2 1')
    expect(asked).toHaveLength(4)
  })
  keeper.ask('2 1')
  expect(asked).toHaveLength(4)
})

test('they are fetched when the worker can keep them, and not after the close', () => {
  const { world, asked, keeper } = setUp()
  world.isInCharge = false
  keeper.ask('1 1')
  keeper.ask('1 1')
  expect(asked).toEqual([])
  expect(world.later).toHaveLength(1)
  world.later[0]?.()
  world.isInCharge = true
  world.later.at(-1)?.()
  expect(asked).toEqual(['/api/pcp/cards'])
  world.isInCharge = false
  keeper.ask('2 1')
  const waiting = world.later.length
  keeper.close()
  expect(world.later).toHaveLength(waiting - 1)
})
