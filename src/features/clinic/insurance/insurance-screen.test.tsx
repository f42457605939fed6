// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Insurance } from '#contract/insurance/insurance.ts'
import { noBenefits } from '#contract/insurance/insurance-benefits.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { InsuranceScreen } from './insurance-screen.tsx'

vi.mock('./model/scale-photo.ts', () => ({
  scalePhoto: () => Promise.resolve(Uint8Array.from([0xff, 0xd8, 0xff, 7])),
}))

afterEach(cleanup)

const idPatient = '0198c2f4-0000-7000-8000-000000000001'
const idChild = '0198c2f4-0000-7000-8000-000000000002'
const policy: Insurance = {
  id_insurance: '0198c2f4-0000-7000-8000-0000000000a1',
  id_patient: idPatient,
  company_id: 1,
  company_name: 'Clear Harbour Vision',
  plan_id: 1,
  plan_name: 'Choice',
  coverage_type_id: 1,
  coverage_type: 'Vision',
  member_id: 'ZX8841',
  group_no: null,
  bin: null,
  payer_id: null,
  effective_date: '2026-01-01',
  term_date: null,
  in_network: true,
  subscriber_name: null,
  subscriber_dob: null,
  benefits: {
    ...noBenefits,
    frame_allowance_cents: 14_000,
    frame_overage_discount_pct: 20,
    frequency: { exam: 12, lens: 12, frame: 24, cl: null },
  },
  auth_number: null,
  auth_obtained_at: null,
  auth_expires_at: null,
  services_authorised: [],
  eligibility_checked_at: null,
  eligibility_raw: null,
  priority: 'primary',
  relationship: 'self',
  used: { exam: '2099-03-01', lens: null, frame: null, cl: null },
  holders: [
    { id_patient: idPatient, relationship: 'self', name: 'Abigail Carrow', dob: '1980-02-28', ssn_last4: '6789', priority: 'primary' },
    { id_patient: idChild, relationship: 'child', name: null, dob: null, ssn_last4: null, priority: null },
  ],
  front_photo: '/api/patient/insurance/a1/patient/1/photo/front',
  back_photo: null,
  created_at: '2026-01-01T00:00:00.000Z',
  version: 3,
}
const ben = { ...testPatient(8), first_name: 'Ben', last_name: 'Carrow' }
const lists: Record<string, unknown> = {
  '/api/patient/insurance/companies': { companies: [{ company_id: 1, name: 'Clear Harbour Vision', payer_id: 'CHV01' }] },
  '/api/patient/insurance/plans': {
    plans: [{ plan_id: 1, company_id: 1, coverage_type_id: 1, name: 'Choice', benefits: policy.benefits }],
  },
  '/api/patient/insurance/coverage_types': { coverage_types: [{ coverage_type_id: 1, key: 'vision', name: 'Vision' }] },
}
type Sent = { method: string; path: string; request: { params?: Record<string, string>; body?: Record<string, unknown> } }

/** Returns a form's content, with the number of bytes of each file. */
function readable({ params, body }: { params?: Record<string, string>; body?: Record<string, unknown> | FormData }): Sent['request'] {
  if (!(body instanceof FormData)) return { ...(params && { params }), ...(body && { body }) }
  const { insurance: fields, ...files } = Object.fromEntries(body.entries())
  const sizes = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, (file as File).size]))
  return { ...(params && { params }), body: { ...(JSON.parse(fields as string) as Record<string, unknown>), ...sizes } }
}

/** Opens the screen with a server that has these policies. */
async function open(
  policies: Insurance[],
  options: { permissions?: typeof mayasHome.permissions; withKey?: boolean; isAdding?: boolean; onAdded?: () => void } = {},
) {
  const server = { policies, reachable: true, refusal: null as unknown, sent: [] as Sent[] }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (!server.reachable) return unreachable
      if (lists[endpoint.path]) return { ok: true, value: lists[endpoint.path] }
      if (endpoint.path === '/api/home/patient/search') return { ok: true, value: { patients: [ben] } }
      if (endpoint.method === 'GET') return { ok: true, value: { insurances: server.policies } }
      server.sent.push({ method: endpoint.method, path: endpoint.path, request: readable(request as Sent['request']) })
      return (server.refusal ?? { ok: true, value: endpoint.method === 'DELETE' ? { ok: true } : policy }) as never
    },
  })
  // The patients' key is already here, if there is one.
  Object.assign(made.device, { patients: () => Promise.resolve(null) })
  const home = { ...mayasHome, permissions: options.permissions ?? (['patient.read', 'insurance.write'] as typeof mayasHome.permissions) }
  made.state.setState({ home })
  if (options.withKey !== false) await givePatientsKey(made.hot, home)
  const show = () =>
    render(
      <DeviceProvider device={made.device}>
        <InsuranceScreen idPatient={idPatient} isAdding={options.isAdding === true} onAdded={() => options.onAdded?.()} />
      </DeviceProvider>,
    )
  show()
  return { ...made, server, reload: () => (cleanup(), show()) }
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
/** A busy button ignores presses, so a user waits for the answer before the next Save. */
const pressWhenFree = async (name: string) => {
  await waitFor(() => expect(screen.getByRole('button', { name }).getAttribute('aria-busy')).toBeNull())
  press(name)
}
const type = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
async function openNew() {
  fireEvent.click(await screen.findByRole('button', { name: 'Add policy' }))
  await screen.findByRole('dialog', { name: 'Add policy' })
  await screen.findByRole('option', { name: 'Clear Harbour Vision' })
}

