// @vitest-environment jsdom
// Dexie uses the IndexedDB that exists when it loads.
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import type { CommandBody, CommandKind } from '#contract/sync/commands.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { NotSaved, Outbox, UnsentWork } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { keepDraft, readDraft } from '#src/sync/device/drafts.ts'
import { toastStore } from '#src/ui/toast-store.ts'
import { givePatientsKey, mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient, testShelf } from '#tests/support/test-patients.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { draftOf } from '../model/draft.ts'
import { formOf } from '../form.ts'
import { PatientDialog, type PatientTask } from './patient-dialog.tsx'

afterEach(() => {
  cleanup()
  toastStore.setState({ toast: null })
})

type Recorded = { kind: string; lane: string; body: unknown; title: string }

function deviceWith(options: {
  known?: Patient[]
  unsent?: UnsentWork[]
  problem?: NotSaved
  locked?: boolean
  answer?: (path: string, request: unknown) => Outcome<unknown>
}) {
  const made = screenDevice({ signedIn: true, answers: (endpoint, request) => options.answer?.(endpoint.path, request) ?? unreachable })
  made.state.setState({ home: { ...mayasHome, permissions: ['patient.read', 'patient.write'] } })
  const recorded: Recorded[] = []
  const corrected: { id: string; body: unknown }[] = []
  const discarded: string[] = []
  const shelf = testShelf(options.known ?? [], options.unsent)
  if (options.locked) shelf.state.setState({ status: 'locked' })
  const outbox: Partial<Outbox> = {
    record: <K extends CommandKind>(kind: K, lane: string, body: CommandBody<K>, { title }: { title: string }) => {
      if (options.problem) return Promise.resolve({ saved: false, problem: options.problem } as const)
      recorded.push({ kind, lane, body, title })
      return Promise.resolve({ saved: true, command: {} as never } as const)
    },
    correct: (id, body) => Promise.resolve(void corrected.push({ id, body })),
    discard: (id) => Promise.resolve(void discarded.push(id)),
  }
  Object.assign(made.device, { patients: () => Promise.resolve(shelf), outbox })
  return { ...made, shelf, recorded, corrected, discarded }
}

const given = { ...formOf({}), first_name: 'Otto', last_name: 'Neu', street_address: '1 Mill Ln', city: 'Larkspur', zip_code: '12345' }
const whole = { ...given, state: 'NY', gender: 'Male' }

async function show(task: PatientTask, options: Parameters<typeof deviceWith>[0] = {}) {
  const made = deviceWith(options)
  const seen = { closed: 0, saved: [] as string[], opened: [] as string[] }
  render(
    <DeviceProvider device={made.device}>
      <PatientDialog
        task={task}
        onClose={() => (seen.closed += 1)}
        onSaved={(id) => seen.saved.push(id)}
        onOpenPatient={(id) => seen.opened.push(id)}
      />
    </DeviceProvider>,
  )
  await screen.findByLabelText(/^First/)
  return { ...made, seen }
}

