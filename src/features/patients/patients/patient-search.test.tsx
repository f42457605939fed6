// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient, testShelf } from '#tests/support/test-patients.ts'
import { PatientSearch } from './patient-search.tsx'
import { searchStore } from './store.ts'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(() => {
  cleanup()
  searchStore.setState(searchStore.getInitialState(), true)
  toastStore.setState({ toast: null })
})

type Row = Patient & { store_name: string }
const patientOf = (nth: number, more: Partial<Row> = {}): Row => ({ ...testPatient(nth), store_name: 'Harbour Street', ...more })

const abigail = patientOf(1)
const zoe = patientOf(2, { first_name: 'Zoë', last_name: 'O’Hara', phone: null })
const elsewhere = patientOf(3, { first_name: 'Zora', last_name: 'Neale', store_id: 2, store_name: 'Mill Lane' })

function show(options: { permissions?: typeof mayasHome.permissions; answer?: (request: unknown) => unknown } = {}) {
  const asked: unknown[] = []
  const { device, state, connection } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (endpoint.path === '/api/patient/choices')
        return { ok: true, value: { providers: [{ id_user: 4, name: 'Iris Lindqvist' }], locations: [] } }
      if (endpoint.path === '/api/patient/insurance/coverage_types')
        return { ok: true, value: { coverage_types: [{ coverage_type_id: 5, key: 'medicaid', name: 'Medicaid' }] } }
      asked.push(request)
      return (options.answer?.(request) ?? unreachable) as never
    },
  })
  state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['patient.read'] } })
  const shelf = testShelf([abigail, zoe])
  Object.assign(device, { patients: () => Promise.resolve(shelf) })
  render(
    <DeviceProvider device={device}>
      <PatientSearch />
    </DeviceProvider>,
  )
  return { state, asked, shelf, connection }
}

const type = (label: string, text: string) => fireEvent.change(screen.getByLabelText(label), { target: { value: text } })
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

test('this device answers while the user types, in any word order, accents and case', async () => {
  const { asked } = show()
  type('Name', 'OHARA zo')
  const list = await screen.findByRole('list', { name: 'Patients found' })
  expect(
    within(list)
      .getByRole('link', { name: /Zoë O’Hara/ })
      .getAttribute('href'),
  ).toBe(`/patient/${zoe.id}`)
  expect(within(list).queryByText(/Abigail/)).toBeNull()
  expect(screen.getByText('1 patient on this device')).toBeTruthy()
  expect(asked).toEqual([])
})

test('the server adds patients that this device does not have, and nobody appears twice', async () => {
  const { asked } = show({ answer: () => ({ ok: true, value: { patients: [zoe, elsewhere], total: 2, page: 1 } }) })
  type('Name', 'zo')
  await screen.findByRole('link', { name: /Zoë/ })
  press('Search')
  await screen.findByRole('link', { name: /Zora Neale.*Mill Lane/ })
  expect(screen.getAllByRole('link')).toHaveLength(2)
  expect(asked).toEqual([{ query: { name: 'zo', page: '1' } }])
})

test('while this device still reads its patients, it does not say that there are no matches', async () => {
  const { shelf } = show()
  shelf.state.setState({ status: 'opening' })
  type('Name', 'nobody')
  expect(await screen.findByText('Loading patients on this device…')).toBeTruthy()
  expect(screen.queryByText('No matches on this device')).toBeNull()
  act(() => shelf.state.setState({ status: 'ready' }))
  expect(screen.getByText('No matches on this device')).toBeTruthy()
})

test('a search without matches shows the specification’s words', async () => {
  show({ answer: () => ({ ok: true, value: { patients: [], total: 0, page: 1 } }) })
  type('Last Name', 'nobody')
  press('Search')
  await vi.waitFor(() => expect(toastStore.getState().toast).toMatchObject({ title: 'Error', description: 'Patient not found' }))
})

test('when the server does not answer, the device’s matches stay and a notice says so', async () => {
  show()
  type('Phone', '(518) 555')
  await screen.findByRole('link', { name: /Abigail/ })
  press('Search')
  expect(await screen.findByText('Couldn’t search the server')).toBeTruthy()
  expect(screen.getByRole('link', { name: /Abigail/ })).toBeTruthy()
})

test('an unreadable date is reported at its field, and the server is not asked', async () => {
  const { asked } = show()
  type('DOB', 'yesterday')
  press('Search')
  expect((await screen.findByRole('alert')).textContent).toContain('must be a date or a year, like 02/28/1980')
  expect(asked).toEqual([])
})

test('an incomplete date does not affect the rest of the search', async () => {
  show()
  type('Name', 'zo')
  type('DOB', '02/2')
  expect(await screen.findByText('Enter a full date, like 02/26/1941 · 1 patient on this device')).toBeTruthy()
  type('DOB', '02/28/1980')
  expect(await screen.findByText('1 patient on this device')).toBeTruthy()
})

test('filled fields that are hidden are counted, and open again when one is unreadable', async () => {
  const { asked } = show()
  press('More fields')
  type('Age', 'old')
  press('Fewer fields')
  expect(screen.getByRole('button', { name: 'More fields (1)' })).toBeTruthy()
  press('Search')
  expect((await screen.findByRole('alert')).textContent).toContain('must be a number of years')
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Age')))
  expect(asked).toEqual([])
})

test('Clear empties every field and moves the focus to the first', async () => {
  show()
  type('DOB', 'yesterday')
  press('Search')
  await screen.findByRole('alert')
  press('Clear')
  expect(searchStore.getState().criteria).toEqual({})
  expect(screen.queryByRole('alert')).toBeNull()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
})

