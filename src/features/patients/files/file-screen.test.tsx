// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PatientFile } from '#contract/patients/patient-files.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { FileScreen } from './file-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

const file: PatientFile = {
  id_file: '0190a000-0000-7000-8000-0000000000f1',
  id_patient: '0190a000-0000-7000-8000-00000000000a',
  file_path: 'patient-files/x',
  filename: 'Eye.png',
  mime: 'image/png',
  size: 1400,
  category: 'imaging',
  note: '',
  has_thumbnail: false,
  uploaded_by: 'Ana Teixeira',
  uploaded_at: '2026-11-20T14:00:00.000Z',
}
const made = new Map<string, Blob>()
const revoked: string[] = []
beforeEach(() => {
  made.clear()
  revoked.length = 0
  let number = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    number += 1
    made.set(`blob:${number}`, blob as Blob)
    return `blob:${number}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((address) => void revoked.push(address))
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

function open(given: Partial<PatientFile> = {}, permissions: ('file.read' | 'file.write')[] = ['file.read', 'file.write']) {
  const server = { file: { ...file, ...given }, reachable: true, refuses: false }
  const device = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (!server.reachable) return unreachable
      if (endpoint.path.endsWith('/content')) return { ok: true, value: new Blob(['bytes'], { type: 'text/html' }) }
      if (endpoint.method === 'PUT') {
        if (server.refuses) return refused(404, 'file-unknown')
        server.file = { ...server.file, ...(request as { body: Partial<PatientFile> }).body }
      }
      return { ok: true, value: server.file }
    },
  })
  device.state.setState({ home: { ...mayasHome, permissions } })
  const page = render(
    <DeviceProvider device={device.device}>
      <FileScreen idPatient={file.id_patient} idFile={file.id_file} />
    </DeviceProvider>,
  )
  return { ...device, server, page }
}

test('shows an image from memory, with the type of its row, and frees the memory when the page closes', async () => {
  const { page } = open()
  const image = await screen.findByRole<HTMLImageElement>('img', { name: 'Eye.png' })
  expect(made.get(image.getAttribute('src') ?? '')?.type).toBe('image/png')
  expect(screen.getByRole('link', { name: 'Download' }).getAttribute('download')).toBe('Eye.png')
  page.unmount()
  expect(revoked).toEqual([...made.keys()])
})

test('shows a PDF in a frame', async () => {
  open({ mime: 'application/pdf', filename: 'Referral.pdf' })
  expect((await screen.findByTitle('Referral.pdf')).tagName).toBe('IFRAME')
})

test('says that a file must be downloaded when the browser cannot show it', async () => {
  open({ mime: 'image/tiff', filename: 'scan.tiff' })
  expect(await screen.findByText('Can’t show a TIFF image here')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Download' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})

test('a file gets a new name and category', async () => {
  const { server } = open()
  fireEvent.change(await screen.findByLabelText(/Name/), { target: { value: 'Right eye.png' } })
  fireEvent.change(screen.getByLabelText('Category'), { target: { value: 'other' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.file).toMatchObject({ filename: 'Right eye.png', category: 'other' }))
  expect(await screen.findByRole('img', { name: 'Right eye.png' })).toBeTruthy()
})

test('a failed save says NOT SAVED and keeps the typed text; an empty name is not sent', async () => {
  const { server, calls } = open()
  server.refuses = true
  fireEvent.change(await screen.findByLabelText(/Name/), { target: { value: 'Right eye.png' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED')
  expect(screen.getByLabelText<HTMLInputElement>(/Name/).value).toBe('Right eye.png')
  const before = calls.length
  fireEvent.change(screen.getByLabelText(/Name/), { target: { value: ' ' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(calls.length).toBe(before)
  expect(screen.getByText('This field is required')).toBeTruthy()
})

test('without a connection it says so; a user without the right to write can only read', async () => {
  const { connection, page } = open()
  fireEvent.change(await screen.findByLabelText(/Name/), { target: { value: 'Other' } })
  act(() => connection.setState({ online: false }))
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  page.unmount()
  open({}, ['file.read'])
  await screen.findByText('Ana Teixeira')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})