const submit = async () => fireEvent.click(await screen.findByRole('button', { name: 'Submit' }))
const type = (label: RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
const toast = () => toastStore.getState().toast

test('all fields have their names, and nothing is saved before the required ones are filled in', async () => {
  const { recorded } = await show({ kind: 'create', given: formOf({}) })
  expect(screen.getByRole('dialog', { name: 'Add New Patient' })).toBeTruthy()
  const labels = ['Last *', 'First *', 'Middle', 'Pref.', 'DOB', 'Address *', 'Addr. 2', 'City *', 'State *', 'Zip *', 'Assigned Sex']
  for (const label of [...labels, 'Pronoun', 'Email', 'Cell', 'Home phone', 'Work phone', 'SSN', 'Mailing Lists', 'Survey'])
    expect(screen.getByLabelText(label), label).toBeTruthy()
  const gender = screen.getByRole('group', { name: 'Legal Gender *' })
  expect(within(gender).getAllByRole('radio')).toHaveLength(3)
  expect(within(screen.getByLabelText('State *')).getAllByRole('option')).toHaveLength(51)
  expect(screen.getByRole('option', { name: 'Wyoming (WY)' })).toBeTruthy()
  await submit()
  await screen.findByText('state is required')
  expect(screen.getAllByText('This field is required')).toHaveLength(5)
  expect(screen.getByLabelText('Last *').getAttribute('aria-invalid')).toBeNull()
  expect(recorded).toEqual([])
})

test('a new patient is saved in their own lane, with no name in the title, and a toast says so', async () => {
  const { recorded, seen } = await show({ kind: 'create', given: whole })
  type(/^SSN/, '123-45-6789')
  await submit()
  await vi.waitFor(() => expect(seen.closed).toBe(1))
  const [id = ''] = seen.saved
  expect(recorded).toMatchObject([
    {
      kind: 'patient.create',
      lane: `patient:${id}`,
      title: 'New patient',
      body: { id_patient: id, patient: { first_name: 'Otto', middle_name: null, dob: null, ssn: '123456789', mailing_list: false } },
    },
  ])
  expect(toast()).toMatchObject({ title: 'Patient created successfully' })
  // The new record opens.
  expect(seen.opened).toEqual([id])
})

test('likely duplicates show while the user types, and nobody is registered before the user decides', async () => {
  const abigail = testPatient(1, {})
  const given = { ...whole, first_name: 'Abigail', last_name: 'Carrow', dob: abigail.dob ?? '' }
  const { recorded, seen } = await show({ kind: 'create', given }, { known: [abigail] })
  type(/^Cell/, '518.555.0123')
  const list = await screen.findByRole('list', { name: 'Possible duplicate patients' })
  expect(list.textContent).toMatch(/Abigail Carrow.*02\/28\/1980.*\(518\) 555-0123.*Same name, date of birth and phone number/)
  await submit()
  // The focus moves to the question on Submit.
  await vi.waitFor(() => expect(document.activeElement?.contains(list) && document.activeElement !== document.body).toBe(true))
  expect(recorded).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Not the same person' }))
  expect(screen.queryByRole('list', { name: 'Possible duplicate patients' })).toBeNull()
  await submit()
  await vi.waitFor(() => expect(seen.closed).toBe(1))
  expect(recorded).toHaveLength(1)
})

test('a shared phone number alone is one quiet line, and does not hold up the registration', async () => {
  const { recorded, seen } = await show({ kind: 'create', given: whole }, { known: [testPatient(1, {})] })
  type(/^Cell/, '518.555.0123')
  expect(await screen.findByText('1 patient shares this phone number')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Possible duplicate patients' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Show' }))
  expect(screen.getByRole('list', { name: 'Patients with this phone number' }).textContent).toContain('Abigail Carrow')
  await submit()
  await vi.waitFor(() => expect(seen.closed).toBe(1))
  expect(recorded).toHaveLength(1)
})

test('a birth date is typed digit by digit, and duplicates show once it is complete', async () => {
  await show({ kind: 'create', given: { ...whole, first_name: 'Abigail', last_name: 'Carrow' } }, { known: [testPatient(1, {})] })
  // A browser reports these years while a user types one.
  for (const year of ['0001', '0019', '0198']) {
    type(/^DOB/, `${year}-02-28`)
    expect(screen.queryByRole('list', { name: 'Possible duplicate patients' })).toBeNull()
  }
  type(/^DOB/, '1980-02-28')
  expect((await screen.findByRole('list', { name: 'Possible duplicate patients' })).textContent).toContain('Same name and date of birth')
})

test('a duplicate that arrives on the tablet while the user types is shown too', async () => {
  const known: Patient[] = []
  const { shelf } = await show(
    { kind: 'create', given: { ...whole, first_name: 'Abigail', last_name: 'Carrow', dob: '1980-02-28' } },
    { known },
  )
  expect(screen.queryByRole('list', { name: 'Possible duplicate patients' })).toBeNull()
  known.push(testPatient(1, {}))
  act(() => shelf.state.setState({ turn: 2 }))
  expect((await screen.findByRole('list', { name: 'Possible duplicate patients' })).textContent).toContain('Abigail Carrow')
})

test('a duplicate that only the server knows is shown before anything is saved, and can be opened', async () => {
  const elsewhere = { ...testPatient(3, { first_name: 'Otto', last_name: 'Neu', dob: '1980-02-28' }), store_name: 'Mill Lane' }
  const answer = (path: string): Outcome<unknown> =>
    path === '/api/patient/lookup' ? { ok: true, value: { patients: [elsewhere], total: 1, page: 1 } } : unreachable
  const { recorded, seen } = await show({ kind: 'create', given: { ...whole, dob: '1980-02-28' } }, { answer })
  await submit()
  expect(await screen.findByText(/Mill Lane/)).toBeTruthy()
  expect(recorded).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Open this patient' }))
  expect(seen).toMatchObject({ closed: 1, opened: [elsewhere.id] })
})