test('a policy shows its details, when each benefit is available again, and its holders', async () => {
  await open([policy])
  const card = within(await screen.findByRole('region', { name: 'Clear Harbour Vision · Choice' }))
  for (const text of ['Primary', 'Vision', 'ZX8841', '$140.00, then 20% off', '01/01/2026 – present'])
    expect(card.getAllByText(text).length).toBeGreaterThan(0)
  const benefits = within(card.getByRole('list', { name: 'Benefits' }))
  expect(benefits.getByText('Eligible 03/01/2100')).toBeTruthy()
  const lines = benefits.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(lines[0]).toContain('every 12 monthslast used 03/01/2099')
  expect(lines[2]).toContain('every 24 months$140.00 remaining')
  expect(benefits.getAllByText('Eligible now')).toHaveLength(3)
  const holders = card.getByRole('list', { name: 'Covered people' })
  expect(holders.textContent).toContain('Abigail Carrow (this patient)')
  expect(holders.textContent).toContain('SSN •••-••-6789')
  expect(within(holders).getByText('A patient of another store')).toBeTruthy()
  expect(card.getByRole('button', { name: 'Front of the card' })).toBeTruthy()
  expect(card.queryByRole('button', { name: 'Back of the card' })).toBeNull()
})

test('benefits of an ended policy are not available, and those of a later policy only from its first day', async () => {
  const ended = { ...policy, effective_date: '2020-01-01', term_date: '2020-12-31' }
  await open([ended])
  const benefits = () => within(screen.getByRole('list', { name: 'Benefits' }))
  await screen.findByText('Ended')
  expect(screen.getByText('Was primary')).toBeTruthy()
  expect(screen.getByText('The policy has ended. It has no benefits.')).toBeTruthy()
  expect(screen.queryByRole('list', { name: 'Benefits' })).toBeNull()
  // A new policy may take the priority of the ended one.
  fireEvent.click(screen.getByRole('button', { name: 'Add policy' }))
  const adding = within(await screen.findByRole('dialog', { name: 'Add policy' }))
  expect(adding.getByLabelText<HTMLSelectElement>(/^Priority/).value).toBe('primary')
  cleanup()

  await open([{ ...policy, effective_date: '2099-06-01' }])
  await screen.findByText('Not active yet')
  expect(benefits().getAllByText('Eligible 06/01/2099')).toHaveLength(3)
  expect(benefits().getByText('Eligible 03/01/2100')).toBeTruthy()
})

test('a user who may only read sees the company’s answer and the lens benefits', async () => {
  const lens_coverage = {
    sv: { kind: 'covered' as const },
    bi: null,
    tri: { kind: 'discount' as const, discount_pct: 20 },
    prog: { kind: 'copay' as const, copay_cents: 5500 },
  }
  const answer = 'EB*B*IND*AM****15~\nMSG*FRAME COPAY'
  await open([{ ...policy, benefits: { ...policy.benefits, lens_coverage }, eligibility_raw: answer }], { permissions: ['patient.read'] })
  const shown = (await screen.findByRole('region', { name: /Clear Harbour/ })).textContent
  expect(shown).toContain('Single vision: covered\nTrifocal: 20% off\nProgressive: $55.00 copay')
  expect(shown).toContain(answer)
})

test('the calculator shows the patient’s share: a frame of $200 costs $48', async () => {
  await open([policy])
  fireEvent.click(await screen.findByRole('button', { name: 'Patient share' }))
  type('Frame, $', '200')
  type('Exam, $', '90')
  const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent).join(' | '))
  expect(rows).toContain('Frame | $200.00 | $152.00 | $48.00')
  expect(rows).toContain('Examnot before 03/01/2100 | $90.00 | $0.00 | $90.00')
  expect(rows).toContain('Total | $290.00 | $152.00 | $138.00')
  type('Frame, $', 'two hundred')
  expect(screen.getByRole('alert').textContent).toContain('Enter an amount, like 120')
})

