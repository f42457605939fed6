// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { controlFlags } from '#contract/stock/frames.ts'
import type { InventorySettings } from '#contract/settings/settings.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { InventorySettingsScreen } from './inventory-settings-screen.tsx'

// The page has many cells and the tests search it often. A busy machine needs more than the default five seconds.
vi.setConfig({ testTimeout: 20_000 })
afterEach(cleanup)

const usual: InventorySettings = { blind_counts: false, control_preset: 'practice', coverage_percent: 95, scan_gap_ms: 35 }
const manager = { ...mayasHome, permissions: [...mayasHome.permissions, 'settings.inventory' as const], store_settings: usual }

/** A server that keeps the settings it gets. `refusal` refuses the next change. */
function open(options: { home?: typeof mayasHome; stored?: InventorySettings; online?: boolean } = {}) {
  const server = { stored: options.stored ?? usual, refusal: null as ReturnType<typeof refused> | null, reachable: options.online ?? true }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (endpoint.path !== '/api/settings/inventory' || !server.reachable) return unreachable
      if (endpoint.method === 'GET') return { ok: true, value: server.stored }
      if (server.refusal) return server.refusal
      server.stored = (request as { body: InventorySettings }).body
      return { ok: true, value: server.stored }
    },
  })
  made.state.setState({ home: options.home ?? manager })
  made.connection.setState({ online: options.online ?? true })
  render(
    <DeviceProvider device={made.device}>
      <InventorySettingsScreen />
    </DeviceProvider>,
  )
  return { ...made, server, user: userEvent.setup({ delay: null }) }
}

// Searches by label and text: a search by role walks the two large tables each time.
const coverage = () => screen.getByLabelText<HTMLInputElement>('Coverage, percent')
const save = () => screen.getByText<HTMLButtonElement>('Save', { selector: 'button' })

test('a manager changes the settings, and the whole app follows them', async () => {
  const { user, server, state } = open()
  expect(screen.getByText('All changes are saved')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /^Specification/ }))
  await user.click(screen.getByRole('switch', { name: 'Count blind' }))
  await user.clear(coverage())
  await user.type(coverage(), '90')
  expect(screen.getByText('Not saved yet')).toBeTruthy()
  await user.click(save())
  expect(await screen.findByText('All changes are saved')).toBeTruthy()
  const chosen = { control_preset: 'specification', blind_counts: true, coverage_percent: 90, scan_gap_ms: 35 }
  expect(server.stored).toEqual(chosen)
  expect(state.getState().home?.store_settings).toEqual(chosen)
})

