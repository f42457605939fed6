// @vitest-environment jsdom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import type { PatientReturn, ReturnableLine } from '#contract/returns/patient-returns.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { HotDatabase } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { givePatientsKey, mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { PatientReturnScreen } from './patient-return-screen.tsx'
import { RequestReturnDialog } from './request-return-dialog.tsx'
import { PatientReturnList } from './patient-return-list.tsx'
import { ReturnsScreen } from '#src/features/receiving/vendor-returns/returns-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(() => {
  expect(unisolatedNames('Leo', 'Zuzana Petrov')).toEqual([])
  cleanup()
})

const at = '2026-11-20T10:00:00.000Z'
const id = (nth: number) => `0198c2f4-0000-7000-8000-${String(nth).padStart(12, '0')}`
const pending: PatientReturn = {
  return_id: id(1),
  number: 7,
  status: 'pending',
  store_id: 1,
  store: 'Harbour Street',
  id_invoice: id(2),
  invoice_no: 41,
  patient: { id_patient: id(3), name: 'Zuzana Petrov' },
  note: '',
  warranty: 'none',
  requested_by: 'Leo',
  requested_at: at,
  decided_by: null,
  decided_at: null,
  decision_note: '',
  lines: [
    {
      item_sale_id: id(4),
      description: 'Cove 1, Slate',
      id_inventory: 9,
      sku: 'HARB-9',
      qty: 1,
      reason: 'defect frame',
      restock: null,
      share_cents: 120_00,
    },
    {
      item_sale_id: id(5),
      description: 'Lens cleaning kit',
      id_inventory: null,
      sku: null,
      qty: 2,
      reason: 'changed mind',
      restock: null,
      share_cents: 20_00,
    },
  ],
  money: { pt_balance_cents: 0, restocking_fee_cents: 0, credit_cents: null, refund_cents: null, refund_method: null },
  version: 1,
}
const all: Permission[] = ['patient-return.read', 'patient-return.request', 'patient-return.decide', 'vendor-invoice.read', 'invoice.read']

