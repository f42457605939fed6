// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Contact } from '#contract/patients/messages.ts'
import { type Prescription, prescription, type RxSignature } from '#contract/rx/prescription.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { usualOpticalSettings } from '#contract/settings/settings.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { testPatient } from '#tests/support/test-patients.ts'
import { RxPage } from './rx-page.tsx'

const went: unknown[] = []
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => (to: unknown) => Promise.resolve(void went.push(to)) }))
const print = vi.fn()
beforeEach(() => {
  went.length = 0
  print.mockReset()
  vi.stubGlobal('print', print)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const abigail = testPatient(7)
const signed: Prescription = v.parse(prescription, {
  rx_kind: 'spectacle',
  exam_date: '2026-11-20',
  issue_date: '2026-11-20',
  expiry_date: '2028-11-20',
  notes_to_optician: 'Thin lenses',
  notes_internal: 'Difficult',
  od: { sphere: -2250, cylinder: -500, axis: 7 },
  os: { sphere: -2000 },
  id_rx: '0190a000-0000-7000-8000-0000000000aa',
  id_patient: abigail.id,
  status: 'active',
  signature: { kind: 'typed', name: 'Iris Lindqvist' },
  signed_by: 'Iris Lindqvist',
  signed_at: '2026-11-20T10:00:00.000Z',
  created_at: '2026-11-20T10:00:00.000Z',
  created_by: 'Iris Lindqvist',
  version: 2,
  withdrawn: null,
})
const former: Prescription = {
  ...signed,
  id_rx: '0190a000-0000-7000-8000-0000000000bb',
  status: 'superseded',
  issue_date: '2024-11-18',
  signed_at: '2024-11-18T10:00:00.000Z',
  os: { ...signed.os, sphere: -1750, prism_h: 1000, prism_h_base: 'in' },
}
const willing: Contact = {
  sms: { configured: false, consent_at: null, address: null },
  email: { configured: true, consent_at: '2026-01-01T10:00:00.000Z', address: 'abby@example.com' },
  preferred_contact: null,
  phones: [],
  first_name: 'Abby',
  clinic_name: 'Harbour Street',
  staff_name: 'Maya',
  recall_date: null,
  version: 1,
}
const home: HomeInfo = { ...mayasHome, permissions: ['patient.read', 'rx.enter', 'rx.sign', 'message.write'] }

type Options = { rx?: Prescription; list?: Prescription[]; contact?: Contact; home?: HomeInfo; hot?: HotDatabase }
function open(options: Options = {}) {
  const server = { rx: options.rx ?? signed, sendAnswers: null as Outcome<unknown> | null, copyAnswers: null as Outcome<unknown> | null }
  const sent: { what: string; body: Record<string, unknown> }[] = []
  const made = screenDevice({
    signedIn: true,
    answers: ({ path, method }, request) => {
      const { body = {} } = request as { body?: Record<string, unknown> }
      if (method !== 'GET') sent.push({ what: `${method} ${path}`, body })
      if (path === '/api/patient/{id}') return { ok: true, value: { ...abigail, ssn: null, store_name: 'Harbour Street' } }
      if (path === '/api/patient/choices') return { ok: true, value: { providers: [], locations: [] } }
      if (path === '/api/settings/optical') return { ok: true, value: usualOpticalSettings }
      if (path === '/api/patient/rx-list') return { ok: true, value: { rx_list: options.list ?? [server.rx] } }
      if (path === '/api/patient/{id}/contact') return { ok: true, value: options.contact ?? willing }
      if (path === '/api/patient/{id_patient}/send-email') return server.sendAnswers ?? { ok: true, value: {} }
      if (path === '/api/patient/rx/{id}/copies') return server.copyAnswers ?? { ok: true, value: { ok: true } }
      if (method === 'POST') return { ok: true, value: { ...server.rx, ...body, id_rx: 'the-new-one' } }
      if (method === 'PUT') {
        const signature = body['signature'] as RxSignature | undefined
        server.rx = {
          ...server.rx,
          ...(signature && { status: 'active', signature, signed_by: 'Iris', signed_at: signed.signed_at }),
          version: 9,
        }
      }
      return { ok: true, value: server.rx }
    },
  })
  made.state.setState({ home: options.home ?? home })
  if (options.hot) Object.assign(made.device, { hot: options.hot })
  render(
    <DeviceProvider device={made.device}>
      <RxPage idPatient={abigail.id} idRx={server.rx.id_rx} />
    </DeviceProvider>,
  )
  return { server, sent, hot: made.hot, user: userEvent.setup({ delay: null }) }
}
const button = (name: string) => screen.findByRole('button', { name })
const dialogOf = async () => within(await screen.findByRole('dialog'))
/** A button is disabled until the patient is loaded. */
async function pressed(user: ReturnType<typeof userEvent.setup>, name: string) {
  await waitFor(async () => expect((await button(name)) as HTMLButtonElement).toHaveProperty('disabled', false))
  await user.click(await button(name))
  return await dialogOf()
}

test('a print is recorded with its purpose before it is made', async () => {
  const { user, sent } = open()
  const dialog = await pressed(user, 'Print')
  await user.click(dialog.getByRole('radio', { name: 'For a laboratory' }))
  await user.type(dialog.getByLabelText('Details, if needed'), 'Nordlens')
  expect(print).not.toHaveBeenCalled()
  await user.click(dialog.getByRole('button', { name: 'Print' }))
  await waitFor(() => expect(print).toHaveBeenCalledTimes(1))
  expect(sent).toEqual([{ what: 'POST /api/patient/rx/{id}/copies', body: { way: 'print', reason: 'For a laboratory: Nordlens' } }])
  const paper = document.querySelector('.paper')?.textContent
  expect(paper).toContain('Thin lenses')
  expect(paper).not.toContain('Difficult')
})

test('the purpose of a copy survives a reload', async () => {
  const { user, hot } = open()
  await givePatientsKey(hot, home)
  const dialog = await pressed(user, 'Print')
  await user.type(dialog.getByLabelText('Details, if needed'), 'Nordlens')
  cleanup()
  const again = open({ hot })
  const second = await pressed(again.user, 'Print')
  expect(second.getByLabelText<HTMLInputElement>('Details, if needed').value).toBe('Nordlens')
  await again.user.click(second.getByRole('button', { name: 'Print' }))
  await waitFor(() => expect(print).toHaveBeenCalled())
  expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(0)
})

test('a copy that cannot be recorded is neither printed nor exported', async () => {
  const { user, server } = open()
  const save = vi.fn()
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: save, revokeObjectURL: () => undefined }))
  server.copyAnswers = unreachable
  for (const [name, words] of [
    ['Print', 'NOT PRINTED'],
    ['Export (FHIR)', 'NOT EXPORTED'],
  ] as const) {
    const dialog = await pressed(user, name)
    await user.click(dialog.getByRole('button', { name: /^(Print|Export)$/ }))
    expect((await dialog.findByRole('alert')).textContent).toContain(words)
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  }
  expect([print.mock.calls.length, save.mock.calls.length]).toEqual([0, 0])
})

