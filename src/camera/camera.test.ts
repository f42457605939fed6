// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { openCamera } from './camera.ts'

afterEach(() => {
  vi.restoreAllMocks()
  Reflect.deleteProperty(navigator, 'mediaDevices')
})

function withCamera(getUserMedia: (asked: MediaStreamConstraints) => Promise<unknown>) {
  Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } })
}

test('a browser without a camera API is unsupported', async () => {
  expect(await openCamera()).toEqual({ problem: 'unsupported' })
})

test.each([
  ['NotAllowedError', 'blocked'],
  ['NotFoundError', 'none'],
  ['NotReadableError', 'busy'],
  ['TypeError', 'unsupported'],
])('%s is %s', async (name, problem) => {
  withCamera(() => Promise.reject(Object.assign(new Error('no'), { name })))
  expect(await openCamera()).toEqual({ problem })
})

test('the app asks for the camera at the back, and finds its light and zoom', async () => {
  const asked: MediaStreamConstraints[] = []
  const wishes: unknown[] = []
  const stop = vi.fn()
  const track = {
    getCapabilities: () => ({ torch: true, zoom: { min: 1, max: 5 } }),
    getSettings: () => ({ zoom: 2 }),
    applyConstraints: (wish: unknown) => {
      wishes.push(wish)
      return wishes.length < 3 ? Promise.resolve() : Promise.reject(new Error('not now'))
    },
    stop,
  }
  withCamera((constraints) => {
    asked.push(constraints)
    return Promise.resolve({ getVideoTracks: () => [track], getTracks: () => [track] })
  })
  const opened = await openCamera()
  if (!('camera' in opened)) throw new Error('There is one')
  const { camera } = opened
  expect(asked).toMatchObject([{ audio: false, video: { facingMode: { ideal: 'environment' } } }])
  expect(camera).toMatchObject({ hasTorch: true, zoom: { min: 1, max: 5, step: 0.1, now: 2 } })
  expect([await camera.setTorch(true), await camera.setZoom(3), await camera.setTorch(false)]).toEqual([true, true, false])
  expect(wishes).toMatchObject([{ advanced: [{ torch: true }] }, { advanced: [{ zoom: 3 }] }, { advanced: [{ torch: false }] }])
  camera.close()
  expect(stop).toHaveBeenCalled()
})