type Given = { body?: Record<string, any>; query?: Record<string, string> }
type Own = (called: string, given: Given) => Outcome<unknown> | null
function open(
  shown: ReactNode,
  {
    permissions = all,
    own,
    start = pending,
    kept,
  }: { permissions?: Permission[]; own?: Own; start?: PatientReturn; kept?: HotDatabase } = {},
) {
  const sent: [string, unknown][] = []
  const { device, state, hot } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`
      const given = request as Given
      if (endpoint.method !== 'GET') sent.push([called, given.body ?? given.query])
      const answer = own?.(called, given)
      if (answer) return answer
      if (called === 'GET /api/invoice/patient_returns') {
        const patient_returns = given.query?.['status'] === 'denied' ? [] : [start]
        return { ok: true, value: { patient_returns, page: 1, page_size: 50, total: patient_returns.length } }
      }
      return { ok: true, value: start }
    },
  })
  state.setState({ home: { ...mayasHome, permissions } })
  Object.assign(device, { pull: () => Promise.resolve(), hot: kept ?? hot })
  render(<DeviceProvider device={device}>{shown}</DeviceProvider>)
  return { sent, hot, user: userEvent.setup({ delay: null }) }
}
const gone = vi.fn<() => void>()
const one = <PatientReturnScreen id={id(1)} onGone={gone} />
const pressIn = async (name: string) => await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name }))

test('the list shows the items, the patient and the reasons, and opens a return; a status without returns says so', async () => {
  const opened = vi.fn<(id: string) => void>()
  const { user } = open(
    <ReturnsScreen
      tab={undefined}
      onTab={() => undefined}
      patientReturns={<PatientReturnList onOpen={opened} />}
      onOpenVendor={() => undefined}
    />,
  )
  const row = (await screen.findByText('Cove 1, Slate, and 1 more line')).closest<HTMLElement>('[role=row]')!
  expect(row.textContent).toContain('#7 · Zuzana Petrov · Defective frame, Patient changed mind')
  await user.click(row)
  expect(opened).toHaveBeenCalledWith(id(1))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'denied')
  expect(await screen.findByText('No returns waiting.')).toBeTruthy()
})

test('a user without vendor returns has one list and no tabs', async () => {
  open(
    <ReturnsScreen
      tab="open"
      onTab={() => undefined}
      patientReturns={<PatientReturnList onOpen={() => undefined} />}
      onOpenVendor={() => undefined}
    />,
    {
      permissions: ['patient-return.read'],
    },
  )
  await screen.findByText('Cove 1, Slate, and 1 more line')
  expect(screen.queryByRole('tab')).toBeNull()
})

test('a manager confirms a return with a place for each frame, and sees the amounts first', async () => {
  const confirmed: PatientReturn = {
    ...pending,
    status: 'confirmed',
    version: 2,
    decided_by: 'Maya',
    decided_at: at,
    money: { pt_balance_cents: 0, restocking_fee_cents: 15_00, credit_cents: 125_00, refund_cents: 125_00, refund_method: 'store credit' },
  }
  const { sent, user } = open(one, { own: (called) => (called.startsWith('PUT') ? { ok: true, value: confirmed } : null) })
  await user.click(await screen.findByRole('button', { name: 'Confirm' }))
  const place = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'HARB-9, Cove 1, Slate' })
  expect(place.value).toBe('defective')
  expect(screen.queryByRole('combobox', { name: /Lens cleaning kit/ })).toBeNull()
  await user.selectOptions(place, 'Back to vendor')
  const fee = screen.getByRole('textbox', { name: 'Restocking fee' })
  await user.type(fee, 'ten')
  await pressIn('Confirm')
  expect(await screen.findByText('Enter an amount, like 120 or 120.50')).toBeTruthy()
  await user.clear(fee)
  await user.type(fee, '15')
  expect(screen.getByText('$125.00 comes off invoice 41. $125.00 goes back to the patient.')).toBeTruthy()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Refund to' }), 'Store credit')
  expect(screen.getByText('$125.00 comes off invoice 41. $125.00 stays on the invoice as credit.')).toBeTruthy()
  await pressIn('Confirm')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent).toEqual([
    [
      'PUT /api/patient/return/{id}/confirm',
      {
        version: 1,
        restocking_fee_cents: 15_00,
        refund_method: 'store credit',
        note: '',
        lines: [{ item_sale_id: id(4), restock: 'vendor' }],
      },
    ],
  ])
  expect(await screen.findByText('$125.00, store credit')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull()
})

test('a manager denies a return with a reason; if another user decided first, the dialog says so and keeps the typed text', async () => {
  const { sent, user } = open(one, { own: (called) => (called.startsWith('PUT') ? refused(409, 'patient-return-settled') : null) })
  await user.click(await screen.findByRole('button', { name: 'Deny' }))
  await screen.findByRole('heading', { name: 'Deny return' })
  await pressIn('Deny')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  expect(sent).toEqual([])
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'worn')
  await pressIn('Deny')
  expect(await screen.findByText('patient-return-settled.')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Reason/ }).value).toBe('worn')
})

test('a user deletes a return after a question', async () => {
  const { sent, user } = open(one, { own: (called) => (called.startsWith('DELETE') ? { ok: true, value: { ok: true } } : null) })
  await user.click(await screen.findByRole('button', { name: 'Delete' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(gone).toHaveBeenCalled())
  expect(sent).toEqual([['DELETE /api/patient/return/{id}', { version: '1' }]])
})

test('a reader and a user of another store cannot decide; a clerk sees no money and no name', async () => {
  open(one, {
    permissions: ['patient-return.read'],
    start: { ...pending, patient: null, money: null, lines: pending.lines.map((line) => ({ ...line, share_cents: null })) },
  })
  const list = await screen.findByRole('list', { name: 'Items returned' })
  expect(list.textContent).not.toContain('$')
  expect(screen.queryByText('Patient')).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  open(one, { start: { ...pending, store_id: 2 } })
  await screen.findByRole('list', { name: 'Items returned' })
  expect(screen.queryByRole('button')).toBeNull()
})

const goods: ReturnableLine[] = [
  { item_sale_id: id(4), kind: 'frame', description: 'Cove 1, Slate', sku: 'HARB-9', qty: 1, left: 1, share_cents: 120_00 },
  { item_sale_id: id(5), kind: 'accessory', description: 'Lens cleaning kit', sku: null, qty: 2, left: 2, share_cents: 20_00 },
  { item_sale_id: id(6), kind: 'lens', description: 'Single vision', sku: null, qty: 2, left: 0, share_cents: 90_00 },
]
const asked = <RequestReturnDialog invoice={{ id_invoice: id(2), invoice_no: 41 } as ListedInvoice} onClose={gone} />
const lists =
  (lines: ReturnableLine[]): Own =>
  (called) =>
    called.startsWith('GET') ? { ok: true, value: { returns: [], lines } } : null

test('a user chooses items, quantities and reasons at the invoice; saving again after a lost answer sends the same return', async () => {
  let isLost = true
  const { sent, user } = open(asked, {
    own: (called, given) => (called.startsWith('POST') && isLost ? unreachable : lists(goods)(called, given)),
  })
  const frame = await screen.findByRole('combobox', { name: 'HARB-9, Cove 1, Slate, $120.00' })
  expect(screen.queryByRole('combobox', { name: /Single vision/ })).toBeNull()
  await pressIn('Save')
  expect(await screen.findByText('Choose what was returned')).toBeTruthy()
  await user.selectOptions(frame, '1')
  await pressIn('Save')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  await user.selectOptions(screen.getByRole('combobox', { name: /Reason: Cove 1/ }), 'defect frame')
  await pressIn('Save')
  expect(await screen.findByText('NOT SAVED')).toBeTruthy()
  isLost = false
  await pressIn('Save')
  await waitFor(() => expect(sent).toHaveLength(2))
  const bodies = sent.map(([, body]) => body as { return_id: string })
  expect(bodies[0]).toEqual(bodies[1])
  expect(bodies[0]).toMatchObject({ warranty: 'none', note: '', lines: [{ item_sale_id: id(4), qty: 1, reason: 'defect frame' }] })
})

test('a started return survives a reload under the same id, and is gone once it is saved', async () => {
  const { hot, user } = open(asked, { own: lists(goods) })
  await givePatientsKey(hot, mayasHome)
  await user.selectOptions(await screen.findByRole('combobox', { name: /^HARB-9/ }), '1')
  await user.selectOptions(screen.getByRole('combobox', { name: /Reason: Cove 1/ }), 'defect frame')
  await user.type(screen.getByLabelText('Note'), 'The hinge')
  const begun = () => hot.facts.where('key').startsWith('draft ').count()
  await waitFor(async () => expect(await begun()).toBe(1))
  const returned: unknown[] = []
  for (const answer of [unreachable, null]) {
    cleanup()
    const again = open(asked, { kept: hot, own: (called, given) => (called.startsWith('POST') ? answer : lists(goods)(called, given)) })
    expect((await screen.findByLabelText<HTMLInputElement>('Note')).value).toBe('The hinge')
    await pressIn('Save')
    await waitFor(() => expect(again.sent).toHaveLength(1))
    returned.push(again.sent[0]?.[1])
  }
  expect(returned[0]).toMatchObject({ note: 'The hinge', lines: [{ item_sale_id: id(4), qty: 1, reason: 'defect frame' }] })
  expect(returned[1]).toEqual(returned[0])
  await waitFor(async () => expect(await begun()).toBe(0))
})

test('an invoice with nothing left to return says so, and so does one that cannot be read', async () => {
  open(asked, { own: lists(goods.slice(2)) })
  expect(await screen.findByText('Nothing left to return on this invoice.')).toBeTruthy()
  cleanup()
  open(asked, { own: () => unreachable })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
})