test('the browser’s own print command is recorded too, and ours only once', async () => {
  const { user, sent } = open()
  await button('Print')
  fireEvent(window, new Event('beforeprint'))
  await waitFor(() => expect(sent.map(({ body }) => body['reason'])).toEqual(['From the browser’s menu']))
  fireEvent(window, new Event('afterprint'))
  print.mockImplementation(() => {
    fireEvent(window, new Event('beforeprint'))
    fireEvent(window, new Event('afterprint'))
  })
  const dialog = await pressed(user, 'Print')
  await user.click(dialog.getByRole('button', { name: 'Print' }))
  await waitFor(() => expect(print).toHaveBeenCalled())
  expect(sent.map(({ body }) => body['reason'])).toEqual(['From the browser’s menu', 'For the patient'])
})

test('an email shows its final text, goes out once despite a lost answer, and is in the access log', async () => {
  const { user, sent, server } = open()
  const dialog = await pressed(user, 'Email')
  const text = (await dialog.findByLabelText('Message')).textContent
  expect(text).toContain('Hello Abby')
  expect(text).toContain('Right eye (OD): -2.25 -0.50 x 007')
  expect(text).toContain('Expires: 11/20/2028')
  expect(text).not.toContain('Difficult')
  server.sendAnswers = unreachable
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('NO ANSWER')
  server.sendAnswers = null
  await waitFor(() => expect(dialog.getByRole('button', { name: 'Send' }).getAttribute('aria-busy')).not.toBe('true'))
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const [first, second, told] = sent
  expect(sent).toHaveLength(3)
  expect(first?.body).toEqual(second?.body)
  expect(second?.body).toMatchObject({ id: expect.any(String), subject: 'Your prescription from Harbour Street', message: text })
  expect(told).toEqual({ what: 'POST /api/patient/rx/{id}/copies', body: { way: 'email', reason: 'For the patient' } })
})

