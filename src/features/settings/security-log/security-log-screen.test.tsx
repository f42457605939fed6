// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SecurityEntry } from '#contract/people/security-log.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { alertStore } from './model/alerts.ts'
import { SecurityLogScreen } from './security-log-screen.tsx'
import { eventWords } from './words.ts'

beforeEach(() => alertStore.setState({ unseen: 0, newestId: 0 }))
afterEach(() => {
  expect(unisolatedNames('Ben Halvorsen')).toEqual([])
  cleanup()
})

const manager = { ...mayasHome, permissions: [...mayasHome.permissions, 'audit.read' as const] }
const ben = { id_user: 2, name: 'Ben Halvorsen' }
const signedIn: SecurityEntry = {
  id: 1,
  at: '2026-11-20T14:00:00.000Z',
  kind: 'signed-in',
  by: ben,
  about: null,
  store_name: 'Harbour Street',
  device_id: '0190a000-0000-7000-8000-00000000000a',
  device_name: 'Back room',
  id_patient: null,
  request_id: '0190a000-0000-4000-8000-00000000000b',
  address: '203.0.113.7',
  detail: 'pin',
  times: 1,
  is_new: false,
}
const lockedOut: SecurityEntry = { ...signedIn, id: 2, kind: 'locked-out', by: null, about: ben, detail: 'password', is_new: true }

function open(entries: SecurityEntry[], options: { home?: typeof mayasHome; online?: boolean; total?: number; unseen?: number } = {}) {
  const server = { reachable: options.online ?? true, refusal: null as ReturnType<typeof refused> | null, unseen: options.unseen ?? 0 }
  const asked: Record<string, string>[] = []
  const made = screenDevice({
    signedIn: true,
    answers: ({ path }, request) => {
      if (!server.reachable) return unreachable
      if (server.refusal) return server.refusal
      if (path.endsWith('/seen')) {
        server.unseen = 0
        return { ok: true, value: { ok: true } }
      }
      if (path.endsWith('/alerts')) return { ok: true, value: { unseen: server.unseen, newest_id: 2 } }
      asked.push((request as { query: Record<string, string> }).query)
      return {
        ok: true,
        value: { entries, total: options.total ?? entries.length, people: [ben], server_time: '2026-11-20T14:00:00.000Z' },
      }
    },
  })
  made.state.setState({ home: options.home ?? manager })
  made.connection.setState({ online: options.online ?? true })
  render(
    <DeviceProvider device={made.device}>
      <SecurityLogScreen patientLink={(id) => <span>Record {id}</span>} />
    </DeviceProvider>,
  )
  return { ...made, server, asked, user: userEvent.setup({ delay: null }) }
}
const rows = async () => within(await screen.findByRole('list', { name: 'Security log' })).getAllByRole('listitem')

test('shows the time, user, event, place and request of each event', async () => {
  open([lockedOut, { ...signedIn, id_patient: 'p1' }])
  const [alert, plain] = await rows()
  for (const words of ['Ben Halvorsen', 'Account tried', 'New alert', 'Locked out after failed sign-ins'])
    expect(alert?.textContent).toContain(words)
  for (const words of ['Signed in with the PIN', 'Harbour Street · Back room · 203.0.113.7', `Request ${signedIn.request_id}`, 'Record p1'])
    expect(plain?.textContent).toContain(words)
})

test.each([
  [{ kind: 'patients-searched', detail: '', times: 3 }, 'Searched patients, 3 patients shown'],
  [{ kind: 'refused', detail: 'GET /api/x permission-missing', times: 9 }, 'Refused: GET /api/x permission-missing (9 times)'],
  [{ kind: 'printed', detail: 'rx print', times: 1 }, 'Printed: a prescription'],
  [{ kind: 'tablet-revoked', detail: 'id', times: 2 }, 'Tablet revoked'],
] as const)('%j is shown in words', (event, words) => {
  expect(eventWords(event)).toBe(words)
})

test('a manager filters the list by kind, person and days, and turns its pages', async () => {
  const { user, asked } = open([signedIn], { total: 120 })
  await rows()
  await user.click(screen.getByRole('button', { name: 'Older' }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ view: 'events', page: '2' }))
  await user.selectOptions(screen.getByLabelText('Event'), 'Bulk patient views')
  await user.selectOptions(screen.getByLabelText('Person'), 'Ben Halvorsen')
  await user.type(screen.getByLabelText('From'), '2026-11-20')
  await waitFor(() => expect(asked.at(-1)).toEqual({ view: 'reads', page: '1', person: '2', from: '2026-11-20' }))
  await user.type(screen.getByLabelText('To'), '2026-11-19')
  expect(await screen.findByText('The end date is before the start date')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(asked.at(-1)).toEqual({ view: 'events', page: '1' }))
})

test('new alerts show above the list until a manager marks them as seen', async () => {
  const { user, calls } = open([lockedOut], { unseen: 2 })
  expect(await screen.findByText('2 new alerts')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Mark as seen' }))
  await waitFor(() => expect(screen.queryByText('2 new alerts')).toBeNull())
  expect(calls.find(({ path }) => path.endsWith('/seen'))?.request).toEqual({ body: { up_to: 2 } })
})

test('a failed marking says NOT MARKED and keeps the alerts', async () => {
  const { user, server } = open([lockedOut], { unseen: 1 })
  await screen.findByText('1 new alert')
  server.refusal = refused(503, 'server-stopping')
  await user.click(screen.getByRole('button', { name: 'Mark as seen' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT MARKED')
  expect(screen.getByText('1 new alert')).toBeTruthy()
})

test('an empty log says so', async () => {
  open([])
  expect(await screen.findByText('Nothing to show')).toBeTruthy()
})

test('a log that did not load says so, and can be loaded again', async () => {
  const { user, server } = open([signedIn], { online: false })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  server.reachable = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await rows()).toHaveLength(1)
})

test('when the connection is lost, the list stays readable and shows its time', async () => {
  const { connection } = open([signedIn])
  await rows()
  act(() => connection.setState({ online: false }))
  expect(screen.getByText(/As of/)).toBeTruthy()
})

test('other users see that the page is for managers, and nothing is asked', () => {
  const { calls } = open([signedIn], { home: mayasHome })
  expect(screen.getByText('Managers only')).toBeTruthy()
  expect(calls).toEqual([])
})