test('a plan fills in a new policy’s benefits, a missing field says so, and the policy is sent as typed', async () => {
  const { server } = await open([])
  await openNew()
  press('Save')
  const company = screen.getByLabelText(/^Company/)
  await waitFor(() => expect(document.activeElement).toBe(company))
  expect(screen.getAllByText('This field is required')).toHaveLength(3)
  expect(server.sent).toEqual([])
  fireEvent.change(company, { target: { value: '1' } })
  type(/^Plan/, '1')
  expect(screen.getByLabelText<HTMLInputElement>('Frame allowance, $').value).toBe('140')
  expect(screen.getByLabelText<HTMLInputElement>('Payer ID').value).toBe('CHV01')
  type(/^Member ID/, 'zx8841')
  type('Exam copay, $', '10.50')
  type('Progressive lenses', 'copay')
  press('Save')
  await screen.findByText('Fix 1 field to save')
  type('Copay, $', '55')
  fireEvent.change(screen.getByLabelText('Front of the card: camera'), { target: { files: [new File(['x'], 'card.jpg')] } })
  await screen.findByRole('img', { name: 'Front of the card' })
  press('Save')
  await waitFor(() => expect(server.sent).toHaveLength(1))
  const { body = {} } = server.sent[0]!.request
  expect(body).toMatchObject({
    id_patient: idPatient,
    company_id: 1,
    plan_id: 1,
    coverage_type_id: 1,
    member_id: 'zx8841',
    priority: 'primary',
    benefits: {
      exam_copay_cents: 1050,
      frame_allowance_cents: 14_000,
      lens_coverage: { prog: { kind: 'copay', copay_cents: 5500 }, sv: null },
    },
    front_photo: 4,
  })
  expect(body).not.toHaveProperty('back_photo')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test('the typed policy survives a reload, encrypted meanwhile, and is gone after saving', async () => {
  const { hot, reload, server } = await open([])
  await openNew()
  type(/^Member ID/, 'SECRET77')
  await waitFor(async () => expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(1))
  const [stored] = await hot.facts.where('key').startsWith('draft ').toArray()
  const { text } = stored!.value as { text: Uint8Array }
  expect(text.length).toBeGreaterThan(100)
  expect(new TextDecoder('latin1').decode(text)).not.toContain('SECRET77')
  reload()
  expect(await screen.findByText('Unsaved policy')).toBeTruthy()
  press('Continue')
  await screen.findByRole('dialog', { name: 'Add policy' })
  expect((await screen.findByLabelText<HTMLInputElement>(/^Member ID/)).value).toBe('SECRET77')
  await screen.findByRole('option', { name: 'Clear Harbour Vision' })
  type(/^Company/, '1')
  type(/^Coverage/, '1')
  press('Save')
  await waitFor(() => expect(server.sent).toHaveLength(1))
  await waitFor(() => expect(screen.queryByText('Unsaved policy')).toBeNull())
  expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(0)
})

test('a started holder survives a reload, and is gone once it is saved or canceled', async () => {
  const { hot, reload, server } = await open([policy])
  const begun = () => hot.facts.where('key').startsWith('draft ').count()
  const openHolder = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Add a person' }))
    return within(await screen.findByRole('dialog', { name: 'Add a person' }))
  }
  const dialog = await openHolder()
  type('Patient', 'Ben')
  press('Find')
  fireEvent.click(await dialog.findByRole('button', { name: /Ben Carrow/ }))
  type('Relationship to the subscriber', 'spouse')
  await waitFor(async () => expect(await begun()).toBe(1))
  reload()
  const again = await openHolder()
  expect(again.getByText('We restored your unsaved changes')).toBeTruthy()
  expect(again.getByLabelText<HTMLInputElement>('Patient').value).toBe('Ben')
  press('Save')
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.request.body).toMatchObject({ id_patient: ben.id, relationship: 'spouse', priority: 'primary' })
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await begun()).toBe(0)

  fireEvent.click(await screen.findByRole('button', { name: 'Edit Abigail Carrow' }))
  await screen.findByRole('dialog', { name: 'Edit covered person' })
  type('Priority for this patient', 'tertiary')
  await waitFor(async () => expect(await begun()).toBe(1))
  press('Cancel')
  await waitFor(async () => expect(await begun()).toBe(0))
})

test('without a connection nothing typed is lost, and the same policy goes out again under the same id', async () => {
  const { server, connection } = await open([])
  await openNew()
  type(/^Company/, '1')
  type(/^Coverage/, '1')
  type(/^Member ID/, 'M1')
  server.reachable = false
  act(() => connection.setState({ online: false }))
  expect(screen.getByText(/You need a connection to save/)).toBeTruthy()
  press('Save')
  expect(await screen.findByText(/What you typed is still here/)).toBeTruthy()
  server.reachable = true
  server.refusal = { ok: false, failure: { kind: 'unreachable', message: 'the answer was lost' } }
  await pressWhenFree('Save')
  await waitFor(() => expect(server.sent).toHaveLength(1))
  server.refusal = null
  await pressWhenFree('Save')
  await waitFor(() => expect(server.sent).toHaveLength(2))
  const [first, second] = server.sent.map(({ request }) => request.body?.['id_insurance'])
  expect(first).toBe(second)
})