test('a full disk is reported in plain words, and the typed text stays', async () => {
  const problem: NotSaved = { reason: 'disk-full', message: 'This device’s storage is full. Free up space, then try again' }
  const { seen } = await show({ kind: 'create', given: whole }, { problem })
  await submit()
  expect(await screen.findByText('NOT SAVED')).toBeTruthy()
  expect(screen.getByText(/storage is full.*What you typed is still here/)).toBeTruthy()
  expect(toast()).toMatchObject({ title: 'Error', description: 'Failed to create patient' })
  expect(screen.getByLabelText<HTMLInputElement>(/^First/).value).toBe('Otto')
  expect(seen.closed).toBe(0)
})

test('a device without patients saves at the server, and a refusal appears at its field', async () => {
  const fields = [{ path: 'body.zip_code', message: 'is not one of ours' }]
  const { calls, recorded } = await show(
    { kind: 'create', given: whole },
    {
      locked: true,
      answer: () => ({
        ok: false,
        failure: { kind: 'refused', status: 422, code: 'request-invalid', message: 'Not valid', fields, retryAfterS: null, details: {} },
      }),
    },
  )
  await submit()
  await vi.waitFor(() => expect(screen.getByLabelText(/^Zip/).getAttribute('aria-invalid')).toBe('true'))
  expect(calls.map(({ path }) => path)).toContain('/api/patient/add')
  expect(recorded).toEqual([])
  type(/^Zip/, '54321')
  expect(screen.getByLabelText(/^Zip/).getAttribute('aria-invalid')).toBeNull()
})

test('an edit sends the old and new values of the changed fields, and leaves the SSN alone unless typed', async () => {
  const abigail = testPatient(1, { preferred_contact: 'sms' })
  const { recorded, seen } = await show({ kind: 'edit', base: abigail }, { known: [abigail] })
  expect(screen.getByRole('dialog', { name: 'Edit Patient' })).toBeTruthy()
  type(/^City/, 'Millbrook')
  await submit()
  await vi.waitFor(() => expect(seen.closed).toBe(1))
  const changes = { city: { from: 'Larkspur', to: 'Millbrook' } }
  expect(recorded).toMatchObject([{ kind: 'patient.edit', lane: `patient:${abigail.id}`, body: { id_patient: abigail.id, changes } }])
  expect(recorded.map(({ body }) => body)).toEqual([{ id_patient: abigail.id, changes }])
  expect(toast()).toMatchObject({ title: 'Patient information was successfully updated' })
})

test('without a connection the toast says where the patient is saved', async () => {
  const made = await show({ kind: 'create', given: whole })
  made.connection.setState({ online: false })
  await submit()
  await vi.waitFor(() => expect(made.seen.closed).toBe(1))
  expect(toast()?.description).toBe('Saved on this device. It will be sent when you’re back online.')
})

test('an unsaved form is restored without its SSN, until the user starts over', async () => {
  const made = deviceWith({})
  await givePatientsKey(made.hot, made.state.getState().home!)
  await keepDraft(made.device, 'patient: new', draftOf('0198c2f4-0000-7000-8000-0000000000ff', null, { ...whole, city: 'Typed', ssn: '1' }))
  const dialog = (
    <DeviceProvider device={made.device}>
      <PatientDialog task={{ kind: 'create', given: formOf({}) }} onClose={() => undefined} />
    </DeviceProvider>
  )
  render(dialog)
  expect(await screen.findByText('We restored your unsaved changes')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>(/^City/).value).toBe('Typed')
  expect(screen.getByText(/isn’t kept on this device/)).toBeTruthy()
  type(/^City/, 'Typed on')
  await vi.waitFor(async () => expect(await readDraft(made.device, 'patient: new')).toMatchObject({ form: { city: 'Typed on' } }))
  fireEvent.click(screen.getByRole('button', { name: 'Start over' }))
  await vi.waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^City/).value).toBe(''))
  await vi.waitFor(async () => expect(await readDraft(made.device, 'patient: new')).toBeNull())
})

const refusedEdit: UnsentWork = {
  id: '0198c2f4-0000-7000-8000-00000000000a',
  kind: 'patient.edit',
  state: 'attention',
  author: 'Maya Okafor',
  at: '2026-11-20T10:00:00.000Z',
  problem: {
    code: 'patient-changed',
    message: 'changed',
    status: 409,
    at: '2026-11-20T10:00:00.000Z',
    details: { fields: ['city'], version: 2, changed_by: [{ field: 'city', rep: 'Ana Teixeira', at: '2026-11-20T09:00:00.000Z' }] },
  },
  patient: null,
  changes: { city: { from: 'Larkspur', to: 'Bee Town' } },
}

