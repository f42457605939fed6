// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PatientFile } from '#contract/patients/patient-files.ts'
import { KeptBytes } from '#src/db/indexed/kept-bytes.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { partBytes } from '#src/sync/files/send-file.ts'
import { FileDesk } from '#tests/support/file-desk.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { FilesScreen } from './files-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

const patient = '0190a000-0000-7000-8000-00000000000a'
const row: PatientFile = {
  id_file: '0190a000-0000-7000-8000-0000000000f1',
  id_patient: patient,
  file_path: 'patient-files/x',
  filename: 'Referral.pdf',
  mime: 'application/pdf',
  size: 1400,
  category: 'referral',
  note: '',
  has_thumbnail: false,
  uploaded_by: 'Ana Teixeira',
  uploaded_at: '2026-11-20T14:00:00.000Z',
}
const writer = { ...mayasHome, permissions: [...mayasHome.permissions, 'file.read' as const, 'file.write' as const] }

let desk: FileDesk
beforeEach(() => {
  desk = new FileDesk(writer)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  desk.end()
})

/** A tablet with its own queue, and a server that accepts files like the real one. */
async function open(options: { files?: PatientFile[]; home?: typeof mayasHome; isQueueMissing?: boolean } = {}) {
  const known = options.files ?? [row]
  const made = screenDevice({
    signedIn: true,
    answers: ({ path }) => {
      if (!desk.server.reachable) return unreachable
      if (path.endsWith('thumbnail')) return { ok: true, value: new Blob(['jpeg']) }
      const attached = [...desk.server.attached.values()].map((file): PatientFile => ({ ...row, ...(file as unknown as PatientFile) }))
      return { ok: true, value: { files: [...attached.reverse(), ...known] } }
    },
  })
  desk.home = options.home ?? writer
  made.state.setState({ home: desk.home })
  const tab = await desk.open()
  await desk.giveKey(tab.hot)
  const device = {
    ...made.device,
    files: () => (options.isQueueMissing ? Promise.reject(new TypeError('Failed to fetch')) : Promise.resolve(tab.queue)),
  }
  const show = () =>
    render(
      <DeviceProvider device={device}>
        <FilesScreen idPatient={patient} />
      </DeviceProvider>,
    )
  show()
  return { ...made, ...tab, show }
}
const pdf = (name: string, bytes = 1000) => new File([`%PDF-1.4${'x'.repeat(bytes - 8)}`], name)
async function choose(...files: File[]) {
  await waitFor(() => expect(screen.getByRole('button', { name: 'Choose files' }).hasAttribute('disabled')).toBe(false))
  act(() => void fireEvent.change(screen.getByLabelText('Files', { selector: 'input' }), { target: { files } }))
}
const listed = () => screen.queryAllByRole('link').map((link) => link.querySelector('strong')?.textContent)
const onTheirWay = async () => within(await screen.findByRole('list', { name: 'Files being uploaded' }))
const leaves = () => fireEvent(window, new Event('beforeunload', { cancelable: true }))
async function discard(button: string) {
  fireEvent.click(screen.getByRole('button', { name: button }))
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }))
}

test('lists name, category, kind, size, uploader and time, and can show one category only', async () => {
  await open({
    files: [row, { ...row, id_file: '0190a000-0000-7000-8000-0000000000f2', filename: 'Eye.png', mime: 'image/png', category: 'imaging' }],
  })
  await screen.findAllByText('Ana Teixeira')
  expect(screen.getAllByText('Ana Teixeira')[0]?.closest('span')?.textContent).toBe('PDF · 1.4 kB · Ana Teixeira · 11/20/2026, 9:00 AM')
  expect(listed()).toEqual(['Referral.pdf', 'Eye.png'])
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'imaging' } })
  expect(listed()).toEqual(['Eye.png'])
  expect(screen.getByRole('status').textContent).toBe('1 of 2 files')
})

