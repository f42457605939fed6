// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HomeInfo } from '#contract/people/session.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { readUnsentFiles } from '#src/sync/files/unsent-files.ts'
import { FileDesk } from '#tests/support/file-desk.ts'
import { mayasHome, refused, screenDevice } from '#tests/support/screen-device.ts'
import { UnsentFiles } from './unsent-files.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

const idPatient = '0190a000-0000-7000-8000-00000000000a'
const ben: HomeInfo = { ...mayasHome, id_user: 2, username: 'ben', first_name: 'Ben', last_name: 'Halvorsen' }

let desk: FileDesk
beforeEach(() => {
  desk = new FileDesk(mayasHome)
})
afterEach(() => {
  cleanup()
  desk.end()
})

/** Maya adds a letter. Then `looker` opens the list of unsent files. */
async function open(only: 'waiting' | 'refused', looker: HomeInfo = mayasHome) {
  if (only === 'refused') desk.server.refusal = { path: '/upload/', answer: refused(413, 'file-too-large') }
  else desk.server.reachable = false
  const tab = await desk.open()
  await desk.giveKey(tab.hot)
  await tab.queue.add({ idPatient, name: 'Glaucoma letter.pdf', category: 'referral', blob: new Blob(['%PDF-1.4 letter']) })
  await tab.queue.run(true)
  desk.seat(looker)
  const made = screenDevice({ signedIn: true })
  made.state.setState({ home: looker })
  const recorded: unknown[] = []
  const outbox = { record: (...given: unknown[]) => Promise.resolve({ saved: true, given: recorded.push(given) }) }
  const device = { ...made.device, outbox, files: () => Promise.resolve(tab.queue) } as never
  render(
    <DeviceProvider device={device}>
      <UnsentFiles only={only} isAlone timeZone="America/New_York" />
    </DeviceProvider>,
  )
  return { ...tab, recorded }
}
const rows = async () => within(await screen.findByRole('list', { name: 'Patient files' }))

test('a user sees their own file by name, with its progress and a link to its patient', async () => {
  await open('waiting')
  const list = await rows()
  expect(list.getByText('Glaucoma letter.pdf')).toBeTruthy()
  expect(await list.findByText('Saved on this tablet. Waiting to send')).toBeTruthy()
  expect(list.getByRole('link', { name: 'Open the files' }).getAttribute('href')).toBe(`/patient/${idPatient}/file`)
})

test('a refused file shows the reason and what to do, and a retry sends it', async () => {
  const { hot } = await open('refused')
  const list = await rows()
  expect(await list.findByText('file-too-large. Discard this one and choose another file.')).toBeTruthy()
  desk.server.refusal = null
  fireEvent.click(list.getByRole('button', { name: 'Retry' }))
  await waitFor(async () => expect(await readUnsentFiles(hot)).toEqual([]))
  await waitFor(() => expect(screen.queryByText('Glaucoma letter.pdf')).toBeNull())
})

test('another user’s file shows only its author; only a user with the tablets permission may discard it, with a reason', async () => {
  await open('waiting', ben)
  const list = await rows()
  expect((await list.findByText('Maya Okafor')).parentElement?.textContent).toBe('File from Maya Okafor')
  expect(list.getByText(/Only the person who added it can see and send it/)).toBeTruthy()
  expect(document.body.textContent).not.toMatch(/Glaucoma|eferral/)
  expect(list.queryByRole('button')).toBeNull()
  cleanup()
  desk.end()

  desk = new FileDesk(mayasHome)
  const { hot, recorded } = await open('waiting', { ...ben, permissions: ['settings.tablets'] })
  fireEvent.click((await rows()).getByRole('button', { name: 'Discard…' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  fireEvent.click(dialog.getByRole('button', { name: 'Discard' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  expect(await readUnsentFiles(hot)).toHaveLength(1)
  fireEvent.change(dialog.getByRole('textbox', { name: /Reason/ }), { target: { value: 'has left the clinic' } })
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Discard' })))
  await waitFor(async () => expect(await readUnsentFiles(hot)).toEqual([]))
  expect(recorded).toMatchObject([['command.discard', expect.stringMatching(/^discard:/), { reason: 'has left the clinic' }, {}]])
})
