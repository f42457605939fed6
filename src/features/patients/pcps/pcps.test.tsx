// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Pcp } from '#contract/patients/pcp.ts'
import type { LetterOfPcp } from '#contract/patients/pcp-letters.ts'
import type { Permission } from '#contract/core/roles.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { PcpListScreen } from './pcp-list-screen.tsx'
import { PcpPicker } from '#src/domain/pcps/pcp-picker.tsx'
import { PcpValue } from '#src/domain/pcps/pcp-value.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(() => {
  cleanup()
  toastStore.setState({ toast: null })
})

const pcpOf = (nth: number, more: Partial<Pcp> = {}): Pcp => ({
  id_pcp: `0198c2f4-0000-7000-8000-${String(nth).padStart(12, '0')}`,
  last_name: 'Marsh',
  first_name: 'Helen',
  credential: 'MD',
  practice: 'Oak Clinic',
  specialty: 'Family medicine',
  phone: '5185550140',
  fax: null,
  street_address: '1 Depot Rd',
  address_line_2: null,
  city: 'Larkspur',
  state: 'IL',
  zip_code: '60123',
  npi: '1234567893',
  inactive: false,
  version: 1,
  changed_at: '2026-11-20T14:00:00.000Z',
  changed_by: 'Ana Teixeira',
  patients: 3,
  last_letter: null,
  ...more,
})
const marsh = pcpOf(1)
const twin = pcpOf(2, { first_name: 'H.', credential: null, practice: 'Oak Clin.', npi: null, phone: null, fax: '5185550141', patients: 1 })
const zoe = pcpOf(3, { last_name: 'O’Hara <b>', first_name: 'Zoë', practice: null, npi: null, patients: 0 })

type Request = { params?: { id: string }; query?: Record<string, string>; body?: Record<string, unknown> }

/** A server that has these providers. */
function serverWith(rows: Pcp[], permissions: Permission[] = ['patient.read', 'pcp.write', 'pcp.merge', 'pcp.import']) {
  const server = {
    rows,
    letters: [] as LetterOfPcp[],
    reachable: true,
    cards: null as Pcp[] | null,
    refusal: null as ReturnType<typeof refused> | null,
    asked: [] as [string, Request][],
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, given) => {
      const request = given as Request
      server.asked.push([`${endpoint.method} ${endpoint.path}`, request])
      const called = `${endpoint.method} ${endpoint.path}`
      // The worker of the tablet answers this call without the server.
      if (called === 'GET /api/pcp/cards' && server.cards) return { ok: true, value: { pcps: server.cards } }
      if (!server.reachable) return unreachable
      if (called === 'GET /api/pcp') {
        const { query = '', city = '' } = request.query ?? {}
        const found = server.rows.filter(
          (row) => `${row.last_name}`.toLowerCase().includes(query.toLowerCase()) && (city === '' || row.city === city),
        )
        return { ok: true, value: { pcps: found, total: found.length, page: 1 } }
      }
      if (called === 'GET /api/pcp/choices')
        return { ok: true, value: { cities: ['Larkspur', 'Elsewhere'], specialties: ['Family medicine'] } }
      if (called === 'GET /api/pcp/card') return { ok: true, value: server.rows.find(({ id_pcp }) => id_pcp === request.query?.['id_pcp']) }
      if (called === 'GET /api/pcp/{id}') {
        const patient = {
          id: 'p1',
          patient_no: 7,
          last_name: 'Carrow',
          first_name: 'Abigail',
          middle_name: null,
          pref: null,
          dob: '1980-02-28',
          inactive: false,
        }
        return {
          ok: true,
          value: { pcp: server.rows.find(({ id_pcp }) => id_pcp === request.params?.id), patients: [patient], letters: server.letters },
        }
      }
      if (server.refusal) return server.refusal
      if (called === 'POST /api/pcp') {
        const row = { ...pcpOf(9), ...request.body } as Pcp
        server.rows = [...server.rows, row]
        return { ok: true, value: row }
      }
      if (called === 'PUT /api/pcp/{id}') return { ok: true, value: { ...marsh, ...request.body, version: 2 } }
      return { ok: true, value: { pcp: marsh, moved: 1 } }
    },
  })
  made.state.setState({ home: { ...mayasHome, permissions } })
  return { ...made, server, of: (call: string) => server.asked.filter(([called]) => called === call).map(([, request]) => request) }
}

