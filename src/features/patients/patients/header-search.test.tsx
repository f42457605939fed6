// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { testPatient, testShelf } from '#tests/support/test-patients.ts'
import { HeaderSearch, type HeaderSearchProps } from './header-search.tsx'
import { searchPanelId } from './model/search-panel-id.ts'
import { searchStore, seek } from './store.ts'

const navigate = vi.hoisted(() => vi.fn(() => Promise.resolve()))
vi.mock('@tanstack/react-router', async () => ({ ...(await import('#tests/support/mock-router.tsx')), useNavigate: () => navigate }))

afterEach(() => {
  cleanup()
  navigate.mockClear()
  searchStore.setState(searchStore.getInitialState(), true)
})

const zoe = testPatient(2, { first_name: 'Zoë', last_name: 'O’Hara' })
const crowd = [3, 4, 5, 6, 7, 8].map((nth) => testPatient(nth, { first_name: 'Ned', last_name: 'Neale' }))

function show({ permissions = ['patient.read'], small = false, isHome = false, onFrame }: Partial<HeaderSearchProps> & Options = {}) {
  const found = { patients: [{ ...testPatient(1), store_name: 'Harbour Street' }], total: 1, page: 1 }
  const made = screenDevice({ signedIn: true, answers: () => ({ ok: true, value: found }) })
  made.state.setState({ home: { ...mayasHome, permissions } })
  Object.assign(made.device, { patients: () => Promise.resolve(testShelf([testPatient(1), zoe, ...crowd])) })
  render(
    <DeviceProvider device={made.device}>
      <HeaderSearch small={small} isHome={isHome} onFrame={onFrame} />
    </DeviceProvider>,
  )
  return made
}
type Options = { permissions?: typeof mayasHome.permissions }

const typeLine = (line: string) => fireEvent.change(screen.getByLabelText('Patient', { exact: true }), { target: { value: line } })

async function openFields(name = 'Search by all fields') {
  const button = screen.getByRole('button', { name })
  // A finger or a mouse also gives it the focus.
  button.focus()
  fireEvent.click(button)
  return within(await screen.findByRole('dialog', { name: 'Look up a patient' }))
}

test('one line fills the search fields, on the home page and at the server', async () => {
  const { calls } = show()
  typeLine('O’Hara zoë 02/28/1980 (518) 555-0123')
  fireEvent.submit(screen.getByRole('search'))
  await vi.waitFor(() => expect(searchStore.getState().found?.total).toBe(1))
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/' })
  expect(searchStore.getState().criteria).toEqual({ name: 'O’Hara zoë', dob: '1980-02-28', phone: '5185550123' })
  expect(calls).toEqual([
    { path: '/api/patient/lookup', request: { query: { name: 'O’Hara zoë', dob: '1980-02-28', phone: '5185550123', page: '1' } } },
  ])
})

test('an empty line asks nothing and gets the focus', () => {
  const { calls } = show()
  typeLine('   ')
  fireEvent.submit(screen.getByRole('search'))
  expect([navigate.mock.calls, calls]).toEqual([[], []])
  expect(document.activeElement).toBe(screen.getByLabelText('Patient', { exact: true }))
})

const lineField = () => screen.getByRole('combobox', { name: 'Patient' })
const suggestions = () => within(screen.getByRole('listbox', { name: 'Patients' }))
const openedAt = (id: string) => ({ to: '/patient/$id_patient', params: { id_patient: id } })

test('the tablet’s patients show while the user types, and Enter opens the only one', async () => {
  const { calls } = show()
  fireEvent.focus(lineField())
  typeLine('ohara')
  expect(await screen.findByRole('option', { name: /Zoë O’Hara/ })).toBeTruthy()
  fireEvent.keyDown(lineField(), { key: 'Enter' })
  expect(navigate).toHaveBeenCalledExactlyOnceWith(openedAt(zoe.id))
  expect(screen.queryByRole('listbox')).toBeNull()
  expect((lineField() as HTMLInputElement).value).toBe('')
  expect(calls).toEqual([])
})

