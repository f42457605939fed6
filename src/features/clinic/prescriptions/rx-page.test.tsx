// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, expect, test, vi } from 'vitest'
import type { LensBrand } from '#contract/library/lens-brands.ts'
import { type Prescription, prescription, rxInput } from '#contract/rx/prescription.ts'
import type { Provider } from '#contract/settings/providers.ts'
import { type StoreOpticalSettings, usualOpticalSettings } from '#contract/settings/settings.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import type { HomeInfo } from '#contract/people/session.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { readDraft } from '#src/sync/device/drafts.ts'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { toastStore } from '#src/ui/toast-store.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { wholeText } from '#tests/support/whole-text.ts'
import { RxListPage } from './rx-list-page.tsx'
import { RxPage } from './rx-page.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(cleanup)

const abigail = testPatient(7)
const idRx = '0190a000-0000-7000-8000-0000000000aa'
const days = { exam_date: '2026-11-20', issue_date: '2026-11-20', expiry_date: '2028-11-20' }
const draft: Prescription = v.parse(prescription, {
  ...v.parse(rxInput, { rx_kind: 'spectacle', ...days }),
  id_rx: idRx,
  id_patient: abigail.id,
  status: 'draft',
  signature: null,
  signed_by: null,
  signed_at: null,
  created_at: '2026-11-20T10:00:00.000Z',
  created_by: 'Iris Lindqvist',
  version: 1,
  withdrawn: null,
})

const maya: Provider = { id_user: mayasHome.id_user, name: 'Maya Okonjo', license_no: 'OPT-7', npi: null, is_here: true }
const home: HomeInfo = { ...mayasHome, permissions: ['patient.read', 'rx.enter', 'rx.sign'] }

function open(
  options: {
    list?: boolean
    rx?: Prescription
    hot?: HotDatabase
    home?: HomeInfo
    settings?: StoreOpticalSettings
    files?: unknown[]
  } = {},
) {
  const server = {
    rx: options.rx ?? draft,
    reachable: true,
    sent: [] as { body: Record<string, unknown> }[],
    brands: [] as LensBrand[] | null,
    /** What the draft has become without this page. */
    signedMeanwhile: null as Partial<Prescription> | null,
  }
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      if (!server.reachable) return unreachable
      if (endpoint.path === '/api/patient/{id}') return { ok: true, value: { ...abigail, ssn: null, store_name: 'Harbour Street' } }
      if (endpoint.path === '/api/patient/choices') return { ok: true, value: { providers: [], locations: [] } }
      if (endpoint.path === '/api/settings/providers') return { ok: true, value: { providers: [maya] } }
      if (endpoint.path === '/api/settings/optical') return { ok: true, value: options.settings ?? usualOpticalSettings }
      if (endpoint.path === '/api/patient/rx-list') return { ok: true, value: { rx_list: [server.rx] } }
      if (endpoint.path.endsWith('/generate-filename-doc')) return { ok: true, value: { filename: 'doc-1', expires_at: draft.created_at } }
      if (endpoint.path === '/api/patient/lens-brands') return server.brands ? { ok: true, value: { brands: server.brands } } : unreachable
      if (endpoint.path === '/upload/') return { ok: true, value: 'patient-files/1' }
      if (endpoint.path === '/api/patient/file') return { ok: true, value: { files: options.files ?? [] } }
      if (endpoint.path === '/api/patient/rx/{id}/scan') {
        const { body } = request as { body: { id_file: string | null } }
        server.rx = { ...server.rx, scan: body.id_file === null ? null : { id_file: body.id_file, filename: 'Paper.pdf' } }
        return { ok: true, value: server.rx }
      }
      if (endpoint.path === '/api/patient/rx/{id}/withdraw') {
        const { body } = request as { body: { status: 'cancelled'; reason: string } }
        const withdrawn = { at: draft.created_at, by: 'Iris Lindqvist', reason: body.reason }
        server.rx = { ...server.rx, status: body.status, withdrawn, version: server.rx.version + 1 }
      }
      if (endpoint.method === 'PUT' && server.signedMeanwhile) {
        server.rx = { ...server.rx, ...server.signedMeanwhile } as Prescription
        return refused(409, 'rx-signed')
      }
      if (endpoint.method === 'PUT') {
        const { body } = request as { body: Record<string, unknown> }
        server.sent.push({ body })
        const signed = body['signature']
          ? { status: 'active', signature: body['signature'], signed_by: 'Iris', signed_at: draft.created_at }
          : {}
        server.rx = { ...server.rx, ...(body['rx'] as object), ...signed, version: server.rx.version + 1 } as Prescription
      }
      return { ok: true, value: server.rx }
    },
  })
  made.state.setState({ home: options.home ?? home })
  if (options.hot) Object.assign(made.device, { hot: options.hot })
  const page = options.list ? <RxListPage idPatient={abigail.id} /> : <RxPage idPatient={abigail.id} idRx={idRx} />
  const shown = render(<DeviceProvider device={made.device}>{page}</DeviceProvider>)
  return { ...made, server, ...shown, user: userEvent.setup({ delay: null }) }
}
const idSent = ({ request }: { request: unknown }) => (request as { body: { id_rx?: string } }).body.id_rx
const powers = async () => within(await screen.findByRole('region', { name: 'Powers' }))