function openList(rows: Pcp[], permissions?: Permission[], online = true) {
  const made = serverWith(rows, permissions)
  if (!online) {
    made.server.reachable = false
    made.connection.setState({ online: false })
  }
  render(
    <DeviceProvider device={made.device}>
      <PcpListScreen />
    </DeviceProvider>,
  )
  return made
}
const list = () => screen.findByRole('list', { name: 'Primary care providers' })

test('an empty list says what to do, in the specification’s words', async () => {
  openList([])
  expect(await screen.findByText('Add a primary care provider.')).toBeTruthy()
})

test('the list shows name, practice, phone, fax, address, NPI and patients; a name appears exactly as typed', async () => {
  openList([marsh, twin, zoe])
  const rows = within(await list()).getAllByRole('button')
  for (const text of ['Helen Marsh, MD', 'Oak Clinic', '(518) 555-0140', '1 Depot Rd', 'Larkspur, IL 60123', '1234567893', '3'])
    expect(rows[0]?.textContent).toContain(text)
  expect(rows[1]?.textContent).toContain('fax (518) 555-0141')
  expect(rows[2]?.textContent).toContain('Zoë O’Hara <b>')
})

test('the list shows the day of the last letter, and a provider shows each letter, its patient and its author', async () => {
  const { server } = openList([{ ...marsh, last_letter: '2026-11-02' }, zoe])
  const patient = { id: 'p1', last_name: 'Carrow <i>', first_name: 'شارلوت', middle_name: null, pref: null }
  const letter = {
    id_letter: 'l1',
    sent_on: '2026-11-02',
    way: 'fax' as const,
    rep: 'Ana Teixeira',
    recorded_at: marsh.changed_at,
    patient,
  }
  server.letters = [letter]
  const rows = within(await list()).getAllByRole('button')
  expect(rows[0]?.textContent).toContain('Last letter 11/02/2026')
  expect(rows[1]?.textContent).toContain('Last letter none')
  await userEvent.click(rows[0]!)
  const letters = within(await screen.findByRole('region', { name: 'Letters' }))
  const link = letters.getByRole('link')
  expect(link.getAttribute('href')).toBe('/patient/p1')
  expect(link.textContent).toMatch(/^11\/02\/2026.*Carrow <i>.*Fax, Ana Teixeira$/)
  expect(within(link).getByText('Ana Teixeira').tagName).toBe('BDI')
  expect(letters.getByText('Details are in the patients’ records.')).toBeTruthy()
})

test('a provider without letters says so, and shows the day of the last letter about patients of other stores', async () => {
  openList([zoe, { ...marsh, last_letter: '2026-11-02' }])
  await userEvent.click(within(await list()).getAllByRole('button')[0]!)
  expect(await screen.findByText('No letters yet')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(within(await list()).getAllByRole('button')[1]!)
  expect(await screen.findByText(/patients of other stores. The last one is from 11\/02\/2026/)).toBeTruthy()
})

test('the server filters the list, and a filter without matches can be cleared', async () => {
  const { of } = openList([marsh, zoe])
  await list()
  fireEvent.change(screen.getByLabelText('City'), { target: { value: 'Elsewhere' } })
  await userEvent.click(screen.getByRole('checkbox', { name: /Inactive/ }))
  await screen.findByText('No matches')
  expect(of('GET /api/pcp').at(-1)?.query).toMatchObject({ city: 'Elsewhere', inactive: 'true', page: '1' })
  await userEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(within(await list()).getAllByRole('button')).toHaveLength(2)
})

test('without a connection the page says so, and nothing can be added', async () => {
  openList([marsh], undefined, false)
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add' })).toHaveProperty('disabled', true)
})

test('a user with read access only has no buttons to change; a user without access gets a notice', async () => {
  openList([marsh], ['patient.read'])
  await userEvent.click(within(await list()).getAllByRole('button')[0]!)
  const sheet = await screen.findByRole('dialog', { name: 'Helen Marsh, MD' })
  await within(sheet).findByRole('link', { name: /Carrow/ })
  expect(within(sheet).getByText('And 2 more.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Add', hidden: true })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Merge' })).toBeNull()
  cleanup()
  openList([marsh], [])
  expect(screen.getByText('You don’t have access to this page')).toBeTruthy()
})

test('a new provider is checked before anything is sent, and then appears in the list', async () => {
  const { of } = openList([marsh])
  await list()
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add a primary care provider' })
  const type = (label: RegExp, value: string) => fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })
  type(/^NPI/, '1234567890')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await within(dialog).findByText('isn’t a valid NPI. Check the digits')
  expect(within(dialog).getByText('This field is required')).toBeTruthy()
  expect(of('POST /api/pcp')).toEqual([])
  type(/^NPI/, '1245319599')
  type(/^Last name/, 'Iyer')
  type(/^Phone/, '518.555.0150')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(of('POST /api/pcp')[0]?.body).toMatchObject({ last_name: 'Iyer', npi: '1245319599', phone: '5185550150', city: null })
  await waitFor(async () => expect(within(await list()).getAllByRole('button')).toHaveLength(2))
})

