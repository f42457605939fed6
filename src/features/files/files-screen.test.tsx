// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PatientFile } from '#contract/patient-files.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { FilesScreen } from './files-screen.tsx'
import { partBytes } from './send-file.ts'
import { uploads } from './uploads.ts'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children, params }: { children: React.ReactNode; params: { id_file: string } }) => <a href={`#${params.id_file}`}>{children}</a>,
}))

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
  uploaded_by: 'Ana Teixeira',
  uploaded_at: '2026-11-20T14:00:00.000Z',
}
const writer = { ...mayasHome, permissions: [...mayasHome.permissions, 'file.read' as const, 'file.write' as const] }

beforeEach(() => uploads.setState({ idUser: null, picked: [], arrived: 0 }))
afterEach(() => {
  vi.useRealTimers()
  cleanup()
})

/** A server that takes files as the real one does, and can be cut off. */
function open(options: { files?: PatientFile[]; home?: typeof mayasHome } = {}) {
  const server = {
    files: options.files ?? [row],
    reachable: true,
    refusal: null as Outcome<never> | null,
    /** Cut off after so many parts. */
    partsLeft: Infinity,
    received: new Uint8Array(),
    lengths: [] as number[],
    begun: 0,
  }
  const made = screenDevice({
    signedIn: true,
    answers: async (endpoint, request) => {
      if (!server.reachable) return unreachable
      const { query = {}, form, body } = request as { query?: Record<string, string>; form?: FormData; body?: Partial<PatientFile> }
      if (endpoint.path === '/upload/' && form) {
        if (server.refusal) return server.refusal
        if (server.partsLeft === 0) {
          server.reachable = false
          return unreachable
        }
        server.partsLeft -= 1
        const part = form.get('file') as File
        server.lengths.push(part.size)
        const offset = Number(query['offset'] ?? 0)
        if (offset !== server.received.length) return refused(409, 'upload-offset-wrong')
        server.received = Uint8Array.from([...server.received, ...new Uint8Array(await part.arrayBuffer())])
        const isWhole = server.received.length === Number(query['length'] ?? part.size)
        return { ok: true, value: isWhole ? 'patient-files/new' : '' }
      }
      if (endpoint.path === '/upload/{filename}')
        return { ok: true, value: { filename: 'doc-1', received: server.received.length, length: null, file_path: null, expires_at: '' } }
      if (endpoint.path.endsWith('generate-filename-doc')) {
        server.begun += 1
        server.received = new Uint8Array()
        return { ok: true, value: { filename: `doc-${server.begun}`, expires_at: '' } }
      }
      if (endpoint.method === 'POST') {
        const file = { ...row, ...body, id_file: `0190a000-0000-7000-8000-0000000000e${server.begun}` } as PatientFile
        server.files = [file, ...server.files]
        return { ok: true, value: file }
      }
      return { ok: true, value: { files: server.files } }
    },
  })
  made.state.setState({ home: options.home ?? writer })
  render(
    <DeviceProvider device={made.device}>
      <FilesScreen idPatient={patient} />
    </DeviceProvider>,
  )
  return { ...made, server }
}
const pdf = (name: string, bytes = 1000) => new File([`%PDF-1.4${'x'.repeat(bytes - 8)}`], name)
const choose = (...files: File[]) =>
  act(() => void fireEvent.change(screen.getByLabelText('Files', { selector: 'input' }), { target: { files } }))
const listed = () => screen.queryAllByRole('link').map((link) => link.querySelector('strong')?.textContent)

test('lists what there is: name, category, kind, size, who and when; and one category alone', async () => {
  open({
    files: [row, { ...row, id_file: '0190a000-0000-7000-8000-0000000000f2', filename: 'Eye.png', mime: 'image/png', category: 'imaging' }],
  })
  expect((await screen.findAllByText(/Ana Teixeira/))[0]?.textContent).toBe('PDF · 1.4 kB · Ana Teixeira · Nov 20, 2026, 09:00')
  expect(listed()).toEqual(['Referral.pdf', 'Eye.png'])
  fireEvent.change(screen.getByLabelText('Show'), { target: { value: 'imaging' } })
  expect(listed()).toEqual(['Eye.png'])
  expect(screen.getByRole('status').textContent).toBe('1 of 2 files')
})

test('sends what was chosen by the three calls, under its category, and lists it', async () => {
  const { calls, server } = open({ files: [] })
  await screen.findByText('No files yet')
  fireEvent.change(screen.getByLabelText('Category of new files'), { target: { value: 'consent' } })
  choose(pdf('Form.pdf'))
  await waitFor(() => expect(listed()).toEqual(['Form.pdf']))
  const paths = calls.map(({ path }) => path).filter((path) => path.includes('upload') || path.includes('generate'))
  expect(paths).toEqual(['/api/patient/{id_patient}/generate-filename-doc', '/upload/'])
  expect(server.files[0]).toMatchObject({ filename: 'Form.pdf', category: 'consent', file_path: 'patient-files/new' })
  expect(uploads.getState().picked).toEqual([])
})