test('a number out of range or a text is refused in words before anything is sent', async () => {
  const { user, calls } = open()
  await user.clear(coverage())
  await user.type(coverage(), '49')
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toBe('Enter a whole number from 50 to 100')
  await waitFor(() => expect(document.activeElement).toBe(coverage()))
  await user.clear(coverage())
  expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 50 to 100')
  await user.type(coverage(), '1e2')
  expect(screen.getByRole('alert')).toBeTruthy()
  expect(calls.filter(({ request }) => typeof request === 'object' && request !== null && 'body' in request)).toEqual([])
  await user.clear(coverage())
  await user.type(coverage(), '100')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a failed save says NOT SAVED, keeps the typed values, and can be repeated', async () => {
  const { user, server } = open()
  await user.clear(coverage())
  await user.type(coverage(), '80')
  server.reachable = false
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED')
  expect(screen.getByText('Not saved yet')).toBeTruthy()
  expect(coverage().value).toBe('80')
  server.reachable = true
  await user.click(save())
  expect(await screen.findByText('All changes are saved')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(server.stored.coverage_percent).toBe(80)
})

test('a refusal appears in the server’s own words', async () => {
  const { user, server } = open()
  server.refusal = refused(403, 'permission-missing')
  await user.click(screen.getByRole('switch', { name: 'Count blind' }))
  await user.click(save())
  expect((await screen.findByRole('alert')).textContent).toContain('permission-missing')
  expect(screen.getByRole('switch', { name: 'Count blind' }).getAttribute('aria-checked')).toBe('true')
})

test('without a connection the session’s settings show, with the reason why they cannot be changed', async () => {
  const { connection } = open({ online: false })
  expect(screen.getByText(/^You’re offline/)).toBeTruthy()
  expect(coverage().value).toBe('95')
  expect(coverage().disabled).toBe(true)
  expect((screen.getByRole('switch', { name: 'Count blind' }) as HTMLButtonElement).disabled).toBe(true)
  expect(screen.getByText('Read only: no connection')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  for (const radio of screen.getAllByRole('radio')) expect((radio as HTMLInputElement).disabled).toBe(true)
  act(() => connection.setState({ online: true }))
  expect(coverage().disabled).toBe(false)
})

test('losing the connection keeps the typed values', async () => {
  const { user, connection } = open()
  await user.clear(coverage())
  await user.type(coverage(), '77')
  act(() => connection.setState({ online: false }))
  expect(coverage().value).toBe('77')
  expect(screen.getByText('Not saved yet: no connection')).toBeTruthy()
  expect(save().disabled).toBe(true)
  act(() => connection.setState({ online: true }))
  await waitFor(() => expect(save().disabled).toBe(false))
  expect(coverage().value).toBe('77')
})

test('a clerk can read the settings and change nothing', () => {
  open({ home: { ...mayasHome, store_settings: usual } })
  expect(screen.getByText('Only managers can change these settings.')).toBeTruthy()
  expect(coverage().disabled).toBe(true)
})

test('the server’s settings replace this device’s copy', async () => {
  open({ stored: { ...usual, coverage_percent: 70 } })
  await waitFor(() => expect(coverage().value).toBe('70'))
  expect(screen.getByText('All changes are saved')).toBeTruthy()
})

test('another manager’s change appears at once, unless something is typed here: then the user chooses', async () => {
  const { user, state, server } = open()
  const theirs = (coverage_percent: number) =>
    act(() => state.setState({ home: { ...manager, store_settings: { ...usual, coverage_percent } } }))
  theirs(60)
  await waitFor(() => expect(coverage().value).toBe('60'))
  await user.clear(coverage())
  await user.type(coverage(), '88')
  theirs(65)
  expect(screen.getByText('Someone else edited these settings too')).toBeTruthy()
  expect(coverage().value).toBe('88')
  await user.click(screen.getByRole('button', { name: 'Show theirs' }))
  expect(coverage().value).toBe('65')
  expect(screen.getByText('All changes are saved')).toBeTruthy()
  expect(server.stored).toEqual(usual)
})

test('changes can be discarded', async () => {
  const { user } = open()
  await user.click(screen.getByRole('radio', { name: /^Specification/ }))
  await user.click(screen.getByRole('button', { name: 'Discard changes' }))
  expect((screen.getByRole('radio', { name: /^Practice/ }) as HTMLInputElement).checked).toBe(true)
  expect(screen.getByText('All changes are saved')).toBeTruthy()
})

test('both presets show as tables of the seven actions by status, from the rules', () => {
  open()
  const practice = within(screen.getByRole('region', { name: 'What Practice allows' }))
  const specification = within(screen.getByRole('region', { name: 'What Specification allows' }))
  expect(practice.getAllByRole('row')).toHaveLength(controlFlags.length + 1)
  const cellsOf = (table: typeof practice, action: string) =>
    within(table.getByRole('row', { name: new RegExp(`^${action}`) }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent)
  // Ready for Sale, Defective, Missing, ICT, Removed, Sold, On Hold.
  const yes = 'allowed'
  const no = 'not allowed'
  expect(cellsOf(practice, 'Item is missing')).toEqual([yes, yes, no, yes, no, yes, yes])
  expect(cellsOf(specification, 'Item is missing')).toEqual([no, no, yes, yes, yes, yes, yes])
  expect(practice.getByText(/in use in this store/)).toBeTruthy()
  expect(specification.queryByText(/in use in this store/)).toBeNull()
})
