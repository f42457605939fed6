// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { createStore } from 'zustand/vanilla'
import { afterEach, expect, test } from 'vitest'
import type { PcpLetter } from '#contract/patients/pcp-letters.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { PatientShelf } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { PcpLetters } from './pcp-letters.tsx'

afterEach(() => {
  cleanup()
  toastStore.setState({ toast: null })
})

const idPatient = '0198c2f4-0000-7000-8000-000000000001'
const idPcp = '0198c2f4-0000-7000-8000-000000000002'
const sent: PcpLetter = {
  id_letter: '0198c2f4-0000-7000-8000-00000000000a',
  id_pcp: idPcp,
  pcp_name: 'هيلين Marsh <b>, MD',
  sent_on: '2026-11-02',
  way: 'fax',
  about: 'Cataract <i>',
  rep: 'Ana Teixeira',
  recorded_at: '2026-11-02T15:00:00.000Z',
}
const marsh = { id_pcp: idPcp, last_name: 'Marsh', first_name: 'Helen', credential: 'MD', practice: 'Oak Clinic', city: null }

/** A device with the key for patients. Its server gives `answer` to a letter. */
async function setUp({ letters = [] as PcpLetter[], permissions = ['patient.read', 'patient.write'] as Permission[] } = {}) {
  const server = { letters, reachable: true, answer: null as ReturnType<typeof refused> | null, sent: [] as PcpLetter[] }
  const ready = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (endpoint.method === 'POST') {
        const { body } = request as { body: Pick<PcpLetter, 'id_letter' | 'id_pcp' | 'sent_on' | 'way' | 'about'> }
        const letter = { ...sent, ...body }
        server.sent.push(letter)
        if (server.answer) return server.answer
        server.letters = [letter, ...server.letters]
        return { ok: true, value: letter }
      }
      if (!server.reachable) return unreachable
      if (endpoint.path === '/api/patient/{id}/pcp-letter') return { ok: true, value: { letters: server.letters } }
      return { ok: true, value: { ...marsh, phone: null, fax: '5185550141', npi: null, inactive: false } }
    },
  })
  const shelf = { state: createStore(() => ({ status: 'locked', turn: 0 })) } as unknown as PatientShelf
  const device = Object.assign(ready.device, { patients: () => Promise.resolve(shelf) })
  const home = { ...mayasHome, permissions }
  ready.state.setState({ home })
  await givePatientsKey(ready.hot, home)
  const show = async (pcp: string | null = idPcp) => {
    await act(async () => {
      render(
        <DeviceProvider device={device}>
          <PcpLetters idPatient={idPatient} idPcp={pcp} />
        </DeviceProvider>,
      )
    })
  }
  return { ...ready, server, show }
}

async function openDialog(name = 'Log a letter') {
  const button = await screen.findByRole('button', { name })
  await act(async () => void fireEvent.click(button))
  return within(await screen.findByRole('dialog'))
}
type Shown = Awaited<ReturnType<typeof openDialog>>
const save = (dialog: Shown) => act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Save' })))
const change = (dialog: Shown, label: RegExp, value: string) =>
  act(async () => void fireEvent.change(dialog.getByLabelText(label), { target: { value } }))
async function fillIn(dialog: Shown, about: string) {
  await change(dialog, /^Date sent/, '2026-11-03')
  await act(async () => void fireEvent.click(dialog.getByRole('radio', { name: 'Given in person' })))
  await change(dialog, /^About/, about)
}

test('a letter shows its day, way, subject, recipient and author, with names and words as written', async () => {
  const { show } = await setUp({ letters: [sent] })
  await show()
  const letter = within(await screen.findByRole('list', { name: 'Letters' })).getByRole('listitem')
  expect(letter.textContent).toBe('11/02/2026Cataract <i>Fax, to هيلين Marsh <b>, MD; logged by Ana Teixeira')
  expect(Array.from(letter.querySelectorAll('bdi'), ({ textContent }) => textContent)).toEqual([sent.about, sent.pcp_name, sent.rep])
})