test('is typed as opticians type, Tab goes from field to field and eye to eye, and is saved in thousandths', async () => {
  const { user, server } = open()
  const first = (await powers()).getAllByLabelText('Sphere')[0]!
  await user.click(first)
  for (const text of ['-225', '.75', '7', '2', 'pl']) {
    await user.keyboard(text)
    await user.tab()
  }
  expect((first as HTMLInputElement).value).toBe('-2.25')
  expect(screen.getByText(/Spherical equivalent: OD -2\.625, OS \+0\.00/)).toBeTruthy()
  expect(screen.getByText('OD: Add entered, but lens type is single vision')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    id_rx: idRx,
    version: 1,
    rx: { od: { sphere: -2250, cylinder: -750, axis: 7, add: 2000 }, os: { sphere: 0, cylinder: null } },
  })
})

test('what is between two steps offers both, and copying and transposing change the fields', async () => {
  const { user } = open()
  const [right, left] = (await powers()).getAllByLabelText<HTMLInputElement>('Sphere')
  await user.type(right!, '+2.10')
  await user.tab()
  expect((await powers()).getByText('must be +2.00 or +2.25')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Use +2.00' }))
  await user.keyboard('{Tab}')
  await user.type((await powers()).getAllByLabelText('Cylinder')[0]!, '1.5')
  await user.type((await powers()).getAllByLabelText('Axis')[0]!, '30')
  await user.click((await powers()).getByRole('button', { name: 'All' }))
  expect(left?.value).toBe('+2.00')
  await user.click(screen.getByRole('button', { name: 'Transpose' }))
  const values = ['Sphere', 'Cylinder', 'Axis'].map((label) => screen.getAllByLabelText<HTMLInputElement>(label)[1]?.value)
  expect(values).toEqual(['+0.50', '+1.50', '120'])
})

test('without a connection nothing is called saved, and what was typed is there after a reload, readable for its person only', async () => {
  const { user, server, unmount, hot } = open()
  await givePatientsKey(hot, home)
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  server.reachable = false
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVED. You need a connection to save and sign.')
  unmount()
  const again = open({ hot })
  expect(await screen.findByText('We restored your unsaved changes')).toBeTruthy()
  expect(screen.getAllByLabelText<HTMLInputElement>('Sphere')[0]?.value).toMatch(/^-3/)
  await again.user.click(screen.getByRole('button', { name: 'Revert to saved' }))
  expect(screen.getAllByLabelText<HTMLInputElement>('Sphere')[0]?.value).toBe('')
})

test('a tablet that cannot keep what is typed says so', async () => {
  const { user } = open()
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  expect(await screen.findByText('This device can’t keep what you type')).toBeTruthy()
})

test('the list that was read before the connection went says so', async () => {
  const { connection } = open({ list: true })
  await screen.findByText(/Draft, not signed/)
  expect(screen.queryByText('No connection')).toBeNull()
  act(() => connection.setState({ online: false }))
  expect(screen.getByText('No connection')).toBeTruthy()
})

test('is signed by a typed name when it is complete, and can then only be read', async () => {
  const { user, server } = open()
  await user.type((await powers()).getAllByLabelText('Sphere')[0]!, '-3')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText('This field is required')).toBeTruthy()
  expect(screen.getByText('Some fields are missing or incorrect: OS Sphere.')).toBeTruthy()
  const second = (await powers()).getAllByLabelText('Sphere')[1]!
  await waitFor(() => expect(document.activeElement).toBe(second))
  await user.type(second, '-3')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(dialog.getByRole('alert').textContent).toContain('Sign in the field or type your name.')
  expect(dialog.getByRole('region', { name: 'Powers to sign' }).textContent).toContain('-3.00')
  const own = dialog.getByLabelText('Or type your full name')
  await user.type(own, 'Bugs Bunny')
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(dialog.getByText('That’s not your name. Type Maya Okafor or sign in the field.')).toBeTruthy()
  expect(server.sent).toEqual([])
  await user.clear(own)
  await user.type(own, 'maya okafor')
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByRole('heading', { name: 'Active' })).toBeTruthy()
  expect(server.sent[0]?.body['signature']).toEqual({ kind: 'typed', name: 'maya okafor' })
  expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull()
})

