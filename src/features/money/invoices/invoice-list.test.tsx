// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { ListedInvoice } from '#contract/money/invoices.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { mayasHome, refused, screenDevice, unreachable } from '#tests/support/screen-device.ts'
import { InvoiceListTab } from './invoice-list.tsx'
import { PatientBalance } from './patient-balance.tsx'
import type { InvoiceList } from './queries.ts'
import { balanceWords, owedWords, standingOf } from './words.ts'

afterEach(cleanup)

const idPatient = '0198c2f4-0000-7000-8000-000000000007'
function invoice(nth: number, more: Partial<ListedInvoice> = {}): ListedInvoice {
  return {
    id_invoice: `0198c2f4-0000-7000-8000-${String(nth).padStart(12, '0')}`,
    invoice_no: nth,
    store_id: 1,
    store_name: 'Harbour Street',
    date: '2026-11-19',
    status: 'finalized',
    finalized: true,
    payment_status: 'partial',
    promised_date: null,
    items_count: 3,
    total_cents: 308_00,
    pt_due_cents: 58_00,
    pt_balance_cents: 0,
    ins_balance_cents: 225_00,
    balance_cents: 225_00,
    ...more,
  }
}
function listOf(invoices: ListedInvoice[], more: Partial<InvoiceList> = {}): InvoiceList {
  return {
    invoices,
    total: invoices.length,
    page: 1,
    balance: { balance_cents: 283_00, pt_balance_cents: 58_00, ins_balance_cents: 225_00 },
    drafts: { count: 0, total_cents: 0 },
    ...more,
  }
}

/** A stand-in for the dialog of the returns. It shows only the invoice's number. */
const ReturnDialog = ({ invoice: { invoice_no }, onClose }: { invoice: ListedInvoice; onClose: () => void }) => (
  <button onClick={onClose}>Returning {invoice_no}</button>
)

type Answer = (query: { id_patient: string; page: string; reason: string }) => Outcome<unknown>
function open(answer: Answer, options: { permissions?: Permission[]; page?: 'list' | 'balance'; online?: boolean } = {}) {
  const server = { answer }
  const made = screenDevice({
    signedIn: true,
    answers: (_endpoint, request) => server.answer((request as { query: Parameters<Answer>[0] }).query),
  })
  made.state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['invoice.read'] } })
  made.connection.setState({ online: options.online ?? true })
  render(
    <DeviceProvider device={made.device}>
      {options.page === 'balance' ? (
        <PatientBalance idPatient={idPatient} />
      ) : (
        <InvoiceListTab idPatient={idPatient} ReturnDialog={ReturnDialog} />
      )}
    </DeviceProvider>,
  )
  return { ...made, server, user: userEvent.setup({ delay: null }) }
}
const rowOf = async (number: number) => {
  const row = (await screen.findByRole('heading', { level: 3, name: `Invoice ${number}` })).closest('li')
  if (!row) throw new Error(`invoice ${number} stands in no row`)
  return within(row)
}