test('of several suggestions the arrow keys choose one, and Enter alone searches', async () => {
  show()
  fireEvent.focus(lineField())
  typeLine('neale')
  expect(await screen.findAllByRole('option')).toHaveLength(crowd.length)
  fireEvent.keyDown(lineField(), { key: 'Enter' })
  expect(navigate).not.toHaveBeenCalled()
  fireEvent.keyDown(lineField(), { key: 'ArrowDown' })
  fireEvent.keyDown(lineField(), { key: 'ArrowDown' })
  const active = suggestions().getAllByRole('option')[1]
  expect(active?.getAttribute('aria-selected')).toBe('true')
  await vi.waitFor(() => expect(lineField().getAttribute('aria-activedescendant')).toBe(active?.id))
  fireEvent.keyDown(lineField(), { key: 'Enter' })
  expect(navigate).toHaveBeenCalledExactlyOnceWith(openedAt(crowd[1]!.id))
})

test('the server is asked when the tablet has no match, and the last suggestion adds a new patient', async () => {
  const { calls } = show({ permissions: ['patient.read', 'patient.write'] })
  fireEvent.focus(lineField())
  typeLine('nobody')
  expect(await screen.findByRole('option', { name: /Harbour Street/ })).toBeTruthy()
  expect(calls).toEqual([{ path: '/api/home/patient/search', request: { query: { query: 'nobody' } } }])
  fireEvent.click(screen.getByRole('option', { name: 'Add “nobody” as a new patient' }))
  const dialog = await screen.findByRole('dialog')
  await vi.waitFor(() => expect(within(dialog).getByDisplayValue('nobody')).toBeTruthy())
})

test('a code of a frame leads to the frame', async () => {
  const onFrame = vi.fn()
  show({ onFrame })
  fireEvent.focus(lineField())
  typeLine('smith')
  await screen.findByRole('listbox')
  expect(screen.queryByRole('option', { name: /^Look up frame/ })).toBeNull()
  typeLine('DT-100004')
  fireEvent.click(await screen.findByRole('option', { name: 'Look up frame DT-100004' }))
  expect(onFrame).toHaveBeenCalledExactlyOnceWith('DT-100004')
})

test('the pages of the user’s own list are suggested by their names', async () => {
  show()
  fireEvent.focus(lineField())
  typeLine('count')
  fireEvent.click(await screen.findByRole('option', { name: 'Go to Count sheets' }))
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/inventory/count-sheets' })
})

test('an empty line suggests the patients opened last; Escape closes the list', async () => {
  show()
  act(() => searchStore.setState({ recent: [zoe.id] }))
  fireEvent.focus(lineField())
  expect(await screen.findByRole('option', { name: /Zoë O’Hara/ })).toBeTruthy()
  expect(screen.getByText('Recent patients')).toBeTruthy()
  fireEvent.keyDown(lineField(), { key: 'Escape' })
  expect(screen.queryByRole('listbox')).toBeNull()
})

test('a slash, or Ctrl or Cmd with k, lead to the search; in a field a slash is typed', () => {
  show()
  fireEvent.keyDown(document.body, { key: '/' })
  expect(document.activeElement).toBe(lineField())
  expect(fireEvent.keyDown(lineField(), { key: '/' })).toBe(true)
  lineField().blur()
  fireEvent.keyDown(document.body, { key: 'k', metaKey: true })
  expect(document.activeElement).toBe(lineField())
})

test('all fields: the tablet’s first matches show while the user types, and a name opens the patient', async () => {
  const { calls } = show()
  const dialog = await openFields()
  await vi.waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Name')))
  fireEvent.change(dialog.getByLabelText('Last Name'), { target: { value: 'neale' } })
  expect(await dialog.findByText('Showing the first 5 on this device. Press Search to see all.')).toBeTruthy()
  expect(dialog.getAllByRole('link')).toHaveLength(5)
  fireEvent.change(dialog.getByLabelText('Last Name'), { target: { value: 'ohara' } })
  const link = await dialog.findByRole('link', { name: /Zoë O’Hara/ })
  expect(link.getAttribute('href')).toBe(`/patient/${zoe.id}`)
  fireEvent.keyDown(dialog.getByLabelText('Last Name'), { key: 'ArrowDown' })
  expect(document.activeElement).toBe(link)
  fireEvent.keyDown(link, { key: 'ArrowUp' })
  expect(document.activeElement).toBe(dialog.getByLabelText('Last Name'))
  fireEvent.click(link)
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls).toEqual([])
})