test('sends a chosen file in three calls, with its category, and lists it', async () => {
  await open({ files: [] })
  await screen.findByText('No files yet')
  fireEvent.change(screen.getByLabelText('Category of new files'), { target: { value: 'consent' } })
  await choose(pdf('Form.pdf'))
  await waitFor(() => expect(listed()).toEqual(['Form.pdf']))
  expect(desk.server.asked).toEqual(['/api/patient/{id_patient}/generate-filename-doc', '/upload/', '/api/patient/file'])
  expect([...desk.server.attached.values()]).toMatchObject([{ filename: 'Form.pdf', category: 'consent', id_patient: patient }])
  expect(screen.queryByRole('list', { name: 'Files being uploaded' })).toBeNull()
})

test('says that uploading did not load, and still lists the files in the record', async () => {
  await open({ isQueueMissing: true })
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Part of the app didn’t load, so you can’t add files right now. Reload the page.',
  )
  expect(screen.getByRole('button', { name: 'Choose files' }).hasAttribute('disabled')).toBe(true)
  await screen.findByText('Referral.pdf')
})

test('gives the reason for each refused file, without asking the server', async () => {
  await open()
  await screen.findByText('Referral.pdf')
  const large = pdf('Film.pdf')
  Object.defineProperty(large, 'size', { value: 30_000_000 })
  await choose(new File([''], 'Nothing.pdf'), new File(['MZ'], 'Program.pdf'), large)
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(3))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'This file is empty',
    expect.stringContaining('Unsupported file type'),
    'This file is 30 MB. The limit is 25 MB',
  ])
  expect(desk.server.asked).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Remove Program.pdf' }))
  expect(screen.queryByText('Program.pdf')).toBeNull()
})