test('after another user’s change the form shows the new values, and the typed ones can be kept', async () => {
  const { server, of } = openList([marsh])
  await userEvent.click(within(await list()).getAllByRole('button')[0]!)
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change Helen Marsh, MD' })
  fireEvent.change(within(dialog).getByLabelText(/^Practice/), { target: { value: 'Mine' } })
  const theirs = { ...marsh, practice: 'Theirs', version: 5 }
  const refusal = refused(409, 'pcp-changed')
  if (!refusal.ok && refusal.failure.kind === 'refused') refusal.failure.details = { pcp: theirs }
  server.refusal = refusal
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await vi.waitFor(() => expect(dialog.textContent).toContain('Ana Teixeira saved it as Helen Marsh, MD, Theirs'))
  server.refusal = null
  await userEvent.click(within(dialog).getByRole('button', { name: 'Keep mine' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(of('PUT /api/pcp/{id}')).toHaveLength(2))
  expect(of('PUT /api/pcp/{id}').at(-1)?.body).toMatchObject({ practice: 'Mine', version: 5 })
})

test('two entries are merged side by side: the one with more patients stays unless the user picks the other', async () => {
  const { of } = openList([marsh, twin])
  await userEvent.click(within(await list()).getAllByRole('button')[1]!)
  await userEvent.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = await screen.findByRole('dialog', { name: 'Merge H. Marsh' })
  const others = await within(dialog).findByRole('list', { name: 'Matches' })
  expect(within(others).getAllByRole('button')).toHaveLength(1)
  await userEvent.click(within(others).getByRole('button'))
  expect(within(dialog).getByRole('radio', { name: /Helen Marsh, MD/ })).toHaveProperty('checked', true)
  expect(within(dialog).getByText('(518) 555-0141 (copied)')).toBeTruthy()
  expect(within(dialog).getByText('1 patient will move to the entry you keep.')).toBeTruthy()
  await userEvent.click(within(dialog).getByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(of('POST /api/pcp/{id}/merge')).toHaveLength(1))
  expect(of('POST /api/pcp/{id}/merge')[0]).toMatchObject({
    params: { id: marsh.id_pcp },
    body: { id_pcp: twin.id_pcp, version: 1, merged_version: 1 },
  })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

function Picking({ first }: { first: string }) {
  const [value, setValue] = useState(first)
  return (
    <>
      <PcpPicker label="Primary care provider" value={value} onChange={setValue} />
      <output>{value || 'nobody'}</output>
    </>
  )
}
function openPicker(first: string, permissions?: Permission[], tablet: { cards: Pcp[] | null; online: boolean } | null = null) {
  const made = serverWith([marsh, zoe], permissions)
  if (tablet) {
    made.server.cards = tablet.cards
    made.server.reachable = tablet.online
    made.connection.setState({ online: tablet.online })
  }
  const shown = render(
    <DeviceProvider device={made.device}>
      <Picking first={first} />
    </DeviceProvider>,
  )
  return { ...made, ...shown }
}

test('the picker loads the list when it opens, finds while the user types, and takes one provider or none', async () => {
  const { of, container } = openPicker('')
  expect(of('GET /api/pcp')).toEqual([])
  const chosen = () => container.querySelector('output')?.textContent
  await userEvent.type(screen.getByRole('combobox', { name: 'Primary care provider' }), 'marsh')
  await userEvent.click(await screen.findByRole('option', { name: /Helen Marsh, MD/ }))
  expect(chosen()).toBe(marsh.id_pcp)
  await screen.findByText(/Oak Clinic · \(518\) 555-0140/)
  await userEvent.click(screen.getByRole('button', { name: 'No one' }))
  expect(chosen()).toBe('nobody')
})

test('a provider who is missing in the list is added from the picker and chosen', async () => {
  const { container, server } = openPicker('')
  await userEvent.type(screen.getByRole('combobox', { name: 'Primary care provider' }), 'Rajesh Iyer')
  await userEvent.click(screen.getByRole('button', { name: 'Add a new one' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add a primary care provider' })
  expect(within(dialog).getByLabelText(/^Last name/)).toHaveProperty('value', 'Iyer')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(server.rows).toHaveLength(3))
  await waitFor(() => expect(container.querySelector('output')?.textContent).toBe(server.rows[2]?.id_pcp))
})

test('without a connection the picker shows the present provider and searches the tablet’s list', async () => {
  const retired = pcpOf(4, { last_name: 'Marston', inactive: true })
  const { connection, server, of, container } = openPicker(zoe.id_pcp, undefined, { cards: [marsh, zoe, retired], online: false })
  await screen.findByText('Zoë O’Hara <b>, MD')
  expect(screen.queryByRole('button', { name: 'Add a new one' })).toBeNull()
  const field = screen.getByRole('combobox', { name: 'Primary care provider' })
  await userEvent.type(field, 'mar oak')
  const option = await screen.findByRole('option', { name: /Helen Marsh, MD/ })
  expect(screen.getAllByRole('option')).toHaveLength(1)
  await userEvent.click(option)
  expect(container.querySelector('output')?.textContent).toBe(marsh.id_pcp)
  expect(await screen.findByText('Helen Marsh, MD')).toBeTruthy()
  expect([of('GET /api/pcp'), of('GET /api/pcp/card')]).toEqual([[], []])
  await userEvent.clear(field)
  await userEvent.type(field, '5185550140')
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(0))
  // The connection seems to be there, but the server does not answer: the picker uses the same list.
  act(() => connection.setState({ online: true }))
  server.reachable = false
  await userEvent.clear(field)
  await userEvent.type(field, 'ohara')
  expect(await screen.findByRole('option', { name: /Zoë O’Hara/ })).toBeTruthy()
})

test('a tablet without the list says so', async () => {
  openPicker('', undefined, { cards: null, online: false })
  await userEvent.type(screen.getByRole('combobox', { name: 'Primary care provider' }), 'marsh')
  expect(await screen.findByText('You’re offline, and this tablet doesn’t have the list yet. Your choice is kept')).toBeTruthy()
})

test('the record shows name, practice and numbers, and says so when they are not available', async () => {
  const made = serverWith([marsh])
  const show = () =>
    render(
      <DeviceProvider device={made.device}>
        <PcpValue id={marsh.id_pcp} />
      </DeviceProvider>,
    )
  const told = async () => (await screen.findByText('Helen Marsh, MD')).parentElement?.textContent
  show()
  expect(await told()).toMatch(/^Helen Marsh, MD\s+Oak Clinic\s+\(518\) 555-0140/)
  cleanup()
  made.server.reachable = false
  show()
  expect(await screen.findByText('A provider is on file. The name is available online')).toBeTruthy()
  cleanup()
  made.server.cards = [zoe, marsh]
  show()
  expect(await told()).toMatch(/^Helen Marsh, MD\s+Oak Clinic/)
})
