import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { openLoop, poissonArrivals } from './arrivals.ts'
import { Latencies } from './latencies.ts'
import { findReceiptFaults } from './receipts.ts'

describe('arrivals', () => {
  test('are the same for the same seed, and as many as were asked for', () => {
    const arrivals = poissonArrivals(new SeededRandom('a'), 100, 60)
    expect(arrivals).toEqual(poissonArrivals(new SeededRandom('a'), 100, 60))
    expect(arrivals).not.toEqual(poissonArrivals(new SeededRandom('b'), 100, 60))
    expect(arrivals.length).toBeGreaterThan(5700)
    expect(arrivals.length).toBeLessThan(6300)
  })

  test('come by chance: about 37 of 100 gaps are longer than the mean', () => {
    const arrivals = poissonArrivals(new SeededRandom('a'), 100, 60)
    const long = arrivals.filter((at, place) => at - (arrivals[place - 1] ?? 0) > 10).length
    expect(long / arrivals.length).toBeCloseTo(Math.exp(-1), 1)
  })
})

describe('latencies of an open loop', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
  afterEach(() => vi.useRealTimers())

  test('charge a server that stalls for a second with everyone who came meanwhile', async () => {
    const latencies = new Latencies()
    const due = Array.from({ length: 1000 }, (_, place) => place * 10)
    // One after the other, 1 ms each; from 5 s to 6 s it does nothing.
    let freeAt = 0
    const running = openLoop(due, (dueAt) => {
      const now = performance.now()
      const begins = Math.max(now, freeAt)
      freeAt = (begins >= 5000 && begins < 6000 ? 6000 : begins) + 1
      setTimeout(() => latencies.record('call', performance.now() - dueAt), freeAt - now)
    })
    await vi.advanceTimersByTimeAsync(12_000)
    await running
    const [call] = latencies.spreads()
    // One of 10 s was stalled: a tenth waited, evenly between a whole second and zero.
    expect(call).toMatchObject({ n: 1000, p50: 1 })
    expect(call!.p95).toBeGreaterThan(400)
    expect(call!.p99).toBeGreaterThan(850)
    expect(call!.max).toBeGreaterThan(950)
  })

  test('a generator that is late does not hide it', async () => {
    const lateness: number[] = []
    const running = openLoop([0, 10, 20], (dueAt, place) => {
      lateness.push(Math.round(performance.now() - dueAt))
      if (place === 0) vi.advanceTimersByTime(100)
    })
    await vi.advanceTimersByTimeAsync(500)
    await running
    expect(lateness).toEqual([0, 90, 80])
  })
})

test('percentiles are times that were measured, exactly', () => {
  const latencies = new Latencies()
  for (let ms = 1000; ms >= 1; ms--) latencies.record('call', ms)
  expect(latencies.spreads()).toEqual([{ kind: 'call', n: 1000, p50: 500, p95: 950, p99: 990, p999: 999, max: 1000 }])
})

describe('the books', () => {
  const made = ['a', 'b', 'c']

  test('are right when every command has one receipt and one row', () => {
    expect(findReceiptFaults(made, { receipts: ['c', 'a', 'b'], scans: ['a', 'b', 'c'] })).toEqual([])
  })

  test.each([
    ['a missing receipt', { receipts: ['a', 'b'], scans: made }, '1 of 3 commands have no receipt'],
    ['a doubled receipt', { receipts: [...made, 'b'], scans: made }, '1 commands have more than one receipt'],
    ['a missing row', { receipts: made, scans: ['b', 'c'] }, '1 of 3 commands have no row'],
    ['a doubled row', { receipts: made, scans: ['a', ...made] }, '1 commands have more than one row'],
    ['what nobody made', { receipts: made, scans: [...made, 'd'] }, '1 times a row is of a command that nobody made'],
  ])('tell of %s', (_, books, fault) => {
    expect(findReceiptFaults(made, books)).toEqual([fault])
  })
})