test('fields show missing values and a future date, and nothing is sent; a saved letter is in the list', async () => {
  const { show, server } = await setUp()
  await show()
  const dialog = await openDialog()
  expect(await dialog.findByText('Helen Marsh, MD')).toBeTruthy()
  await change(dialog, /^Date sent/, '2099-01-01')
  await save(dialog)
  for (const problem of ['can’t be in the future', 'Choose how it was sent', 'This field is required']) dialog.getByText(problem)
  expect(server.sent).toEqual([])
  await fillIn(dialog, '  Glaucoma suspected ')
  await save(dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.sent).toMatchObject([{ id_pcp: idPcp, sent_on: '2026-11-03', way: 'hand', about: 'Glaucoma suspected' }])
  expect(within(await screen.findByRole('list', { name: 'Letters' })).getByText('Glaucoma suspected')).toBeTruthy()
  expect(toastStore.getState().toast?.title).toBe('Letter logged')
  // The form does not offer saved text again.
  await (await openDialog()).findByLabelText(/^About/)
  expect(screen.queryByText('We restored your unsaved changes')).toBeNull()
})

test('typed text survives a failed save and a reload, and is sent again under the same id', async () => {
  const { show, server } = await setUp()
  await show()
  const dialog = await openDialog()
  await fillIn(dialog, 'Cataract')
  server.answer = unreachable
  await save(dialog)
  expect(dialog.getByText(/Press Save again; it won’t be logged twice/)).toBeTruthy()
  expect(dialog.getByLabelText(/^About/)).toHaveProperty('value', 'Cataract')
  cleanup()
  await show()
  const again = await openDialog('Continue the letter')
  expect(again.getByText('We restored your unsaved changes')).toBeTruthy()
  expect(again.getByLabelText(/^Date sent/)).toHaveProperty('value', '2026-11-03')
  expect(again.getByRole('radio', { name: 'Given in person' })).toHaveProperty('checked', true)
  server.answer = null
  await save(again)
  await waitFor(() => expect(server.sent).toHaveLength(2))
  expect(server.sent[1]).toEqual(server.sent[0])
})

test('the form says that the letter arrived before the change, and the changed text is another letter', async () => {
  const { show, server } = await setUp()
  await show()
  const dialog = await openDialog()
  await fillIn(dialog, 'Cataract, changed')
  server.answer = refused(409, 'key-reused')
  await save(dialog)
  expect(dialog.getByText(/was saved before your change/)).toBeTruthy()
  server.answer = null
  await save(dialog)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(new Set(server.sent.map(({ id_letter }) => id_letter)).size).toBe(2)
})

test('after Start over, the old text is not offered again', async () => {
  const { show } = await setUp()
  await show()
  await fillIn(await openDialog(), 'Cataract')
  cleanup()
  await show()
  const dialog = await openDialog('Continue the letter')
  await act(async () => void fireEvent.click(dialog.getByRole('button', { name: 'Start over' })))
  expect(dialog.getByLabelText(/^About/)).toHaveProperty('value', '')
  cleanup()
  await show()
  expect(await screen.findByRole('button', { name: 'Log a letter' })).toBeTruthy()
})

test('without a connection the page says so and keeps typed text; the list loads when the connection is back', async () => {
  const { show, server, connection } = await setUp({ letters: [sent] })
  server.reachable = false
  connection.setState({ online: false })
  await show()
  expect(await screen.findByText('You’re offline. Letters are available online.')).toBeTruthy()
  const dialog = await openDialog()
  expect(dialog.getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true)
  await change(dialog, /^About/, 'Cataract')
  server.reachable = true
  await act(async () => connection.setState({ online: true }))
  expect(dialog.getByLabelText(/^About/)).toHaveProperty('value', 'Cataract')
  expect(await screen.findByText('Cataract <i>')).toBeTruthy()
})

test('a user without write permission only sees the letters; a patient without provider and letters has no such section', async () => {
  const { show } = await setUp({ letters: [sent], permissions: ['patient.read'] })
  await show()
  await screen.findByText('Cataract <i>')
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  const former = await setUp({ letters: [sent] })
  await former.show(null)
  await screen.findByText('Cataract <i>')
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  const without = await setUp()
  await without.show(null)
  await waitFor(() => expect(without.calls).toHaveLength(1))
  expect(screen.queryByRole('region', { name: 'Letters' })).toBeNull()
})
