// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Camera, OpenedCamera } from './camera.ts'
import { CameraPanel } from './camera-panel.tsx'
import { DecoderMissing } from './decoder.ts'

const { openCamera, read, closeDecoder } = vi.hoisted(() => ({
  openCamera: vi.fn<() => Promise<OpenedCamera>>(),
  read: vi.fn<() => Promise<string[]>>(),
  closeDecoder: vi.fn(),
}))
vi.mock('./camera.ts', () => ({ openCamera }))
vi.mock(import('./decoder.ts'), async (original) => ({ ...(await original()), createDecoder: () => ({ read, close: closeDecoder }) }))

const closed = vi.fn()
const setTorch = vi.fn(() => Promise.resolve(true))
const track = new EventTarget()
function aCamera(extras: Partial<Camera> = {}): OpenedCamera {
  const stream = { getVideoTracks: () => [track] } as unknown as MediaStream
  return { camera: { stream, hasTorch: false, zoom: null, setTorch, setZoom: () => Promise.resolve(true), close: closed, ...extras } }
}

let time = 0
beforeEach(() => {
  vi.clearAllMocks()
  openCamera.mockResolvedValue(aCamera())
  read.mockResolvedValue([])
  // jsdom plays no video and draws no picture.
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue()
  vi.spyOn(HTMLVideoElement.prototype, 'videoWidth', 'get').mockReturnValue(640)
  vi.spyOn(HTMLVideoElement.prototype, 'videoHeight', 'get').mockReturnValue(480)
  vi.spyOn(HTMLMediaElement.prototype, 'currentTime', 'get').mockImplementation(() => (time += 0.1))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
    getImageData: () => ({ data: new Uint8ClampedArray(4), width: 1, height: 1 }),
  } as unknown as null)
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', { configurable: true, writable: true, value: null })
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function show(isKnown: (code: string) => boolean = () => false) {
  const onScan = vi.fn()
  const onClose = vi.fn()
  return { onScan, onClose, ...render(<CameraPanel isKnown={isKnown} onScan={onScan} onClose={onClose} />) }
}

test('a label that two pictures agree on is one scan, and the panel shows it', async () => {
  read.mockResolvedValue(['F-100012'])
  const { onScan } = show()
  expect(await screen.findByText('Read: F-100012')).toBeTruthy()
  await waitFor(() => expect(read.mock.calls.length).toBeGreaterThan(5))
  expect(onScan.mock.calls).toEqual([['F-100012']])
})

test('a code of the catalog needs one picture', async () => {
  read.mockResolvedValueOnce(['100012'])
  const { onScan } = show((code) => code === '100012')
  await waitFor(() => expect(onScan).toHaveBeenCalledWith('100012'))
})

test.each([
  ['blocked', /blocked for this app/],
  ['busy', /Another app is using the camera/],
] as const)('the panel says that a camera is %s, and the user can try again', async (problem, words) => {
  openCamera.mockResolvedValueOnce({ problem })
  show()
  expect((await screen.findByRole('alert')).textContent).toMatch(words)
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByLabelText('Camera view')).toBeTruthy()
})

test('on a device without a camera the panel offers nothing', async () => {
  openCamera.mockResolvedValue({ problem: 'none' })
  show()
  expect(await screen.findByText('This device has no camera.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('the panel says that the decoder did not load, and the camera goes off', async () => {
  read.mockRejectedValue(new DecoderMissing())
  show()
  expect((await screen.findByRole('alert')).textContent).toMatch(/The code reader didn’t load/)
  expect(closed).toHaveBeenCalled()
})

test('the panel says that the camera was disconnected', async () => {
  show()
  await screen.findByLabelText('Camera view')
  act(() => void track.dispatchEvent(new Event('ended')))
  expect((await screen.findByRole('alert')).textContent).toMatch(/turned off or disconnected/)
})

test('the camera is off while the page is hidden, and when the panel closes', async () => {
  const { unmount } = show()
  await screen.findByLabelText('Camera view')
  const hidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  fireEvent(document, new Event('visibilitychange'))
  expect(closed).toHaveBeenCalledTimes(1)
  hidden.mockReturnValue(false)
  fireEvent(document, new Event('visibilitychange'))
  await waitFor(() => expect(openCamera).toHaveBeenCalledTimes(2))
  await screen.findByLabelText('Camera view')
  unmount()
  expect(closed).toHaveBeenCalledTimes(2)
  expect(closeDecoder).toHaveBeenCalledTimes(1)
})

test('the panel offers light and zoom when the camera has them', async () => {
  openCamera.mockResolvedValue(aCamera({ hasTorch: true, zoom: { min: 1, max: 4, step: 0.5, now: 1 } }))
  show()
  fireEvent.click(await screen.findByRole('button', { name: 'Turn the light on' }))
  expect((await screen.findByRole('button', { name: 'Turn the light off' })).getAttribute('aria-pressed')).toBe('true')
  expect(setTorch).toHaveBeenCalledWith(true)
  fireEvent.change(screen.getByLabelText('Zoom'), { target: { value: '2' } })
  expect(screen.getByLabelText<HTMLInputElement>('Zoom').value).toBe('2')
})