test('an unanswered email is sent again unchanged after a reload, so that it goes out once', async () => {
  const { user, sent, server, hot } = open()
  await givePatientsKey(hot, home)
  server.sendAnswers = unreachable
  const dialog = await pressed(user, 'Email')
  await dialog.findByLabelText('Message')
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('NO ANSWER')
  cleanup()
  const again = open({ hot, contact: { ...willing, first_name: 'Abigail' } })
  const second = await pressed(again.user, 'Email')
  expect(await second.findByText('This may not have been sent')).toBeTruthy()
  expect((await second.findByLabelText('Message')).textContent).toContain('Hello Abby')
  await again.user.click(second.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(again.sent[0]?.body).toEqual(sent[0]?.body)
  expect(await hot.facts.where('key').startsWith('draft ').count()).toBe(0)
})

test('without a service, a consent or an address, nothing is sent and the dialog says why', async () => {
  const cases: [Partial<Contact['email']>, string][] = [
    [{ configured: false }, 'Emails aren’t set up'],
    [{ consent_at: null }, 'No consent'],
    [{ address: null }, 'No email address'],
  ]
  for (const [change, words] of cases) {
    const { user } = open({ contact: { ...willing, email: { ...willing.email, ...change } } })
    const dialog = await pressed(user, 'Email')
    expect(await dialog.findByText(words)).toBeTruthy()
    expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Send' }).disabled).toBe(true)
    cleanup()
  }
})

test('a refusal of the server shows, and nothing says that the email was sent', async () => {
  const { user, server, sent } = open()
  server.sendAnswers = refused(429, 'message-too-frequent')
  const dialog = await pressed(user, 'Email')
  await dialog.findByLabelText('Message')
  await user.click(dialog.getByRole('button', { name: 'Send' }))
  expect((await dialog.findByRole('alert')).textContent).toContain('NOT SENT. message-too-frequent')
  expect(sent.map(({ what }) => what)).toEqual(['POST /api/patient/{id_patient}/send-email'])
})

test('only an active prescription is emailed, and only by users who may write to patients', async () => {
  open({ rx: { ...signed, status: 'cancelled', withdrawn: { at: signed.created_at, by: 'Iris', reason: 'x' } } })
  await button('Print')
  expect(screen.queryByRole('button', { name: 'Email' })).toBeNull()
  cleanup()
  open({ home: { ...home, permissions: ['patient.read'] } })
  await button('Print')
  for (const name of ['Email', 'Duplicate', 'Withdraw']) expect(screen.queryByRole('button', { name })).toBeNull()
})

test('a duplicate is a new draft with the same values and no dates', async () => {
  const { user, sent } = open()
  await user.click(await button('Duplicate'))
  await waitFor(() => expect(went).toHaveLength(1))
  expect(went[0]).toMatchObject({ params: { id_patient: abigail.id, id_rx: 'the-new-one' } })
  const [{ what, body } = { what: '', body: {} }] = sent
  expect(what).toBe('POST /api/patient/rx')
  expect(body).toMatchObject({
    id_patient: abigail.id,
    exam_date: null,
    issue_date: null,
    expiry_date: null,
    od: { sphere: -2250, axis: 7 },
  })
  expect(body).toMatchObject({ id_rx: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  for (const field of ['status', 'signature', 'signed_by', 'withdrawn', 'version']) expect(body).not.toHaveProperty(field)
})

test('the previous prescription is below, with the differences marked', async () => {
  open({ list: [signed, former] })
  const before = within(await screen.findByRole('region', { name: 'Previous prescription' }))
  expect(before.getByText('Previous, 11/18/2024.')).toBeTruthy()
  const marked = [...document.querySelectorAll('mark')].map((mark) => mark.textContent)
  expect(marked).toEqual(['-1.75 now -2.00', '1.00 now nothing', 'In now nothing'])
  expect(screen.getByText('Spherical equivalent: OD -2.50, OS -2.00')).toBeTruthy()
})

test('a drawing on the pad reaches the server as strokes, and shows at the signed prescription', async () => {
  const draft: Prescription = { ...signed, status: 'draft', signature: null, signed_by: null, signed_at: null }
  const { user, sent } = open({ rx: draft, list: [] })
  const dialog = await pressed(user, 'Sign')
  const pad = dialog.getByRole('img', { name: 'Sign here' })
  // jsdom has no layout: the pad is 500 by 150 at (10, 20), half its own size.
  pad.getBoundingClientRect = () => new DOMRect(10, 20, 500, 150)
  pad.setPointerCapture = () => undefined
  const at = (clientX: number, clientY: number) => ({ clientX, clientY, pointerId: 1 })
  fireEvent.pointerMove(pad, at(100, 100))
  fireEvent.pointerDown(pad, at(60, 70))
  fireEvent.pointerMove(pad, at(110, 95))
  // Too near the last point to differ, and beyond the edge.
  fireEvent.pointerMove(pad, at(110, 96))
  fireEvent.pointerMove(pad, at(900, 95))
  fireEvent.pointerUp(pad)
  fireEvent.pointerMove(pad, at(300, 100))
  fireEvent.pointerDown(pad, at(260, 120))
  fireEvent.pointerUp(pad)
  const strokes = [
    [100, 100, 100, 100, 200, 150, 1000, 150],
    [500, 200, 500, 200],
  ]
  const drawn = (where: Element) => [...where.querySelectorAll('polyline')].map((line) => line.getAttribute('points'))
  expect(drawn(pad)).toEqual(strokes.map((stroke) => stroke.join(' ')))
  expect(dialog.getByLabelText<HTMLInputElement>('Or type your full name').disabled).toBe(true)
  await user.click(dialog.getByRole('button', { name: 'Clear' }))
  expect(drawn(pad)).toEqual([])
  fireEvent.pointerDown(pad, at(60, 70))
  fireEvent.pointerMove(pad, at(110, 95))
  fireEvent.pointerUp(pad)
  await user.click(dialog.getByRole('button', { name: 'Sign' }))
  expect(await screen.findByRole('heading', { name: 'Active' })).toBeTruthy()
  const again = [[100, 100, 100, 100, 200, 150]]
  expect(sent.find(({ what }) => what.startsWith('PUT'))?.body).toMatchObject({ signature: { kind: 'drawn', strokes: again } })
  // On the page and on the paper.
  const shown = await screen.findByRole('img', { name: 'Signature' })
  expect(drawn(shown)).toEqual([again[0]!.join(' ')])
  expect(drawn(document.querySelector('.paper')!)).toEqual([again[0]!.join(' ')])
})

const lenses: Prescription = {
  ...signed,
  rx_kind: 'contact_lens',
  letterhead: {
    street_address: '12 Canal Street',
    address_line_2: null,
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12345',
    phone: '5185550120',
    fax: '5185550121',
  },
}

test('the email names the base curve and the brand of a private label', async () => {
  const od = { ...lenses.od, power: -3000, brand: 'House', equivalent_brand: 'Clear Water', base_curve_designation: 'flat' as const }
  const { user } = open({ rx: { ...lenses, od } })
  const dialog = await pressed(user, 'Email')
  expect((await dialog.findByLabelText('Message')).textContent).toContain('House, private label of Clear Water, base curve flat')
})

test('paper and email of contact lenses name the prescriber, their address and their numbers', async () => {
  const { user } = open({ rx: lenses })
  const told = ['Prescriber: Iris Lindqvist', 'Harbour Street', '12 Canal Street', 'Millbrook Falls, NY 12345']
  told.push('Phone (518) 555-0120', 'Fax (518) 555-0121')
  const dialog = await pressed(user, 'Email')
  expect((await dialog.findByLabelText('Message')).textContent).toContain(told.join('\n'))
  expect(dialog.queryByText(/US law/)).toBeNull()
  expect(document.querySelector('.paper')?.textContent).toContain(told.join('\n'))
})

test('glasses have a row for each eye, and on paper a row for each field when a sheet would cut them off', async () => {
  const powers = {
    sphere: -1000,
    cylinder: -500,
    axis: 90,
    add: 2000,
    prism_h: 1000,
    prism_h_base: 'in',
    prism_v: 500,
    prism_v_base: 'up',
  } as const
  const heads = (where: Element) => [...where.querySelectorAll('thead th')].map(({ textContent }) => textContent)
  const shown = async (od: Partial<Prescription['od']>) => {
    cleanup()
    open({ rx: { ...signed, od: { ...signed.od, ...powers, ...od } } })
    await screen.findByRole('region', { name: 'Powers' })
    return [screen.getByRole('region', { name: 'Powers' }), document.querySelector('.paper')!].map(heads)
  }
  const [page, paper] = await shown({})
  expect(page).toEqual(['Eye', ...(page ?? []).slice(1)])
  expect(paper).toEqual(page)
  const [wide, sheet] = await shown({ pd_distance_mono: 32_000 })
  expect(wide).toHaveLength((page?.length ?? 0) + 1)
  expect(sheet).toEqual(['Field', 'OD, right', 'OS, left'])
})

test('a copy first says which details are missing; an outside prescription names its own prescriber', async () => {
  const { user } = open({ rx: { ...lenses, letterhead: { ...lenses.letterhead!, fax: null } } })
  const dialog = await pressed(user, 'Print')
  expect(dialog.getByText(/Missing: fax\. A manager can add them/)).toBeTruthy()
  cleanup()
  const outside = { ...lenses, is_outside_rx: true, provider_name: 'Dr. Elsewhere', outside_provider_contact: '9 Hill Rd, 914 555 0100' }
  const other = open({ rx: outside })
  const mail = await pressed(other.user, 'Email')
  const text = (await mail.findByLabelText('Message')).textContent
  expect(text).toContain('Prescriber: Dr. Elsewhere\n9 Hill Rd, 914 555 0100')
  expect(text).not.toContain('Canal Street')
  expect(mail.queryByText(/US law/)).toBeNull()
})
