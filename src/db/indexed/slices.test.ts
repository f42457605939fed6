import { expect, test, vi } from 'vitest'
import { inSteps } from '#src/db/indexed/slices.ts'

test('work in steps lets other work run after some time, and returns its result', async () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const told: string[] = []
  function* work(): Generator<undefined, string> {
    for (const [name, until] of [
      ['one', 1],
      ['two', 5],
      ['three', 6],
    ] as const) {
      told.push(name)
      now.mockReturnValue(until)
      yield
    }
    return 'done'
  }
  const doing = inSteps(work())
  await Promise.resolve().then(() => told.push('others'))
  expect(await doing).toBe('done')
  expect(told).toEqual(['one', 'two', 'others', 'three'])
  vi.restoreAllMocks()
})
