// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import type { PatientMirror } from '#src/db/mirrors/patient-mirror.ts'
import { openFirstDesk } from '#src/start/first-desk.tsx'
import type { FirstPatients } from '#src/sync/patients/first-patients.ts'
import { leaveOpenPatients, takeOpenPatients } from '#src/sync/patients/open-patients.ts'

afterEach(() => vi.useRealTimers())

const nowhere = { render: () => expect.fail('Nobody may search here'), unmount: () => undefined }

test.each([
  ['nobody may search', () => Promise.resolve(null)],
  ['the disk cannot be read', () => Promise.reject(new Error('The disk is full'))],
])('where %s, the app opens as ever', async (_why, opening) => {
  const openApp = vi.fn(() => Promise.resolve())
  await openFirstDesk(nowhere, { opening: opening() }, openApp)
  expect(openApp).toHaveBeenCalledOnce()
})

test('a disk that does not answer keeps nobody from the app, and what comes late is closed', async () => {
  vi.useFakeTimers()
  const close = vi.fn()
  let answer = (_patients: FirstPatients) => {}
  const opening = new Promise<FirstPatients>((resolve) => (answer = resolve))
  const openApp = vi.fn(() => Promise.resolve())
  const done = openFirstDesk(nowhere, { opening }, openApp)
  await vi.advanceTimersByTimeAsync(900)
  expect(openApp).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(200)
  await done
  expect(openApp).toHaveBeenCalledOnce()

  const mirror = { close } as unknown as PatientMirror
  leaveOpenPatients('patients', mirror)
  answer({ mirror } as FirstPatients)
  await vi.advanceTimersByTimeAsync(0)
  expect(close).toHaveBeenCalledOnce()
  expect(takeOpenPatients('patients')).toBeNull()
})

test('what the app cannot be opened for is told to whoever asked for it', async () => {
  const openApp = () => Promise.reject(new Error('The database is newer'))
  await expect(openFirstDesk(nowhere, null, openApp)).rejects.toThrow('The database is newer')
})
