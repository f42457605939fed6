import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { BodyBudget } from '#server/platform/http/body-budget.ts'
import { leastBytes, rateWindowMs, readBytes } from '#server/platform/http/read-body.ts'

/** A body that the test sends as it likes. */
function sender(headers: Record<string, string> = {}) {
  let controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (given) => void (controller = given) })
  return {
    request: { headers: new Headers(headers), body },
    send: (bytes: number) => controller.enqueue(new Uint8Array(bytes)),
    end: () => controller.close(),
  }
}

describe('a body that stops arriving', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is given up, however much of it came at once', async () => {
    const { request, send } = sender({ 'content-length': '9000000' })
    const read = readBytes(request, 9_000_000)
    const refused = expect(read).rejects.toMatchObject({ code: 'request-too-slow', status: 408, retry_after_s: expect.any(Number) })
    send(6_000_000)
    await vi.advanceTimersByTimeAsync(2 * rateWindowMs)
    await refused
  })

  test('is given up when it only trickles', async () => {
    const { request, send } = sender()
    const read = readBytes(request, 9_000_000)
    const refused = expect(read).rejects.toMatchObject({ code: 'request-too-slow' })
    for (let at = 0; at < 14; at++) {
      send(10)
      await vi.advanceTimersByTimeAsync(1000)
    }
    await vi.advanceTimersByTimeAsync(1000)
    await refused
  })

  test('is read to its end when it is slow but steady', async () => {
    const { request, send, end } = sender()
    const read = readBytes(request, 9_000_000)
    for (let at = 0; at < 6; at++) {
      send(leastBytes)
      await vi.advanceTimersByTimeAsync(rateWindowMs - 1000)
    }
    end()
    expect((await read).byteLength).toBe(6 * leastBytes)
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a budget over all bodies', () => {
  test('refuses a body that has no room, and has room again when another is done', () => {
    const budget = new BodyBudget({ most: 100, mostEach: 100 })
    const giveBack = budget.take(60, 'ana')
    expect(() => budget.take(60, 'ben')).toThrow(
      expect.objectContaining({ code: 'request-too-frequent', retry_after_s: expect.any(Number) }),
    )
    giveBack()
    giveBack()
    expect(budget.taken).toBe(0)
    budget.take(60, 'ben')
    expect(budget.taken).toBe(60)
  })

  test('leaves room for others, however many bodies one caller sends', () => {
    const budget = new BodyBudget({ most: 100, mostEach: 40 })
    budget.take(40, 'ana')
    expect(() => budget.take(1, 'ana')).toThrow(expect.objectContaining({ status: 429 }))
    expect(() => budget.take(40, 'ben')).not.toThrow()
  })
})
