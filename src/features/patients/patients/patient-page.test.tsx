// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { PatientShelf, ShelvedPatient } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient, testShelf } from '#tests/support/test-patients.ts'
import { AccessLog } from './access-log.tsx'
import { PatientDetails } from './patient-details.tsx'
import { PatientLayout } from './patient-layout.tsx'
import { searchStore } from './store.ts'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  searchStore.setState({ idUser: null, criteria: {}, expanded: false, found: null, recent: [] })
})

const abigail: ShelvedPatient = testPatient(7, { alerts: 'Allergic to latex', recall_due_date: '2020-01-31', recall_reason: 'yearly exam' })
const record = { ...abigail, ssn: '•••-••-6789', store_name: 'Harbour Street', is_new: false }

type Options = {
  shelved?: ShelvedPatient[]
  permissions?: Permission[]
  answer?: (endpoint: Endpoint, request: unknown) => Outcome<unknown> | Promise<Outcome<unknown>>
  page?: ReactNode
  notSaved?: boolean
  shelf?: PatientShelf
}

function open({
  shelved = [abigail],
  permissions = ['patient.read'],
  answer,
  page = <PatientDetails />,
  notSaved = false,
  shelf = testShelf(shelved),
}: Options = {}) {
  const { device, state } = screenDevice({ signedIn: true, answers: (endpoint, request) => answer?.(endpoint, request) ?? unreachable })
  state.setState({ home: { ...mayasHome, permissions } })
  const views: unknown[] = []
  Object.assign(device, {
    patients: () => Promise.resolve(shelf),
    outbox: {
      record: (kind: string, lane: string, body: unknown) => {
        views.push([kind, lane, body])
        return Promise.resolve(
          notSaved ? { saved: false, problem: { reason: 'disk-full', message: 'The disk is full.' } } : { saved: true },
        )
      },
    },
  })
  const { unmount } = render(
    <DeviceProvider device={device}>
      <PatientLayout idPatient={abigail.id}>{page}</PatientLayout>
    </DeviceProvider>,
  )
  const view = [
    'patient.view',
    `views:${device.deviceId}`,
    { id_patient: abigail.id, part: 'record', reason: 'patient page', offline: true },
  ]
  return { views, view, unmount }
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('a right-to-left name or a very long one does not affect the text beside it', async () => {
  open({ shelved: [{ ...abigail, first_name: '\u202Ezoë', last_name: 'W'.repeat(40), inactive: true }] })
  const heading = await screen.findByRole('heading', { level: 1 })
  const name = heading.querySelector('bdi')
  expect(name?.textContent).toContain('W'.repeat(40))
  expect(name?.className).toContain('wrap-anywhere')
  expect(name?.contains(within(heading).getByText('Inactive'))).toBe(false)
})

test('the name alert shows another record with the same name and birth date on every tab; a shared number alone does not count', async () => {
  const twin = testPatient(8, { dob: abigail.dob, patient_no: 1208, phone: null })
  const brother = testPatient(9, { first_name: 'Rufus', dob: '2001-02-03', phone: abigail.phone })
  const { unmount } = open({ shelved: [abigail, brother, twin], page: <p>Invoices</p> })
  const others = within(await screen.findByRole('list', { name: 'Similar records' }))
  expect(others.getAllByRole('link').map((link) => link.textContent)).toEqual([expect.stringMatching(/^Abigail Carrow.*#1208/)])
  unmount()
  open({ shelved: [abigail, brother] })
  await screen.findByRole('heading', { name: /Abigail Carrow/ })
  expect(screen.queryByText(/Name alert/)).toBeNull()
})

test('without a connection the page comes from the tablet and says so, and the view is recorded once', async () => {
  const { views, view, unmount } = open()
  expect(await screen.findByRole('heading', { name: /Abigail Carrow.*From this tablet/ })).toBeTruthy()
  expect(screen.getByText('Allergic to latex')).toBeTruthy()
  expect(screen.getByText('Overdue since 01/31/2020, yearly exam')).toBeTruthy()
  expect(screen.getByText('available online')).toBeTruthy()
  await pass(1000)
  unmount()
  expect(views).toEqual([view])
})

test('the tablet answers until the server does; leaving earlier also records a view', async () => {
  const { views, view, unmount } = open({ answer: () => new Promise(() => undefined) })
  await screen.findByRole('heading', { name: /Abigail Carrow/ })
  expect(views).toEqual([])
  unmount()
  expect(views).toEqual([view])
})

test('the server’s answer is shown with the facts that only it has, and the server has recorded the view itself', async () => {
  const { views, unmount } = open({
    answer: ({ path }) => (path === '/api/patient/{id}' ? { ok: true, value: { ...record, version: 2, city: 'Elsewhere' } } : unreachable),
  })
  expect(await screen.findByText('•••-••-6789')).toBeTruthy()
  expect(screen.getByText(/Elsewhere/)).toBeTruthy()
  await pass(1000)
  unmount()
  expect(views).toEqual([])
})

test('the clinic’s own fields are shown, with names where they are known', async () => {
  const more = { preferred_provider_id: 4, preferred_store_id: 9, preferred_contact: 'sms', mailing_list: true, hipaa_ack_at: '2026-02-03' }
  open({
    shelved: [{ ...abigail, ...more }],
    answer: ({ path }) =>
      path === '/api/patient/choices'
        ? { ok: true, value: { providers: [{ id_user: 4, name: 'Iris Lindqvist' }], locations: [] } }
        : unreachable,
  })
  const clinic = within(await screen.findByRole('region', { name: 'At the clinic' }))
  expect(await clinic.findByText('Iris Lindqvist')).toBeTruthy()
  for (const text of ['No. 9', 'SMS', 'Yes', '02/03/2026']) expect(clinic.getByText(text), text).toBeTruthy()
})

test('a patient with nothing on file gets next steps, with the links that the user may use', async () => {
  const sentence = 'New patient - add insurance or book an exam.'
  const answer = ({ path }: Endpoint): Outcome<unknown> =>
    path === '/api/patient/{id}' ? { ok: true, value: { ...record, is_new: true } } : unreachable
  open({ permissions: ['patient.read', 'insurance.write', 'appointment.read'], answer })
  const notice = within((await screen.findByText(sentence)).parentElement ?? document.body)
  expect(notice.getByRole('link', { name: 'Add insurance' }).getAttribute('href')).toBe(`/patient/${abigail.id}/insurance`)
  expect(notice.getByRole('link', { name: 'Appointments' }).getAttribute('href')).toBe(`/patient/${abigail.id}/appointments`)
  cleanup()

  open({ answer })
  await screen.findByText(sentence)
  expect(screen.queryByRole('link', { name: 'Add insurance' })).toBeNull()
  cleanup()

  open({ answer: ({ path }) => (path === '/api/patient/{id}' ? { ok: true, value: record } : unreachable) })
  await screen.findByText('•••-••-6789')
  expect(screen.queryByText(sentence)).toBeNull()
})

test('in the evening at the store, a recall of that day is not overdue yet', async () => {
  // 10:30 pm in New York is the next day in Greenwich.
  vi.setSystemTime('2026-11-21T03:30:00Z')
  open({ shelved: [{ ...abigail, recall_due_date: '2026-11-20', recall_reason: null }] })
  expect(await screen.findByText('Due 11/20/2026')).toBeTruthy()
})

test('unsent changes outrank a newer row of the server', async () => {
  open({
    shelved: [{ ...abigail, city: 'Typed Here', unsent: 'waiting' }],
    answer: ({ path }) => (path === '/api/patient/{id}' ? { ok: true, value: { ...record, version: 2, city: 'Elsewhere' } } : unreachable),
  })
  expect(await screen.findByText('•••-••-6789')).toBeTruthy()
  expect(screen.getByText(/Typed Here/)).toBeTruthy()
  expect(screen.getByText('Not sent yet')).toBeTruthy()
})

test('a record that the server refuses is not shown from the tablet either', async () => {
  const { views } = open({ answer: () => refused(403, 'patient-of-other-store') })
  expect(await screen.findByText('Couldn’t open the patient')).toBeTruthy()
  await pass(1000)
  expect(screen.queryByText(/Abigail/)).toBeNull()
  expect(views).toEqual([])
})

test.each(['patient-unknown', 'request-invalid'] as const)('an address without a patient says so: %s', async (code) => {
  open({ shelved: [], answer: () => refused(404, code) })
  expect(await screen.findByText('Patient not found')).toBeTruthy()
  expect(screen.getByText(/Check the link, or search for the patient/)).toBeTruthy()
})

test('an unsent new patient is shown, and no view is recorded', async () => {
  const { views } = open({
    shelved: [{ ...abigail, patient_no: null, unsent: 'waiting' }],
    answer: () => refused(404, 'patient-unknown'),
  })
  expect(await screen.findByRole('heading', { name: /Abigail Carrow.*Not sent yet/ })).toBeTruthy()
  await pass(1000)
  expect(views).toEqual([])
})

test('once a new patient is sent, the page asks the server for the facts that only it has', async () => {
  const shelved = [{ ...abigail, patient_no: null, unsent: 'waiting' as const } as ShelvedPatient]
  const shelf = testShelf(shelved)
  let isSent = false
  open({
    shelf,
    answer: ({ path }) => (path === '/api/patient/{id}' && isSent ? { ok: true, value: record } : refused(404, 'patient-unknown')),
  })
  await screen.findByRole('heading', { name: /Abigail Carrow.*Not sent yet/ })
  expect(screen.getByText('available online')).toBeTruthy()
  isSent = true
  shelved[0] = abigail
  act(() => shelf.state.setState(({ turn, ...state }) => ({ ...state, turn: turn + 1 })))
  expect(await screen.findByText('•••-••-6789')).toBeTruthy()
})

test('a view that cannot be saved is reported', async () => {
  open({ notSaved: true })
  await screen.findByRole('heading', { name: /Abigail Carrow/ })
  await pass(1000)
  expect(await screen.findByText('The disk is full.')).toBeTruthy()
})

test('the access log shows who did what and loads older entries, for managers only', async () => {
  const entry = {
    id: 1,
    at: '2026-11-20T10:00:00.000Z',
    rep: 'Ana Teixeira',
    store_name: 'Downtown',
    device_id: null,
    action: 'patient.edit',
    detail: 'city',
    reason: '',
    offline: true,
    delivered_by: null as string | null,
  }
  const asked: unknown[] = []
  open({
    permissions: ['patient.read', 'patient.audit'],
    page: <AccessLog />,
    answer: (endpoint, request) => {
      if (endpoint.path !== '/api/patient/{id}/audit') return { ok: true, value: record }
      asked.push(request)
      const entries =
        asked.length === 1
          ? Array.from({ length: 100 }, (_, nth) => ({ ...entry, id: nth + 2 }))
          : [{ ...entry, id: 1, rep: 'Leo Park', delivered_by: 'Ben Halvorsen' }]
      return { ok: true, value: { entries, total: 101 } }
    },
  })
  const log = await screen.findByRole('region', { name: 'Access log' })
  expect(await within(log).findAllByText('Changed the record: city')).toHaveLength(100)
  expect(within(log).getAllByText('Offline')).toHaveLength(100)
  fireEvent.click(within(log).getByRole('button', { name: 'Show older, 1 entry' }))
  expect(await within(log).findByText('Leo Park')).toBeTruthy()
  expect(within(log).getByText('Ben Halvorsen').parentElement?.textContent).toBe(', delivered by Ben Halvorsen')
  expect(screen.getByRole('link', { name: 'Access log' })).toBeTruthy()
  cleanup()

  open({ page: <AccessLog /> })
  expect(await screen.findByText('Managers only')).toBeTruthy()
  expect(screen.queryByRole('link', { name: 'Access log' })).toBeNull()
})

test('behind the lock, which closes the tablet’s patients, the page stays and keeps the typed text', async () => {
  let isOpen = true
  const shelf = testShelf([abigail])
  open({ shelf: { ...shelf, get: (id) => (isOpen ? shelf.get(id) : null) }, page: <input aria-label="Notes" /> })
  const notes = await screen.findByLabelText<HTMLInputElement>('Notes')
  fireEvent.change(notes, { target: { value: 'half a sentence' } })
  for (const status of ['locked', 'opening', 'ready'] as const) {
    isOpen = status === 'ready'
    act(() => shelf.state.setState(({ turn }) => ({ status, turn: turn + 1 })))
    expect(screen.getByLabelText('Notes')).toBe(notes)
    expect(notes.value).toBe('half a sentence')
  }
})
