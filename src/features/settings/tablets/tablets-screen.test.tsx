// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { HeldCommand } from '#contract/sync/held-work.ts'
import type { Tablet } from '#contract/people/tablets.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { wholeText } from '#tests/support/whole-text.ts'
import { heldWords } from './components/tablet-rows.tsx'
import { TabletsScreen } from './tablets-screen.tsx'

afterEach(() => {
  expect(unisolatedNames('Ben Halvorsen', 'Maya Okafor')).toEqual([])
  cleanup()
  vi.useRealTimers()
})

const manager = { ...mayasHome, permissions: [...mayasHome.permissions, 'settings.tablets' as const] }
const now = '2026-11-20T14:00:00.000Z'
const usual: Tablet = {
  id_tablet: '0190a000-0000-7000-8000-00000000000a',
  name: 'Back room',
  store_id: 1,
  store_name: 'Harbour Street',
  person_name: 'Ben Halvorsen',
  last_seen_at: '2026-11-20T13:48:00.000Z',
  unsent: 3,
  oldest_unsent_at: '2026-11-20T12:00:00.000Z',
  app_version: '0.1.0',
  session: 'open',
}
const front: Tablet = {
  ...usual,
  id_tablet: '0190a000-0000-7000-8000-000000000001',
  name: 'Front desk',
  person_name: 'Maya Okafor',
  last_seen_at: now,
  unsent: 0,
  oldest_unsent_at: null,
}

/** A server that has these tablets. */
function open(tablets: Tablet[], options: { home?: typeof mayasHome; online?: boolean; held?: HeldCommand[] } = {}) {
  const server = {
    tablets,
    held: options.held ?? [],
    /** The ids of held work that cannot be applied. */
    stuck: [] as string[],
    reachable: options.online ?? true,
    refusal: null as ReturnType<typeof refused> | null,
    asked: 0,
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (!server.reachable) return unreachable
      if (server.refusal) return server.refusal
      if (endpoint.path === '/api/settings/tablets') {
        server.asked += 1
        return { ok: true, value: { tablets: server.tablets, app_version: '0.1.0', server_time: now } }
      }
      if (endpoint.path === '/api/settings/held-work') return { ok: true, value: { held: server.held, total: server.held.length } }
      if (endpoint.path === '/api/settings/held-work/decide') {
        const { ids } = (request as { body: { ids: string[] } }).body
        const refused = server.stuck.map((id) => ({ id, code: 'count-unknown', message: 'Count sheet not found' }))
        const decided = ids.filter((id) => !server.stuck.includes(id))
        server.held = server.held.filter(({ id }) => !decided.includes(id))
        return { ok: true, value: { decided, refused } }
      }
      const { id } = (request as { params: { id: string } }).params
      server.tablets = server.tablets.map((each) => (each.id_tablet === id ? { ...each, session: 'revoked' } : each))
      return { ok: true, value: server.tablets.find((each) => each.id_tablet === id) }
    },
  })
  made.state.setState({ home: options.home ?? manager })
  made.connection.setState({ online: options.online ?? true })
  render(
    <DeviceProvider device={made.device}>
      <TabletsScreen />
    </DeviceProvider>,
  )
  return { ...made, server, user: userEvent.setup({ delay: null }) }
}
const rowOf = async (name: string) => {
  const heading = await screen.findByRole('heading', { level: 3, name })
  const row = heading.closest('li')
  if (!row) throw new Error(`${name} stands in no row`)
  return within(row)
}

test('shows each tablet’s user, last contact, unsent work with its age, and version', async () => {
  open([
    usual,
    front,
    { ...usual, id_tablet: 'x', name: 'Van', store_id: 2, store_name: 'Mill Lane', app_version: '0.0.9', session: 'ended' },
  ])
  const row = await rowOf('Back room')
  expect(row.getByText(wholeText('Ben Halvorsen, seen 12 min ago'))).toBeTruthy()
  expect(row.getByText('3 unsent, oldest 2 hr')).toBeTruthy()
  expect(row.getByText('Signed in')).toBeTruthy()
  expect(row.getByText('Version 0.1.0')).toBeTruthy()
  const own = await rowOf('Front desk')
  expect(own.getByText('This tablet')).toBeTruthy()
  expect(own.getByText('Nothing unsent')).toBeTruthy()
  expect(own.queryByRole('button')).toBeNull()
  const away = within(screen.getByRole('region', { name: 'Mill Lane' }))
  expect(away.getByText('Signed out')).toBeTruthy()
  expect(away.getByText('Version 0.0.9, server has 0.1.0')).toBeTruthy()
  expect(away.queryByRole('button')).toBeNull()
})

test('the words for a tablet’s unsent work', () => {
  expect(heldWords(1, 40_000)).toBe('1 unsent, oldest 40 seconds')
  expect(heldWords(1200, null)).toBe('1,200 unsent')
})

test('revoking names the tablet and explains the effect, and its row then shows it', async () => {
  const { user, server } = open([usual, front])
  await user.click((await rowOf('Back room')).getByRole('button', { name: 'Revoke Back room' }))
  const dialog = await screen.findByRole('alertdialog', { name: 'Revoke “Back room”?' })
  expect(dialog.textContent).toContain('3 unsent items stay on it. After the next sign-in there, it’s sent to the server and waits here')
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(toastStore.getState().toast?.title).toBe('Back room revoked')
  const row = await rowOf('Back room')
  expect(await row.findByText('Revoked')).toBeTruthy()
  expect(row.getByText('Its unsent work stays on it and waits for a manager after the next sign-in there.')).toBeTruthy()
  expect(row.queryByRole('button')).toBeNull()
  expect(server.tablets.map(({ session }) => session)).toEqual(['revoked', 'open'])
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Back room'))
})