test('each invoice shows its status and its amounts, and the head shows the balance of all', async () => {
  open(() => ({
    ok: true,
    value: listOf(
      [
        invoice(12, { status: 'draft', finalized: false, payment_status: 'unpaid', items_count: 1, balance_cents: 308_00 }),
        invoice(11, { promised_date: '2026-11-27' }),
      ],
      { drafts: { count: 1, total_cents: 308_00 } },
    ),
  }))
  const row = await rowOf(11)
  expect(row.getByText('Finalized, partly paid')).toBeTruthy()
  expect(row.getByText(/Harbour Street/).textContent).toBe('11/19/2026, Harbour Street, 3 items')
  expect(row.getByText('Promised by 11/27/2026')).toBeTruthy()
  for (const [term, amount] of [
    ['Total', '$308.00'],
    ['Patient due', '$58.00'],
    ['Balance', '$225.00'],
  ]) {
    expect(row.getByText(term!).nextSibling?.textContent).toBe(amount)
  }
  expect((await rowOf(12)).getByText('Draft')).toBeTruthy()
  expect((await rowOf(12)).getByText(/1 item$/)).toBeTruthy()
  expect((await rowOf(12)).getByText('Balance').nextSibling?.textContent).toBe('Not due yet')
  const sum = within(screen.getByRole('region', { name: 'Balance' }))
  expect(sum.getByText('Owes $58.00, insurance owes $225.00')).toBeTruthy()
  expect(sum.getByText('1 draft of $308.00, not due yet')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test('a user with the permission can start a return of a finalized invoice, and the list then reloads', async () => {
  const invoices = [invoice(12, { status: 'draft', finalized: false }), invoice(11)]
  const { user, calls } = open(() => ({ ok: true, value: listOf(invoices) }), { permissions: ['invoice.read', 'patient-return.request'] })
  await user.click((await rowOf(11)).getByRole('button', { name: 'Return for invoice 11' }))
  expect((await rowOf(12)).queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Returning 11' }))
  await waitFor(() => expect(calls).toHaveLength(2))
  expect(screen.queryByText('Returning 11')).toBeNull()
})

test('a patient without invoices sees a message', async () => {
  open(() => ({ ok: true, value: listOf([]) }))
  expect(await screen.findByText('No invoices yet')).toBeTruthy()
})

test('older invoices load page by page', async () => {
  const { user, calls } = open(({ page }) => {
    const from = page === '1' ? 60 : 10
    const invoices = Array.from({ length: page === '1' ? 50 : 10 }, (_, at) => invoice(from - at))
    return { ok: true, value: listOf(invoices, { total: 60, page: Number(page) }) }
  })
  expect(await screen.findAllByRole('listitem')).toHaveLength(50)
  await user.click(screen.getByRole('button', { name: 'Show older, 10 invoices' }))
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(60))
  expect(screen.queryByRole('button')).toBeNull()
  expect(calls.map(({ request }) => (request as { query: { page: string } }).query.page)).toEqual(['1', '2'])
})

test('a refusal shows, and the user can try again', async () => {
  const { user, server } = open(() => refused(403, 'patient-of-other-store'))
  expect(await screen.findByText('Couldn’t load this')).toBeTruthy()
  server.answer = () => ({ ok: true, value: listOf([invoice(1)]) })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await rowOf(1)
})

test('without a connection the tab says so, and it loads when the connection is back', async () => {
  const { server, connection } = open(() => unreachable, { online: false })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  server.answer = () => ({ ok: true, value: listOf([invoice(1)]) })
  act(() => connection.setState({ online: true }))
  await rowOf(1)
  act(() => connection.setState({ online: false }))
  expect(await screen.findByText('This may be out of date.')).toBeTruthy()
  await rowOf(1)
})

test('a user who may not read invoices sees a message, and the server gets no request', async () => {
  const { calls } = open(() => unreachable, { permissions: ['patient.read'] })
  expect(await screen.findByText('You don’t have access to invoices')).toBeTruthy()
  expect(calls).toEqual([])
})

test('the head of the page shows the balance, and nothing until the server has answered', async () => {
  const { calls } = open(() => ({ ok: true, value: listOf([invoice(1)]) }), { page: 'balance' })
  expect(screen.queryByText('Balance')).toBeNull()
  expect((await screen.findByText('Balance')).nextSibling?.textContent).toBe('Owes $58.00, insurance owes $225.00')
  expect(calls.map(({ request }) => (request as { query: object }).query)).toEqual([
    { id_patient: idPatient, page: '1', reason: 'patient page' },
  ])
  cleanup()
  const other = open(() => ({ ok: true, value: listOf([invoice(1)]) }), { page: 'balance', permissions: ['patient.read'] })
  expect(screen.queryByText('Balance')).toBeNull()
  expect(other.calls).toEqual([])
})

test.each([
  ['finalized', 'unpaid', 1, 'Finalized, unpaid', 'warn'],
  ['finalized', 'partial', 1, 'Finalized, partly paid', 'info'],
  ['finalized', 'paid', 0, 'Finalized, paid', 'good'],
  ['finalized', 'credit', 1, 'Finalized, credit', 'aside'],
  ['draft', 'unpaid', 1, 'Draft', 'neutral'],
  ['draft', 'paid', 0, 'Draft', 'neutral'],
  ['draft', 'paid', 1, 'Draft, paid', 'good'],
  ['draft', 'partial', 1, 'Draft, partly paid', 'info'],
  ['void', 'paid', 0, 'Voided', 'neutral'],
  ['void', 'credit', 0, 'Voided, credit', 'aside'],
] as const)('%s and %s of %d cents: %s', (status, payment_status, total_cents, words, tone) => {
  expect(standingOf({ status, payment_status, total_cents })).toEqual({ words, tone })
})

test('the words for a balance', () => {
  expect([0, 58_00, -2_00].map(owedWords)).toEqual(['No balance', 'Owes $58.00', 'Credit $2.00'])
  const of = (patient: number, insurance: number) =>
    balanceWords({ balance_cents: patient + insurance, pt_balance_cents: patient, ins_balance_cents: insurance })
  expect(of(-2_00, 0)).toBe('Credit $2.00')
  expect(of(0, -3_00)).toBe('No balance, insurance overpaid $3.00')
})