test('the name that is typed to sign is there after a reload, what is drawn is not, and neither is kept once it is signed', async () => {
  const whole = { ...draft, od: { ...draft.od, sphere: -3000 }, os: { ...draft.os, sphere: -3000 } }
  const { user, hot, unmount } = open({ rx: whole })
  await givePatientsKey(hot, home)
  const begun = () => hot.facts.where('key').startsWith('draft ').count()
  await powers()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  const dialog = within(await screen.findByRole('dialog'))
  const pad = dialog.getByRole('img', { name: 'Sign here' })
  pad.getBoundingClientRect = () => new DOMRect(0, 0, 500, 150)
  pad.setPointerCapture = () => undefined
  fireEvent.pointerDown(pad, { clientX: 60, clientY: 70, pointerId: 1 })
  await user.click(dialog.getByRole('button', { name: 'Clear' }))
  await user.type(dialog.getByLabelText('Or type your full name'), 'Maya Okafor')
  await waitFor(async () => expect(await begun()).toBe(1))
  expect(await readDraft(Object.assign(screenDevice({ signedIn: true }).device, { hot }), `patient: rx signature ${idRx}`)).toEqual({
    name: 'Maya Okafor',
  })
  unmount()
  const again = open({ rx: whole, hot })
  await powers()
  await again.user.click(screen.getByRole('button', { name: 'Sign' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Or type your full name')).value).toBe('Maya Okafor')
  await again.user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Sign' }))
  expect(await screen.findByRole('heading', { name: 'Active' })).toBeTruthy()
  await waitFor(async () => expect(await begun()).toBe(0))
})

test('signed although the answer was lost, it is shown as it was signed', async () => {
  const { user, server } = open({ rx: { ...draft, provider_id: mayasHome.id_user } })
  await powers()
  server.signedMeanwhile = {
    status: 'active',
    signature: { kind: 'typed', name: 'Maya' },
    signed_by: 'Maya Okonjo',
    signed_at: draft.created_at,
  }
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Save draft' })).toBeNull())
  expect(toastStore.getState().toast?.title).toBe('Already signed')
  expect(screen.getAllByText(/Maya Okonjo/).length).toBeGreaterThan(0)
})

test('a new one that is pressed for again after a lost answer has the same id, and the next one another', async () => {
  const { user, server, calls } = open({ list: true })
  const added = () => calls.filter(({ path, request }) => path === '/api/patient/rx' && 'body' in (request as object)).map(idSent)
  const fresh = await screen.findByRole('button', { name: 'New for glasses' })
  server.reachable = false
  await user.click(fresh)
  await screen.findByText(/NOT SAVED/)
  server.reachable = true
  for (const times of [2, 3]) {
    await user.click(fresh)
    await waitFor(() => expect(added()).toHaveLength(times))
  }
  const [first, again, next] = added()
  expect(again).toBe(first)
  expect(next).not.toBe(first)
})

test('the list says what is in force, and a file is shown before it becomes a draft', async () => {
  const { user, calls } = open({
    list: true,
    rx: { ...draft, status: 'active', od: { ...draft.od, sphere: -2250, cylinder: -500, axis: 7 } },
  })
  expect(await screen.findByText('OD -2.25 -0.50 x 007')).toBeTruthy()
  expect(screen.getByText('Active')).toBeTruthy()
  expect(screen.getByText('Current')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Import (FHIR)' }))
  const file = new File(['{"resourceType":"VisionPrescription","lensSpecification":[{"eye":"right","sphere":-1.5}]}'], 'rx.json')
  await user.upload(await screen.findByLabelText('File'), file)
  expect(await screen.findByText('-1.50 SPH')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Create draft' }))
  await waitFor(() => expect(calls.some(({ path, request }) => path === '/api/patient/rx' && 'body' in (request as object))).toBe(true))
})

test('what has expired is not in force any more', async () => {
  open({ list: true, rx: { ...draft, status: 'active', issue_date: '2020-01-01', expiry_date: '2022-01-01' } })
  expect(await screen.findByText('Expired on 2022-01-01')).toBeTruthy()
  expect(screen.queryByText('Active')).toBeNull()
})

const signed: Prescription = {
  ...draft,
  status: 'active',
  signature: { kind: 'typed', name: 'Iris' },
  signed_by: 'Iris',
  signed_at: draft.created_at,
}

test('a doctor withdraws what was signed, with a reason, and the page says who, when and why', async () => {
  const { user, calls } = open({ rx: signed })
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByText(/No earlier one replaces it/)).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect(dialog.getByText('Choose one')).toBeTruthy()
  expect(dialog.getByText('This field is required')).toBeTruthy()
  await user.click(dialog.getByRole('radio', { name: /^It was entered in error/ }))
  await user.type(dialog.getByLabelText(/^Reason/), 'The values of someone else')
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Entered in error. Do not use it.By Iris Lindqvist on 2026-11-20: The values of someone else',
  )
  const sent = calls.find(({ path }) => path.endsWith('/withdraw'))
  expect(sent?.request).toMatchObject({ body: { status: 'entered_in_error', reason: 'The values of someone else', version: 1 } })
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
})

test('without an answer nothing is withdrawn, and what was written stays', async () => {
  const { user, server } = open({ rx: signed })
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('radio', { name: /^Cancel it/ }))
  await user.type(dialog.getByLabelText(/^Reason/), 'Refracted anew')
  server.reachable = false
  await user.click(dialog.getByRole('button', { name: 'Withdraw' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('NOT WITHDRAWN')
  expect(dialog.getByLabelText<HTMLTextAreaElement>(/^Reason/).value).toBe('Refracted anew')
})

test('why it is withdrawn is there after a reload, until one keeps it after all', async () => {
  const { user, hot, unmount } = open({ rx: signed })
  await givePatientsKey(hot, home)
  await user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  await user.click(await screen.findByRole('radio', { name: /^It was entered in error/ }))
  await user.type(screen.getByLabelText(/^Reason/), 'The wrong patient')
  unmount()
  const again = open({ rx: signed, hot })
  await again.user.click(await screen.findByRole('button', { name: 'Withdraw' }))
  expect((await screen.findByLabelText<HTMLTextAreaElement>(/^Reason/)).value).toBe('The wrong patient')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: /^It was entered in error/ }).checked).toBe(true)
  await again.user.click(screen.getByRole('button', { name: 'Keep it' }))
  await waitFor(async () => expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(0))
})

test('whoever is no provider withdraws nothing, and a draft is deleted instead', async () => {
  open({ rx: signed, home: { ...home, permissions: ['patient.read', 'rx.enter'] } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
  cleanup()
  open()
  await powers()
  expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull()
})

test('the list marks what was withdrawn and says why', async () => {
  const withdrawn = { at: '2026-11-21T10:00:00.000Z', by: 'Iris Lindqvist', reason: 'Refracted anew' }
  open({ list: true, rx: { ...signed, status: 'cancelled', withdrawn } })
  expect(await screen.findByText('Canceled')).toBeTruthy()
  expect(screen.getByText(wholeText('By Iris Lindqvist on 2026-11-21: Refracted anew'))).toBeTruthy()
  expect(screen.queryByText('Current')).toBeNull()
})

const plusStore: StoreOpticalSettings = {
  state: null,
  cylinder_notation: 'plus',
  power_step: 125,
  expiry_by_state: false,
  spectacle_expiry_months: 12,
  contact_lens_expiry_months: 24,
  vertex_distance: 12_000,
}
const stored = { ...draft, od: { ...draft.od, sphere: 2000, cylinder: -1500, axis: 30 } }

test('where the store writes plus cylinder, a draft is shown and typed so, in eighths', async () => {
  const { user, server } = open({ rx: stored, settings: plusStore })
  const valueOf = async (label: string, at = 0) => (await powers()).getAllByLabelText<HTMLInputElement>(label)[at]?.value
  expect([await valueOf('Sphere'), await valueOf('Cylinder'), await valueOf('Axis')]).toEqual(['+0.50', '+1.50', '120'])
  await user.type((await powers()).getAllByLabelText('Sphere')[1]!, '-2.12')
  await user.type((await powers()).getAllByLabelText('Cylinder')[1]!, '75')
  await user.type((await powers()).getAllByLabelText('Axis')[1]!, '5')
  await user.tab()
  expect([await valueOf('Sphere', 1), await valueOf('Axis', 1)]).toEqual(['-2.125', '005'])
  await user.clear((await powers()).getAllByLabelText('Cylinder')[1]!)
  await user.type((await powers()).getAllByLabelText('Cylinder')[1]!, '.75')
  await user.tab()
  expect(await valueOf('Cylinder', 1)).toBe('+0.75')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { os: { sphere: -2125, cylinder: 750, axis: 5 } } })
})

test('a signed one is shown as the store writes it, turned at a press, and printed in both', async () => {
  const { user } = open({ rx: { ...signed, od: stored.od }, settings: plusStore })
  expect(await (await powers()).findByText('+1.50')).toBeTruthy()
  expect(screen.getAllByText('Plus-cylinder form').length).toBeGreaterThan(0)
  await waitFor(() => expect(document.querySelector('.printed-list')?.textContent).toContain('Minus-cylinder form: OD +2.00 -1.50 x 030'))
  await user.click(screen.getByRole('button', { name: 'Transpose' }))
  expect((await powers()).getByText('-1.50')).toBeTruthy()
  expect(document.querySelector('.printed-list')?.textContent).toContain('Plus-cylinder form: OD +0.50 +1.50 x 120')
})

test('the expiry date follows the issue date by the store’s time, until somebody chooses another', async () => {
  const { user } = open({ rx: { ...draft, issue_date: null, expiry_date: null }, settings: plusStore })
  const [issued, expires] = [
    await screen.findByLabelText<HTMLInputElement>('Issue date'),
    screen.getByLabelText<HTMLInputElement>('Expires'),
  ]
  await user.type(issued, '2026-11-20')
  expect(expires.value).toBe('2027-11-20')
  await user.clear(issued)
  await user.type(issued, '2026-11-21')
  expect(expires.value).toBe('2027-11-21')
  await user.clear(expires)
  await user.type(expires, '2027-06-01')
  await user.clear(issued)
  await user.type(issued, '2026-11-22')
  expect(expires.value).toBe('2027-06-01')
})

test('contact lenses for less than a year ask for the medical reason', async () => {
  const lenses = v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-19' })
  const { user } = open({ rx: lenses })
  const reason = await screen.findByLabelText('Medical reason for expiring in under a year')
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(reason.getAttribute('aria-invalid')).toBe('true')
  await user.type(reason, 'Corneal infiltrates')
  expect(reason.getAttribute('aria-invalid')).not.toBe('true')
})

test('a trial lens is marked at its eye; boxes for a year of it are refused at the field, and it is not signed', async () => {
  const { user, server } = open({ rx: v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20' }) })
  await powers()
  const boxes = screen.getAllByLabelText('Boxes per year')[0]!
  await user.type(boxes, '12')
  await user.click(screen.getAllByRole('checkbox', { name: 'Trial lens' })[0]!)
  expect(screen.getByText('A trial lens can’t be sold as an annual supply')).toBeTruthy()
  expect(boxes.getAttribute('aria-invalid')).toBe('true')
  await user.clear(boxes)
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText('A trial lens isn’t a final prescription. Keep it as a draft.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { od: { is_trial: true, annual_supply: null }, os: { is_trial: false } } })
  await waitFor(() => expect(document.querySelector('.printed-list')?.textContent).toContain('Trial lenses. Not a final prescription.'))
})

test('the calculators begin with the powers of an eye, go by the keyboard, and say what comes out', async () => {
  const { user } = open({
    rx: { ...signed, od: { ...signed.od, sphere: -8000 }, os: { ...signed.os, sphere: -2000, cylinder: -1000, axis: 90 } },
  })
  ;(await screen.findByRole('button', { name: 'Calculators' })).focus()
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog'))
  const resultOf = (name: RegExp) => within(dialog.getByRole('region', { name })).getByRole('status').textContent
  const distance = dialog.getByLabelText('Distance, mm')
  await user.clear(distance)
  await user.type(distance, '12')
  expect(resultOf(/^Vertex/)).toBe('-7.30 D, nearest 0.25 -7.25')
  await user.clear(dialog.getByLabelText('Sphere or power'))
  await user.type(dialog.getByLabelText('Sphere or power'), '-4')
  expect(resultOf(/^Prism/)).toBe('Enter numbers to see the result')
  await user.type(dialog.getByLabelText('Decentration, mm'), '5')
  expect(resultOf(/^Prism/)).toBe('2.00 prism diopters, base out')
  await user.click(dialog.getByRole('radio', { name: 'OS, left' }))
  expect(resultOf(/^Spherical/)).toBe('-2.50 D')
  await user.clear(dialog.getByLabelText('Distance, mm'))
  await user.type(dialog.getByLabelText('Distance, mm'), '12x')
  expect(dialog.getByText('must be a number')).toBeTruthy()
  expect(resultOf(/^Vertex/)).toBe('Enter numbers to see the result')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

const paper = { id_file: '0190a000-0000-7000-8000-0000000000f1', filename: 'Paper.pdf' }
const filed = { ...paper, id_patient: abigail.id, file_path: 'x', mime: 'application/pdf', size: 9, category: 'outside Rx', note: '' }

test('the scan of an outside prescription is chosen from the files, opened from there, and unlinked', async () => {
  const outside = { ...signed, is_outside_rx: true, provider_name: 'Dr. Elsewhere' }
  const files = [{ ...filed, has_thumbnail: false, uploaded_by: 'Iris', uploaded_at: '2026-11-20T10:00:00.000Z' }]
  const { user } = open({ rx: outside, files, home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] } })
  const section = within(await screen.findByRole('region', { name: 'Scan of the paper Rx' }))
  await user.click(section.getByRole('button', { name: 'Choose from the files' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.selectOptions(await dialog.findByLabelText('File'), paper.id_file)
  await user.click(dialog.getByRole('button', { name: 'Link' }))
  expect(await section.findByRole('link', { name: 'Open Paper.pdf' })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await user.click(section.getByRole('button', { name: 'Unlink' }))
  expect(await section.findByText('No scan of this outside Rx is attached.')).toBeTruthy()
})

test('a scan is uploaded to the patient’s files by the three calls and linked; what is no document is not sent', async () => {
  const { user, server, calls } = open({
    rx: { ...signed, is_outside_rx: true },
    home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] },
  })
  const input = await screen.findByLabelText('Scan to upload')
  await user.upload(input, new File(['hello'], 'words.pdf', { type: 'application/pdf' }))
  expect((await screen.findByRole('alert')).textContent).toContain('NOT UPLOADED. Unsupported file type')
  expect(calls.filter(({ path }) => path === '/upload/')).toEqual([])
  await user.upload(input, new File(['%PDF-1.7 paper'], 'Paper.pdf', { type: 'application/pdf' }))
  expect(await screen.findByRole('link', { name: 'Open Paper.pdf' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
  const attached = calls.find(({ path, request }) => path === '/api/patient/file' && 'body' in (request as object))
  const id_file = server.rx.scan?.id_file
  expect(attached?.request).toMatchObject({ body: { id_file, id_patient: abigail.id, category: 'outside Rx', filename: 'Paper.pdf' } })
})

test('no scan is asked of one of our own, and none is shown to who may not read files', async () => {
  open({ rx: signed, home: { ...home, permissions: [...home.permissions, 'file.read', 'file.write'] } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('region', { name: 'Scan of the paper Rx' })).toBeNull()
  cleanup()
  open({ rx: { ...signed, is_outside_rx: true, scan: paper } })
  await screen.findByRole('heading', { name: 'Active' })
  expect(screen.queryByRole('region', { name: 'Scan of the paper Rx' })).toBeNull()
})

test('a base curve is named in the number’s place or chosen, and a private label says what it is', async () => {
  const { user, server } = open({ rx: v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20' }) })
  await powers()
  const [right, left] = screen.getAllByLabelText<HTMLInputElement>('Base curve, mm')
  await user.type(right!, 'Flat')
  expect([right!.value, screen.getAllByLabelText<HTMLSelectElement>('Base curve, named')[0]!.value]).toEqual(['', 'flat'])
  await user.type(left!, '8.6')
  await user.selectOptions(screen.getAllByLabelText('Base curve, named')[1]!, 'Steep')
  await user.type(screen.getAllByLabelText('Private label of')[0]!, 'Clear Water')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: {
      od: { base_curve: null, base_curve_designation: 'flat', equivalent_brand: 'Clear Water' },
      os: { base_curve: 8600, base_curve_designation: 'steep' },
    },
  })
})

const lensesOf = (more: object) =>
  v.parse(prescription, { ...draft, rx_kind: 'contact_lens', expiry_date: '2027-11-20', provider_name: null, ...more })

test('contact lenses are asked for what is theirs, and glasses for theirs', async () => {
  open({ rx: lensesOf({}) })
  await powers()
  for (const label of ['Lens type', 'Use', 'Balance lens', 'Distance PD (binocular), mm', 'Pantoscopic tilt, degrees', 'Wrap, degrees']) {
    expect(screen.queryByLabelText(label)).toBeNull()
  }
  expect(screen.getByLabelText('Exam date')).toBeTruthy()
  cleanup()
  open()
  await powers()
  expect(screen.getByLabelText('Balance lens')).toBeTruthy()
  expect(screen.queryByRole('checkbox', { name: 'No lens for this eye' })).toBeNull()
})

test('a contact lens draft of a former version that holds what is of glasses is saved without it', async () => {
  const { user, server } = open({ rx: lensesOf({ rx_type: 'progressive', balance_lens_eye: 'os', od: { sphere: -1000, power: -2000 } }) })
  await powers()
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: { rx_type: 'single_vision', balance_lens_eye: 'none', od: { sphere: null, power: -2000 } },
  })
})

test('an eye that wears no contact lens asks for nothing, and takes back what was typed when it wears one after all', async () => {
  const { user, server } = open({ rx: lensesOf({ os: { power: -1500, brand: 'Aqua' } }) })
  const none = (await powers()).getAllByRole('checkbox', { name: 'No lens for this eye' })[1]!
  await user.click(none)
  expect((await powers()).getAllByLabelText('Power')).toHaveLength(1)
  expect(screen.getAllByLabelText('Brand')).toHaveLength(1)
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(screen.getByText(/^Some fields are missing or incorrect: /)).toBeTruthy()
  expect(screen.queryByText('This eye has values')).toBeNull()
  await user.click(none)
  expect((await powers()).getAllByLabelText<HTMLInputElement>('Power')[1]?.value).toBe('-1.50')
  await user.click(none)
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { os: { no_lens: true, power: null, brand: null } } })
  await waitFor(() => expect(document.querySelector('.printed-list')?.textContent).toContain('OS, left, no lens'))
})

test('the list and a signed one say that an eye wears no lens', async () => {
  const rx = { ...lensesOf({ od: { power: -2000 }, os: { no_lens: true } }), status: 'active' as const, signed_by: 'Iris' }
  open({ rx: { ...rx, signature: { kind: 'typed', name: 'Iris' } } })
  expect((await powers()).getByRole('columnheader', { name: 'OS, left, no lens' })).toBeTruthy()
  cleanup()
  open({ list: true, rx })
  expect(await screen.findByText('OS No lens')).toBeTruthy()
})

const oasys: LensBrand = {
  brand: 'Oasys',
  manufacturer: 'Vistakon',
  material: 'senofilcon A',
  times: 9,
  fits: [
    { base_curve: 8400, base_curve_designation: null, diameter: 14_000, times: 6 },
    { base_curve: 8800, base_curve_designation: null, diameter: 14_000, times: 3 },
  ],
}

test('a lens that the chain has prescribed is chosen in its curve, and fills what belongs to it', async () => {
  const { user, server, calls } = open({ rx: lensesOf({ od: { power: -2000, base_curve_designation: 'flat' } }) })
  server.brands = [oasys]
  await powers()
  await user.type(screen.getAllByRole('combobox', { name: 'Brand' })[0]!, 'oas')
  await user.click(await screen.findByRole('option', { name: /^Oasys.*BC 8.80 · dia. 14.0$/ }))
  const value = (label: string) => screen.getAllByLabelText<HTMLInputElement>(label)[0]!.value
  expect(['Brand', 'Manufacturer', 'Material', 'Base curve, mm', 'Diameter, mm'].map(value)).toEqual([
    'Oasys',
    'Vistakon',
    'senofilcon A',
    '8.80',
    '14.0',
  ])
  const asked = calls.filter(({ path }) => path.endsWith('/lens-brands')).map(({ request }) => request)
  expect(asked.at(-1)).toMatchObject({ query: { query: 'oas' } })
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({
    rx: { od: { brand: 'Oasys', base_curve: 8800, base_curve_designation: null, diameter: 14_000, power: -2000 }, os: { brand: null } },
  })
})

test('any other brand is typed: going on by Tab or Enter takes nothing from the list, and no list is needed', async () => {
  const { user, server } = open({ rx: lensesOf({}) })
  server.brands = [oasys]
  await powers()
  const [right, left] = screen.getAllByRole<HTMLInputElement>('combobox', { name: 'Brand' })
  await user.click(right!)
  await screen.findByRole('option', { name: /BC 8.40/ })
  await user.tab()
  expect(right!.value).toBe('')
  await user.type(right!, 'oa')
  await screen.findByRole('option', { name: /BC 8.40/ })
  await user.tab()
  expect([right!.value, screen.getAllByLabelText<HTMLInputElement>('Manufacturer')[0]!.value]).toEqual(['oa', ''])
  server.brands = null
  await user.type(left!, 'Own make')
  expect(await screen.findByText('Couldn’t load the lens list. Type the brand.')).toBeTruthy()
  await user.keyboard('{Enter}')
  await user.click(screen.getByRole('button', { name: 'Save draft' }))
  await waitFor(() => expect(server.sent).toHaveLength(1))
  expect(server.sent[0]?.body).toMatchObject({ rx: { od: { brand: 'oa', base_curve: null }, os: { brand: 'Own make' } } })
})

test('a prescription of our own tells the numbers of its prescriber and says before signing which are not known; one from outside has its own', async () => {
  const { user } = open({ rx: { ...draft, od: { ...draft.od, sphere: 0 }, os: { ...draft.os, sphere: 0 } } })
  await powers()
  const missing = /^Missing for\s*: NPI\. A manager can add it in Settings, Optical\.$/
  expect(await screen.findByText('License OPT-7')).toBeTruthy()
  expect(screen.getByText(missing).textContent).toBe('Missing for Maya Okonjo: NPI. A manager can add it in Settings, Optical.')
  expect(screen.queryByLabelText('License number')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Sign' }))
  expect(within(await screen.findByRole('dialog')).getByText(missing)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(await screen.findByRole('checkbox', { name: /^From an outside provider/ }))
  expect(screen.getByLabelText('License number')).toBeTruthy()
  expect(screen.queryByText(missing)).toBeNull()
})

test('glasses that expire before the law of the store’s state wants it are told so, and can be signed all the same', async () => {
  open({ rx: { ...draft, expiry_date: '2027-11-20' }, settings: { ...usualOpticalSettings, state: 'CA' } })
  await powers()
  expect(screen.getByText(/^Expires early: The law requires at least 24 months for glasses/)).toBeTruthy()
  cleanup()
  open({ rx: draft, settings: { ...usualOpticalSettings, state: 'CA' } })
  await powers()
  expect(screen.queryByText(/^Expires early/)).toBeNull()
})