test('when the focused result disappears, the focus goes to the first result or back to the field', async () => {
  show()
  const dialog = await openFields()
  const field = dialog.getByLabelText('Last Name')
  fireEvent.change(field, { target: { value: 'neale' } })
  await dialog.findByText('Showing the first 5 on this device. Press Search to see all.')
  fireEvent.keyDown(field, { key: 'ArrowDown' })
  expect(document.activeElement?.getAttribute('href')).toBe(`/patient/${crowd[0]?.id}`)
  act(() => seek({ last_name: 'ohara' }))
  await vi.waitFor(() => expect(document.activeElement?.getAttribute('href')).toBe(`/patient/${zoe.id}`))
  act(() => seek({ last_name: 'nobody' }))
  await vi.waitFor(() => expect(document.activeElement).toBe(field))
})

test('Search closes the dialog, goes home and asks the server; Escape returns the focus, and the typed text stays', async () => {
  const { calls } = show()
  const dialog = await openFields()
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'abigail' } })
  fireEvent.keyDown(dialog.getByLabelText('Name'), { key: 'Escape' })
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await vi.waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Search by all fields' })))
  expect([navigate.mock.calls, calls]).toEqual([[], []])
  const again = await openFields()
  expect(again.getByLabelText<HTMLInputElement>('Name').value).toBe('abigail')
  fireEvent.click(again.getByRole('button', { name: 'Search' }))
  await vi.waitFor(() => expect(searchStore.getState().found?.total).toBe(1))
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/' })
  expect(calls).toEqual([{ path: '/api/patient/lookup', request: { query: { name: 'abigail', page: '1' } } }])
})

test('an unreadable field keeps the dialog open and says so', async () => {
  const { calls } = show()
  const dialog = await openFields()
  fireEvent.change(dialog.getByLabelText('DOB'), { target: { value: 'yesterday' } })
  expect(dialog.getByText('Enter a full date, like 02/26/1941')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Search' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('must be a date or a year, like 02/28/1980')
  await vi.waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('DOB')))
  expect([navigate.mock.calls, calls]).toEqual([[], []])
})

test('the text of the line fills the fields', async () => {
  show()
  typeLine('Zoë 2/28/80')
  const dialog = await openFields()
  expect(dialog.getByLabelText<HTMLInputElement>('Name').value).toBe('Zoë')
  expect(dialog.getByLabelText<HTMLInputElement>('DOB').value).toBe('1980-02-28')
})

test('without a connection the tablet answers, and says which patients it has', async () => {
  const { connection } = show()
  connection.setState({ online: false })
  const dialog = await openFields()
  expect(dialog.getByText('You’re offline. Searching only this store’s patients on this device.')).toBeTruthy()
  fireEvent.change(dialog.getByLabelText('Name'), { target: { value: 'zoe' } })
  expect(await dialog.findByRole('link', { name: /Zoë O’Hara/ })).toBeTruthy()
})

test('a phone has one button for all fields; a user who may not see patients has none', async () => {
  show({ small: true })
  expect(screen.queryByRole('search')).toBeNull()
  await openFields('Look up patient information')
  cleanup()
  show({ permissions: ['frame.look-up'] })
  expect(screen.queryByRole('search')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})

test('on the home page the button goes to the search there', () => {
  const panel = document.createElement('section')
  panel.id = searchPanelId
  panel.scrollIntoView = () => undefined
  panel.append(document.createElement('input'))
  document.body.append(panel)
  show({ isHome: true })
  fireEvent.click(screen.getByRole('button', { name: 'Look up patient information' }))
  expect(document.activeElement).toBe(panel.firstElementChild)
  expect(screen.queryByRole('dialog')).toBeNull()
  panel.remove()
})