test('Keep it changes nothing', async () => {
  const { user, calls } = open([usual])
  await user.click((await rowOf('Back room')).getByRole('button', { name: 'Revoke Back room' }))
  await user.click(await screen.findByRole('button', { name: 'Keep it' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(calls.filter(({ path }) => path.endsWith('/revoke'))).toEqual([])
})

test('a failed revocation says NOT REVOKED, and can be repeated', async () => {
  const { user, server } = open([usual])
  await user.click((await rowOf('Back room')).getByRole('button', { name: 'Revoke Back room' }))
  server.refusal = refused(403, 'permission-missing')
  await user.click(await screen.findByRole('button', { name: 'Revoke' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT REVOKED')
  server.refusal = null
  await user.click(screen.getByRole('button', { name: 'Revoke' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(server.tablets[0]?.session).toBe('revoked')
})

test('without tablets it says when one will appear', async () => {
  open([])
  expect(await screen.findByText('No tablets yet')).toBeTruthy()
})

test('a list that did not load says so, and can be loaded again', async () => {
  const { user, server } = open([usual], { online: false })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  server.reachable = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Back room')).toBeTruthy()
})

test('a refusal appears in the server’s own words', async () => {
  const { server, calls } = open([usual])
  await screen.findByText('Back room')
  // The held work is asked for on its own, and would show the refusal a second time.
  await waitFor(() => expect(calls.some(({ path }) => path === '/api/settings/held-work')).toBe(true))
  server.refusal = refused(403, 'permission-missing')
  act(() => void window.dispatchEvent(new Event('focus')))
  expect(await screen.findByText('Couldn’t refresh')).toBeTruthy()
  expect(screen.getByText(/permission-missing/)).toBeTruthy()
})

test('without a connection the list stays readable with its time, and nothing can be revoked', async () => {
  const { connection } = open([usual])
  const row = await rowOf('Back room')
  act(() => connection.setState({ online: false }))
  expect(screen.getByText(/As of 9:00 AM/)).toBeTruthy()
  expect(row.getByRole<HTMLButtonElement>('button', { name: 'Revoke Back room' }).disabled).toBe(true)
  act(() => connection.setState({ online: true }))
  await waitFor(() => expect(row.getByRole<HTMLButtonElement>('button', { name: 'Revoke Back room' }).disabled).toBe(false))
})

test('the list reloads every half minute, and when the window gets the focus', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const { server } = open([usual])
  await screen.findByText('Back room')
  const before = server.asked
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(server.asked).toBe(before + 1)
  server.tablets = [{ ...usual, unsent: 0, oldest_unsent_at: null }]
  act(() => void window.dispatchEvent(new Event('focus')))
  expect(await screen.findByText('Nothing unsent')).toBeTruthy()
})

test('a user who is no manager gets a notice, and nothing is asked', () => {
  const { server } = open([usual], { home: mayasHome })
  expect(screen.getByText('Managers only')).toBeTruthy()
  expect(server.asked).toBe(0)
})

const scanOf = (nth: number): HeldCommand => ({
  id: `0190a000-0000-7000-8000-0000000001${String(nth).padStart(2, '0')}`,
  kind: 'count.scan',
  code: `DT-0000${nth}`,
  count_number: 12,
  author_id: 3,
  author_name: 'Ana Teixeira',
  deliverer_name: 'Ben Halvorsen',
  device_id: usual.id_tablet,
  tablet_name: 'Back room',
  store_id: 1,
  store_name: 'Harbour Street',
  reason: 'tablet-revoked',
  captured_at: `2026-11-20T13:0${nth}:00.000Z`,
  received_at: now,
})

test('held work of a revoked tablet is applied with a reason, under its author’s name', async () => {
  const { user, calls } = open([usual], { held: [1, 2, 3, 4, 5, 6].map(scanOf) })
  const waiting = within(await screen.findByRole('region', { name: 'Work waiting for a manager' }))
  expect(waiting.getByText('Harbour Street. The tablet was revoked.')).toBeTruthy()
  expect(waiting.getByText('Scan DT-00001 on count #12')).toBeTruthy()
  expect(waiting.queryByText('Scan DT-00006 on count #12')).toBeNull()
  await user.click(waiting.getByRole('button', { name: 'Show all 6' }))
  expect(waiting.getByText('Scan DT-00006 on count #12')).toBeTruthy()
  await user.click(waiting.getByRole('button', { name: 'Apply 6 items from Ana Teixeira' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Apply 6 items from “Ana Teixeira”?' }))
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await user.type(dialog.getByLabelText(/Reason/), 'I asked Ana')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Work waiting for a manager' })).toBeNull())
  expect(toastStore.getState().toast?.title).toBe('6 applied')
  expect(calls.find(({ path }) => path.endsWith('/decide'))?.request).toMatchObject({ body: { decision: 'apply', reason: 'I asked Ana' } })
})

test('work that could not be applied says why, and still waits', async () => {
  const { user, server } = open([usual], { held: [scanOf(1), scanOf(2)] })
  server.stuck = [scanOf(2).id]
  await user.click(await screen.findByRole('button', { name: 'Apply 2 items from Ana Teixeira' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.type(dialog.getByLabelText(/Reason/), 'I asked Ana')
  await user.click(dialog.getByRole('button', { name: 'Apply' }))
  expect(await dialog.findByText('NOT ALL APPLIED')).toBeTruthy()
  expect(dialog.getByText(/1 of 2 applied. The rest are still waiting: Count sheet not found/)).toBeTruthy()
  expect(dialog.getByLabelText<HTMLInputElement>(/Reason/).value).toBe('I asked Ana')
})
