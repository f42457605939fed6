// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { answerAhead } from '#src/start/first-answer.ts'

afterEach(() => vi.useRealTimers())

test('where nobody may search, what draws the app is not kept waiting', async () => {
  vi.useFakeTimers()
  const { opening } = await answerAhead({ hot: Promise.resolve(null), patients: Promise.resolve(null) })
  expect(await opening).toBeNull()
})

test('a disk that cannot be read keeps nothing waiting, and whoever goes on hears of it', async () => {
  vi.useFakeTimers()
  const { opening } = await answerAhead({ hot: Promise.reject(new Error('The disk is gone')), patients: Promise.resolve(null) })
  await expect(opening).rejects.toThrow('The disk is gone')
})

test('a disk that does not answer keeps React waiting for 300 ms', async () => {
  vi.useFakeTimers()
  const through = vi.fn()
  void answerAhead({ hot: new Promise(() => undefined), patients: Promise.resolve(null) }).then(through)
  await vi.advanceTimersByTimeAsync(299)
  expect(through).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(through).toHaveBeenCalledOnce()
})
