// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { DeviceProvider } from '#src/sync/device-context.tsx'
import { mayasHome, screenDevice } from '#tests/support/screen-device.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { HeaderSearch } from './header-search.tsx'
import { searchStore } from './store.ts'

const navigate = vi.hoisted(() => vi.fn(() => Promise.resolve()))
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => navigate }))

afterEach(() => {
  cleanup()
  navigate.mockClear()
  searchStore.setState({ idUser: null, criteria: {}, expanded: false, found: null, recent: [] })
})

function show(permissions: typeof mayasHome.permissions = ['patient.read'], small = false) {
  const found = { patients: [{ ...testPatient(1), store_name: 'Harbour Street' }], total: 1, page: 1 }
  const made = screenDevice({ signedIn: true, answers: () => ({ ok: true, value: found }) })
  made.state.setState({ home: { ...mayasHome, permissions } })
  render(
    <DeviceProvider device={made.device}>
      <HeaderSearch small={small} />
    </DeviceProvider>,
  )
  return made
}

test('one line becomes the fields of the search, on the home page and at the server', async () => {
  const { calls } = show()
  fireEvent.change(screen.getByLabelText('Patient', { exact: true }), { target: { value: 'O’Hara zoë 02/28/1980 (518) 555-0123' } })
  fireEvent.submit(screen.getByRole('search'))
  await vi.waitFor(() => expect(searchStore.getState().found?.total).toBe(1))
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/' })
  expect(searchStore.getState().criteria).toEqual({ name: 'ohara zoe', dob: '1980-02-28', phone: '5185550123' })
  expect(calls).toEqual([
    { path: '/api/patient/lookup', request: { query: { name: 'ohara zoe', dob: '1980-02-28', phone: '5185550123', page: '1' } } },
  ])
})

test('nothing is asked of an empty line', () => {
  const { calls } = show()
  fireEvent.change(screen.getByLabelText('Patient', { exact: true }), { target: { value: '   ' } })
  fireEvent.submit(screen.getByRole('search'))
  expect([navigate.mock.calls, calls]).toEqual([[], []])
})

test('a phone has a button that leads to the search; who may not see patients has neither', () => {
  show(['patient.read'], true)
  fireEvent.click(screen.getByRole('button', { name: 'Look up patient information' }))
  expect(navigate).toHaveBeenCalledExactlyOnceWith({ to: '/' })
  cleanup()
  show(['frame.look-up'])
  expect(screen.queryByRole('search')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
})