test('keeps a file that it cannot send, says where it is saved, and sends it once online again', async () => {
  const { queue } = await open()
  await screen.findByText('Referral.pdf')
  let parts = 0
  desk.server.between = (path) => {
    if (path === '/upload/' && ++parts > 2) desk.server.reachable = false
    return false
  }
  await choose(pdf('Long.pdf', partBytes * 3 + 100))
  const waiting = await onTheirWay()
  await waiting.findByText('Other · Saved on this tablet. 66% sent; the rest will follow')
  expect(waiting.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('66')
  // The file outlives the page, so the browser does not ask.
  expect(leaves()).toBe(true)
  desk.server.between = () => false
  desk.server.reachable = true
  await act(() => queue.run(true))
  await waitFor(() => expect(listed()).toEqual(['Long.pdf', 'Referral.pdf']))
  expect(desk.server.uploads.size).toBe(1)
})

test('without a connection it shows the unsent files and says that the others need one, also after a restart', async () => {
  const { connection, close, queue } = await open()
  await screen.findByText('Referral.pdf')
  desk.server.reachable = false
  act(() => connection.setState({ online: false }))
  await choose(pdf('Card.pdf'))
  await (await onTheirWay()).findByText('Other · Saved on this tablet. Waiting to send')
  await act(() => queue.run(false))
  cleanup()
  close()
  await open()
  await (await onTheirWay()).findByText('Card.pdf')
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  expect(listed()).toEqual([])
})

test('a full disk is reported in plain words, and the browser asks before the page closes', async () => {
  await open()
  await screen.findByText('Referral.pdf')
  desk.server.reachable = false
  vi.spyOn(KeptBytes.prototype, 'put').mockRejectedValue(Object.assign(new Error('Full'), { name: 'QuotaExceededError' }))
  await choose(pdf('Card.pdf'))
  await (await onTheirWay()).findByText(/NOT SAVED on this tablet: its storage is full/)
  expect(screen.queryByText(/Saved on this tablet. Waiting/)).toBeNull()
  expect(leaves()).toBe(false)
  await discard('Cancel Card.pdf')
  await waitFor(() => expect(screen.queryByText('Card.pdf')).toBeNull())
  expect(leaves()).toBe(true)
})

test('a file is discarded after a second question, and the next one is sent', async () => {
  const { queue } = await open()
  await screen.findByText('Referral.pdf')
  desk.server.reachable = false
  await choose(pdf('Stopped.pdf', partBytes * 2), pdf('Next.pdf'))
  await waitFor(() => expect(screen.getAllByText(/Saved on this tablet. Waiting to send/)).toHaveLength(2))
  fireEvent.click(screen.getByRole('button', { name: 'Cancel Stopped.pdf' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Keep it' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByText('Stopped.pdf')).toBeTruthy()
  await discard('Cancel Stopped.pdf')
  await waitFor(() => expect(screen.queryByText('Stopped.pdf')).toBeNull())
  desk.server.reachable = true
  await act(() => queue.run(true))
  await waitFor(() => expect(listed()).toEqual(['Next.pdf', 'Referral.pdf']))
})

test('a refused file says why and what to do, and can be sent again', async () => {
  await open()
  await screen.findByText('Referral.pdf')
  desk.server.refusal = { path: '/upload/', answer: refused(413, 'file-too-large') }
  await choose(pdf('Form.pdf'))
  expect((await screen.findByRole('alert')).textContent).toBe('file-too-large. Discard this one and choose another file.')
  desk.server.refusal = null
  fireEvent.click(screen.getByRole('button', { name: 'Send Form.pdf again' }))
  await waitFor(() => expect(listed()).toEqual(['Form.pdf', 'Referral.pdf']))
})

test('the next user sees none of the unsent files', async () => {
  await open()
  await screen.findByText('Referral.pdf')
  desk.server.reachable = false
  await choose(pdf('Form.pdf'))
  await screen.findByText(/Saved on this tablet/)
  act(() => desk.seat({ ...writer, id_user: 2 }))
  expect(screen.queryByText('Form.pdf')).toBeNull()
})

test('a chosen image is sent with a thumbnail, and the list shows it from the memory of the page', async () => {
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 4000, height: 3000, close: () => undefined }))
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined }))
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ fillRect: () => undefined, drawImage: () => undefined } as never)
  const drawn: string[] = []
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type) {
    drawn.push(`${this.width} ${this.height} ${type}`)
    done(new Blob([Uint8Array.from([0xff, 0xd8, 0xff, 7])]))
  })
  await open({ files: [{ ...row, has_thumbnail: true }] })
  await waitFor(() => expect(document.querySelector('img')?.getAttribute('src')).toBe('blob:picture'))
  await choose(pdf('Eye.pdf'))
  await waitFor(() => expect(listed()).toEqual(['Eye.pdf', 'Referral.pdf']))
  expect(drawn).toEqual(['256 192 image/jpeg'])
  expect([...desk.server.attached.values()]).toMatchObject([{ thumbnail: '/9j/Bw==' }])
  vi.unstubAllGlobals()
})

test('accepts dropped files', async () => {
  await open()
  await screen.findByText('Referral.pdf')
  const place = screen.getByRole('button', { name: 'Choose files' })
  await waitFor(() => expect(place.hasAttribute('disabled')).toBe(false))
  const dataTransfer = { files: [pdf('Dropped.pdf')], types: ['Files'] }
  fireEvent.dragOver(place, { dataTransfer })
  fireEvent.drop(place, { dataTransfer })
  await waitFor(() => expect(listed()).toEqual(['Dropped.pdf', 'Referral.pdf']))
})

test('a user with read access only cannot add files, and the list loads when the connection is back', async () => {
  desk.server.reachable = false
  const { connection } = await open({ home: { ...writer, permissions: ['file.read'] } })
  act(() => connection.setState({ online: false }))
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Choose files' })).toBeNull()
  desk.server.reachable = true
  act(() => connection.setState({ online: true }))
  expect(await screen.findByText('Referral.pdf')).toBeTruthy()
})