test('a conflict shows both values with author and time, and sends the choice over the value that the user saw', async () => {
  const row = testPatient(1, { city: 'Ay Town', version: 2 })
  const { device, corrected } = deviceWith({ known: [row], unsent: [refusedEdit] })
  let closed = 0
  render(
    <DeviceProvider device={device}>
      <ConflictDialog idPatient={row.id} work={refusedEdit} onClose={() => (closed += 1)} />
    </DeviceProvider>,
  )
  const field = await screen.findByRole('group', { name: 'City: which version should we keep?' })
  expect(field.textContent).toMatch(/Bee Town.*Yours.*Ay Town.*Theirs: Ana Teixeira/)
  const save = screen.getByRole('button', { name: 'Save and send' })
  fireEvent.click(save)
  expect(corrected).toEqual([])
  fireEvent.click(within(field).getByLabelText(/Bee Town/))
  fireEvent.click(save)
  await vi.waitFor(() => expect(closed).toBe(1))
  expect(corrected).toEqual([{ id: refusedEdit.id, body: { id_patient: row.id, changes: { city: { from: 'Ay Town', to: 'Bee Town' } } } }])
})

test('a conflict shows names of providers, people and doctors, and plain words for an unknown one', async () => {
  const [mother, grandmother] = [testPatient(2, { first_name: 'Ona' }), '0198c2f4-0000-7000-8000-0000000000b1']
  const [known, unknown] = ['0198c2f4-0000-7000-8000-0000000000c1', '0198c2f4-0000-7000-8000-0000000000c2']
  const row = testPatient(1, { version: 2, pcp_id: unknown, responsible_party_id: grandmother, preferred_provider_id: 4 })
  const work: UnsentWork = {
    ...refusedEdit,
    changes: {
      pcp_id: { from: null, to: known },
      responsible_party_id: { from: null, to: mother.id },
      preferred_provider_id: { from: 4, to: 5 },
    },
  }
  const answer = (path: string, request: unknown): Outcome<unknown> => {
    if (path === '/api/pcp/card' && JSON.stringify(request).includes(known))
      return { ok: true, value: { id_pcp: known, last_name: 'Abara', first_name: 'Ngozi', credential: 'MD', practice: 'Hill Street' } }
    if (path === '/api/patient/choices') return { ok: true, value: { providers: [{ id_user: 4, name: 'Iris Lindqvist' }], locations: [] } }
    if (path === '/api/patient/{id}') return { ok: true, value: testPatient(3, { first_name: 'Elder' }) }
    return unreachable
  }
  const { device } = deviceWith({ known: [row, mother], unsent: [work], answer })
  render(
    <DeviceProvider device={device}>
      <ConflictDialog idPatient={row.id} work={work} onClose={() => undefined} />
    </DeviceProvider>,
  )
  const provider = await screen.findByRole('group', { name: 'Primary care provider: which version should we keep?' })
  expect(await within(provider).findByText(/Abara.*Hill Street/)).toBeTruthy()
  expect(await within(provider).findByText('a provider (name available online)')).toBeTruthy()
  const person = screen.getByRole('group', { name: 'Responsible person: which version should we keep?' })
  expect(within(person).getByText(/Ona Carrow/)).toBeTruthy()
  expect(await within(person).findByText(/Elder Carrow/)).toBeTruthy()
  expect(await screen.findByText(/Iris Lindqvist/)).toBeTruthy()
  expect(screen.getByRole('dialog').textContent).not.toMatch(/0198c2f4/)
})

test('the author can keep the server’s value, which discards the refused edit', async () => {
  const row = testPatient(1, { city: 'Ay Town', version: 2 })
  const { device, corrected, discarded } = deviceWith({ known: [row], unsent: [refusedEdit] })
  render(
    <DeviceProvider device={device}>
      <ConflictDialog idPatient={row.id} work={refusedEdit} onClose={() => undefined} />
    </DeviceProvider>,
  )
  fireEvent.click(await screen.findByLabelText(/Ay Town/))
  fireEvent.click(screen.getByRole('button', { name: 'Save and send' }))
  await vi.waitFor(() => expect(discarded).toEqual([refusedEdit.id]))
  expect(corrected).toEqual([])
})

test('no choice is possible before the other user’s row is here', async () => {
  const old = testPatient(1, { city: 'Larkspur', version: 1 })
  const { device, corrected } = deviceWith({ known: [old], unsent: [refusedEdit] })
  render(
    <DeviceProvider device={device}>
      <ConflictDialog idPatient={old.id} work={refusedEdit} onClose={() => undefined} />
    </DeviceProvider>,
  )
  expect(await screen.findByText('The other person’s edit isn’t here yet')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Save and send' }))
  expect(corrected).toEqual([])
})