test('a search that was started on another page shows its progress and its failure here', () => {
  searchStore.setState({ idUser: 1, criteria: { name: 'zo' }, asking: true })
  show()
  expect(screen.getByRole('button', { name: 'Search' }).getAttribute('aria-busy')).toBe('true')
  act(() => searchStore.setState({ asking: false, failure: { kind: 'unreachable', message: 'no network' } }))
  expect(screen.getByText('Couldn’t search the server')).toBeTruthy()
})

test('while the tablet’s patients are locked, it does not say that there are no matches', async () => {
  const { shelf, connection } = show()
  shelf.state.setState({ status: 'locked' })
  connection.setState({ online: false })
  type('Name', 'nobody')
  expect(await screen.findByText('Patients on this device will be available when you’re back online')).toBeTruthy()
})

test('more fields have real choices, and Inactive also finds inactive patients', async () => {
  show({ answer: () => ({ ok: true, value: { patients: [], total: 0, page: 1 } }) })
  press('More fields')
  expect(await screen.findByRole('option', { name: 'Iris Lindqvist' })).toBeTruthy()
  expect(screen.getByRole('option', { name: 'Wyoming (WY)' })).toBeTruthy()
  expect(screen.getByLabelText(/^Inactive/)).toBeTruthy()
})

test('a late answer to an earlier search shows nobody', async () => {
  let answerLate: (answer: unknown) => void = () => undefined
  const { asked } = show({ answer: () => new Promise((resolve) => (answerLate = resolve)) })
  type('Name', 'zora')
  press('Search')
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  type('Name', 'abigail')
  await screen.findByRole('link', { name: /Abigail/ })
  await act(async () => answerLate({ ok: true, value: { patients: [elsewhere], total: 1, page: 1 } }))
  expect(screen.queryByRole('link', { name: /Zora/ })).toBeNull()
  expect(searchStore.getState().found).toBeNull()
})

test('a tablet that was locked meanwhile drops the late answer', async () => {
  let answerLate: (answer: unknown) => void = () => undefined
  const { asked, state } = show({ answer: () => new Promise((resolve) => (answerLate = resolve)) })
  type('Name', 'zora')
  press('Search')
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  act(() => state.setState({ locked: true }))
  await act(async () => answerLate({ ok: true, value: { patients: [elsewhere], total: 1, page: 1 } }))
  expect(searchStore.getState()).toMatchObject({ criteria: { name: 'zora' }, found: null })
})

test('Search without criteria says what is missing and moves the focus there', () => {
  const { asked } = show()
  press('Search')
  expect(screen.getByText('Fill in at least one field')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByLabelText('Name'))
  expect(asked).toEqual([])
})

test('the arrow keys go from a field to the first match, through the matches, and back', async () => {
  show()
  type('Address', 'quarry')
  const links = await screen.findAllByRole('link')
  fireEvent.keyDown(screen.getByLabelText('Address'), { key: 'ArrowDown' })
  expect(document.activeElement).toBe(links[0])
  fireEvent.keyDown(links[0]!, { key: 'ArrowDown' })
  expect(document.activeElement).toBe(links[1])
  fireEvent.keyDown(links[1]!, { key: 'ArrowUp' })
  fireEvent.keyDown(links[0]!, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(screen.getByLabelText('Address'))
})

test('a user’s search is gone when they sign out', async () => {
  const { state } = show()
  type('Name', 'zo')
  await screen.findByRole('link', { name: /Zoë/ })
  act(() => state.setState({ status: 0, home: null }))
  expect(searchStore.getState()).toMatchObject({ criteria: {}, found: null, recent: [] })
  cleanup()
  show()
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('')
})

test('a user who may not see patients has no search', () => {
  show({ permissions: ['count.scan'] })
  expect(screen.queryByRole('search')).toBeNull()
})

test('a new patient starts with the search criteria, and submitting the form does not search', async () => {
  const { asked } = show({ permissions: ['patient.read', 'patient.write'] })
  type('Name', 'Otto Neu')
  press('New patient')
  const dialog = await screen.findByRole('dialog', { name: 'Add New Patient' })
  expect((await within(dialog).findByLabelText<HTMLInputElement>('Last *')).value).toBe('Neu')
  expect(within(dialog).getByLabelText<HTMLInputElement>('First *').value).toBe('Otto')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Submit' }))
  await within(dialog).findByText('state is required')
  expect(asked).toEqual([])
})

test('a user with read access only has no button for a new patient', () => {
  show()
  expect(screen.queryByRole('button', { name: 'New patient' })).toBeNull()
})

test('coverage is chosen from the kinds of policies, and only the server searches by insurance', async () => {
  const { asked } = show({ answer: () => ({ ok: true, value: { patients: [elsewhere], total: 1, page: 1 } }) })
  type('Name', 'z')
  await screen.findByRole('list', { name: 'Patients found' })
  press('More fields')
  await screen.findByRole('option', { name: 'Medicaid' })
  fireEvent.change(screen.getByLabelText('Coverage'), { target: { value: 'medicaid' } })
  await screen.findByText('Insurance is searched online. Press Search.')
  expect(screen.queryByRole('list', { name: 'Patients found' })).toBeNull()
  press('Search')
  await screen.findByText('1 patient')
  expect(asked.at(-1)).toMatchObject({ query: { name: 'z', coverage: 'medicaid' } })
})