test('a refusal of the server shows at its field', async () => {
  const { server } = await open([policy])
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  await screen.findByRole('dialog', { name: 'Edit policy' })
  const fields = [{ path: 'body.priority', message: 'The patient already has a primary policy.' }]
  server.refusal = {
    ok: false,
    failure: { kind: 'refused', status: 409, code: 'insurance-priority-taken', message: 'taken', fields, retryAfterS: null, details: {} },
  }
  press('Save')
  const priority = await screen.findByLabelText(/^Priority/)
  await waitFor(() => expect(priority.getAttribute('aria-invalid')).toBe('true'))
  expect(server.sent[0]?.request).toMatchObject({ params: { id_insurance: policy.id_insurance }, body: { version: 3 } })
})

test('a user whose policy changed meanwhile may still save their own version', async () => {
  const { server } = await open([policy])
  fireEvent.click(await screen.findByRole('button', { name: 'Edit' }))
  await screen.findByRole('dialog', { name: 'Edit policy' })
  server.refusal = {
    ok: false,
    failure: { kind: 'refused', status: 409, code: 'insurance-changed', message: 'changed', fields: [], retryAfterS: null, details: {} },
  }
  press('Save')
  await screen.findByRole('button', { name: 'Save mine anyway' })
  server.refusal = null
  press('Save mine anyway')
  await waitFor(() => expect(server.sent).toHaveLength(2))
  expect(server.sent[1]?.request.body).not.toHaveProperty('version')
})

test('detaching asks first, and the server does it', async () => {
  const { server } = await open([policy])
  fireEvent.click(await screen.findByRole('button', { name: 'Remove from patient' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  expect(server.sent).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Remove from patient' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]).toMatchObject({
    method: 'DELETE',
    request: { params: { id_insurance: policy.id_insurance, id_patient: idPatient } },
  })
})

test('a link to add a policy opens the form, and closing it removes that from the address', async () => {
  const onAdded = vi.fn()
  await open([], { isAdding: true, onAdded })
  const dialog = await screen.findByRole('dialog', { name: 'Add policy' })
  const [close] = within(dialog).getAllByRole('button', { name: 'Close' })
  if (close) fireEvent.click(close)
  await waitFor(() => expect(onAdded).toHaveBeenCalledTimes(1))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  cleanup()

  await open([], { isAdding: true, permissions: ['patient.read'] })
  await screen.findByText('No insurance on file - self-pay.')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a photographed card is sent at once, as an image and a patient', async () => {
  const { server } = await open([])
  await screen.findByText('No insurance on file - self-pay.')
  fireEvent.change(screen.getByLabelText('Photo of the card'), { target: { files: [new File(['x'], 'card.jpg')] } })
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.request.body).toMatchObject({ id_patient: idPatient, image: '/9j/Bw==' })
})

test('a card photographed offline stays encrypted over a reload, and goes out under the same id', async () => {
  const { server, reload, hot } = await open([])
  await screen.findByText('No insurance on file - self-pay.')
  server.reachable = false
  fireEvent.change(screen.getByLabelText('Photo of the card'), { target: { files: [new File(['x'], 'card.jpg')] } })
  expect(await screen.findByText(/The photo is kept on this device/)).toBeTruthy()
  expect(JSON.stringify(await hot.facts.toArray())).not.toContain('/9j/')

  reload()
  // Even the policies are not available, and the buttons still work.
  await screen.findByText(/Insurance isn’t stored on this device/)
  await screen.findByText(/It hasn’t been sent to the server yet\. The photo is kept on this device/)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Photograph card' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Resend' }))
  await screen.findByText(/Couldn’t reach the server/)
  server.reachable = true
  fireEvent.click(screen.getByRole('button', { name: 'Resend' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.request.body).toMatchObject({ id_patient: idPatient, image: '/9j/Bw==' })
  await screen.findByText('No insurance on file - self-pay.')
  reload()
  await screen.findByText('No insurance on file - self-pay.')
  expect(screen.queryByText(/NOT SAVED/)).toBeNull()
})

test('a user who may only read sees no buttons to change, and the screen says when the server is away', async () => {
  const { server, reload } = await open([policy], { permissions: ['patient.read'] })
  await screen.findByRole('region', { name: /Clear Harbour/ })
  for (const name of ['Add policy', 'Edit', 'Remove from patient', 'Add a person'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  server.reachable = false
  reload()
  expect(await screen.findByText(/Insurance isn’t stored on this device/)).toBeTruthy()
})
