// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { abigail, home, open, signed } from '#tests/support/rx-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

const paper = { id_file: '0190a000-0000-7000-8000-0000000000f1', filename: 'Paper.pdf' }
const filed = { ...paper, id_patient: abigail.id, file_path: 'x', mime: 'application/pdf', size: 9, category: 'outside Rx', note: '' }

test('the scan of an outside prescription is chosen from the files, offered to open, and unlinked', async () => {
  const outside = { ...signed, is_outside_rx: true, provider_name: 'Dr. Elsewhere' }
  const files = [{ ...filed, has_thumbnail: false, uploaded_by: 'Iris', uploaded_at: '2026-11-20T10:00:00.000Z' }]
  const { user } = open({ rx: outside, files, home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] } })
  const section = within(await screen.findByRole('region', { name: 'Scan of the paper Rx' }))
  await user.click(section.getByRole('button', { name: 'Choose from the files' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(await dialog.findByLabelText('File'), paper.id_file)
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await section.findByRole('link', { name: 'Open Paper.pdf' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(section.getByRole('button', { name: 'Unlink' }))
  expect(await section.findByText('No scan of this outside Rx is attached.')).toBeTruthy()
})

test('a scan is uploaded to the patient’s files in three calls and linked; a file that is not a document is not sent', async () => {
  const { user, server, calls } = open({
    rx: { ...signed, is_outside_rx: true },
    home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] },
  })
  const input = await screen.findByLabelText('Scan to upload')
  await user.upload(input, new File(['hello'], 'words.pdf', { type: 'application/pdf' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT UPLOADED. Unsupported file type')
  expect(calls.filter(({ path }) => path === '/upload/')).toEqual([])
  await user.upload(input, new File(['%PDF-1.7 paper'], 'Paper.pdf', { type: 'application/pdf' }))
  expect(await screen.findByRole('link', { name: 'Open Paper.pdf' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  const attached = calls.find(({ path, request }) => path === '/api/patient/file' && 'body' in (request as object))
  const id_file = server.rx.scan?.id_file
  expect(attached?.request).toMatchObject({ body: { id_file, id_patient: abigail.id, category: 'outside Rx', filename: 'Paper.pdf' } })
})

test('the clinic’s own prescription asks for no scan, and a user without the right to read files sees none', async () => {
  open({ rx: signed, home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('region', { name: 'Scan of the paper Rx' })).toBeNull()
  cleanup()
  open({ rx: { ...signed, is_outside_rx: true, scan: paper } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('region', { name: 'Scan of the paper Rx' })).toBeNull()
})
