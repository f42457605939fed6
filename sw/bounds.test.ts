import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { boundActivation, keptOrFetched } from './bounds.ts'

const never = new Promise<never>(() => undefined)
const asked = { request: new Request('https://clinic.example/assets/app.js') }
const fetched = vi.fn<() => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal(
    'fetch',
    fetched.mockReset().mockImplementation(() => Promise.resolve(new Response('fetched'))),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an activation ends even when its cleanup does not', async () => {
  const works: Promise<unknown>[] = []
  const event = { waitUntil: (work: Promise<unknown>) => void works.push(work) }
  boundActivation(event)
  event.waitUntil(never)
  await vi.advanceTimersByTimeAsync(3000)
  await Promise.all(works)
  expect(works).toHaveLength(1)
})

test('a stored file is not fetched', async () => {
  const answer = keptOrFetched(() => Promise.resolve(new Response('kept')))
  expect(await (await answer(asked)).text()).toBe('kept')
  expect(fetched).not.toHaveBeenCalled()
})

test('a file that the storage does not return comes from the server, and the next one at once', async () => {
  const answer = keptOrFetched(() => never)
  const first = answer(asked)
  await vi.advanceTimersByTimeAsync(3000)
  expect(await (await first).text()).toBe('fetched')
  expect(await (await answer(asked)).text()).toBe('fetched')
})

test('without a server the app waits for a slow storage, and then trusts it again', async () => {
  fetched.mockImplementation(() => Promise.reject(new TypeError('Failed to fetch')))
  let give = () => {}
  const answer = keptOrFetched(() => new Promise<Response>((resolve) => (give = () => resolve(new Response('kept')))))
  const first = answer(asked)
  await vi.advanceTimersByTimeAsync(3000)
  expect(fetched).toHaveBeenCalledTimes(1)
  give()
  expect(await (await first).text()).toBe('kept')
  const second = answer(asked)
  give()
  expect(await (await second).text()).toBe('kept')
  expect(fetched).toHaveBeenCalledTimes(1)
})
