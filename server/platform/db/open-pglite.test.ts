import type pg from 'pg'
import { expect, it, vi } from 'vitest'
import { keepTidy } from '#server/platform/db/open-pglite.ts'
import { eventually } from '#tests/support/eventually.ts'

it('a failed round of upkeep is reported, and the next round runs all the same', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const fault = new Error('the disk is full')
    const query = vi.fn(() => Promise.reject(fault))
    const untidy = vi.fn()
    const stop = keepTidy({ query } as unknown as pg.Pool, untidy)
    vi.advanceTimersByTime(60_000)
    await eventually(() => expect(untidy).toHaveBeenCalledWith(fault))
    vi.advanceTimersByTime(60_000)
    await eventually(() => expect(query).toHaveBeenCalledTimes(2))
    await stop()
  } finally {
    vi.useRealTimers()
  }
})