test('says of each file why it is not taken, without asking the server', async () => {
  const { server } = open()
  await screen.findByText('Referral.pdf')
  const large = pdf('Film.pdf')
  Object.defineProperty(large, 'size', { value: 30_000_000 })
  choose(new File([''], 'Nothing.pdf'), new File(['MZ'], 'Program.pdf'), large)
  await waitFor(() => expect(screen.getAllByRole('alert')).toHaveLength(3))
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
    'The file is empty',
    expect.stringContaining('This kind of file is not taken'),
    'The file is too large: 30 MB, and at most 25 MB are taken',
  ])
  expect(server.begun).toBe(0)
  fireEvent.click(screen.getByRole('button', { name: 'Take Program.pdf away' }))
  expect(screen.queryByText('Program.pdf')).toBeNull()
})

test('goes on after a lost connection where it was, and says so meanwhile', async () => {
  const { server, connection } = open()
  await screen.findByText('Referral.pdf')
  server.partsLeft = 2
  choose(pdf('Long.pdf', partBytes * 3 + 100))
  const waiting = within(await screen.findByRole('list', { name: 'Files on their way' }))
  await waiting.findByText(/waits for a connection/)
  expect(screen.getByText('A file needs a connection')).toBeTruthy()
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(false)
  expect(waiting.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('66')
  act(() => connection.setState({ online: false }))
  server.reachable = true
  server.partsLeft = Infinity
  act(() => connection.setState({ online: true }))
  await waitFor(() => expect(listed()).toEqual(['Long.pdf', 'Referral.pdf']))
  expect(server.begun).toBe(1)
  expect(fireEvent(window, new Event('beforeunload', { cancelable: true }))).toBe(true)
  expect(server.lengths).toEqual([partBytes, partBytes, partBytes, 100])
})

test('is stopped by whoever cancels it, and the next one is sent', async () => {
  const { server } = open()
  await screen.findByText('Referral.pdf')
  server.partsLeft = 1
  choose(pdf('Stopped.pdf', partBytes * 2), pdf('Next.pdf'))
  await screen.findAllByText(/waits for a connection/)
  fireEvent.click(screen.getByRole('button', { name: 'Cancel Stopped.pdf' }))
  server.reachable = true
  server.partsLeft = Infinity
  await waitFor(() => expect(listed()).toEqual(['Next.pdf', 'Referral.pdf']), { timeout: 20_000 })
})

test('what the server does not take is said in its words and can be sent again', async () => {
  const { server } = open()
  await screen.findByText('Referral.pdf')
  server.refusal = refused(413, 'file-too-large')
  choose(pdf('Form.pdf'))
  expect((await screen.findByRole('alert')).textContent).toBe('file-too-large')
  server.refusal = null
  fireEvent.click(screen.getByRole('button', { name: 'Send Form.pdf again' }))
  await waitFor(() => expect(listed()).toEqual(['Form.pdf', 'Referral.pdf']))
})

test('whoever goes leaves no file behind for the next one', async () => {
  const { server, state } = open()
  await screen.findByText('Referral.pdf')
  server.partsLeft = 0
  choose(pdf('Form.pdf'))
  await screen.findByText(/waits for a connection/)
  act(() => state.setState({ home: { ...writer, id_user: 2 } }))
  expect(uploads.getState().picked).toEqual([])
  expect(screen.queryByText('Form.pdf')).toBeNull()
})

test('takes what is dropped', async () => {
  open()
  await screen.findByText('Referral.pdf')
  const place = screen.getByRole('button', { name: 'Choose files' })
  const dataTransfer = { files: [pdf('Dropped.pdf')], types: ['Files'] }
  fireEvent.dragOver(place, { dataTransfer })
  fireEvent.drop(place, { dataTransfer })
  await waitFor(() => expect(listed()).toEqual(['Dropped.pdf', 'Referral.pdf']))
})

test('who may only read adds nothing, and without a connection it says what it needs', async () => {
  const { server, connection } = open({ home: { ...writer, permissions: ['file.read'] } })
  await screen.findByText('Referral.pdf')
  expect(screen.queryByRole('button', { name: 'Choose files' })).toBeNull()
  cleanup()
  act(() => connection.setState({ online: false }))
  server.reachable = false
  const other = open()
  cleanup()
  other.server.reachable = false
  render(
    <DeviceProvider device={other.device}>
      <FilesScreen idPatient={patient} />
    </DeviceProvider>,
  )
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  other.server.reachable = true
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Referral.pdf')).toBeTruthy()
})
