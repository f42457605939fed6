// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { VendorReturn, VendorReturnStepInput } from '#contract/returns/vendor-returns.ts'
import { afterStep } from '#contract/returns/vendor-return-rules.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { VendorReturnScreen } from './vendor-return-screen.tsx'
import { ReturnsScreen } from './returns-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const frame = (id: number): Frame => testFrame(id, { status: 'Defective' })
const stock = [1, 2, 3].map((id) => frame(id))
const at = '2026-11-20T10:00:00.000Z'
const draft: VendorReturn = {
  return_id: '0198c2f4-0000-7000-8000-000000000001',
  number: 12,
  status: 'draft',
  store_id: 1,
  store: 'Harbour Street',
  vendor_id: 7,
  vendor: 'Aster & Sons',
  reason: 'defective',
  note: '',
  ra_number: '',
  ra_requested_at: null,
  ra_approved_at: null,
  shipped_at: null,
  carrier: '',
  tracking: '',
  credited_at: null,
  credit_memo_no: '',
  closed_at: null,
  created_by: 'Ben',
  created_at: at,
  since: at,
  pieces: 0,
  credit: { expected_cents: 0, received_cents: null, missing_costs: 0 },
  version: 1,
  lines: [],
  timeline: [{ at, rep: 'Ben', action: 'Started', detail: '' }],
}
const withPieces = (back: VendorReturn, ids: number[]): VendorReturn => ({
  ...back,
  lines: ids.map((id) => ({ frame: frame(id), cost_cents: 5400 })),
  pieces: ids.length,
  credit: { expected_cents: 5400 * ids.length, received_cents: back.credit?.received_cents ?? null, missing_costs: 0 },
  version: back.version + 1,
})

type Given = { body?: Record<string, any>; query?: Record<string, string> }
type Options = { permissions?: Permission[]; own?: (called: string, given: Given) => ReturnType<Answers> | null }

function begin(start: VendorReturn, { permissions, own }: Options, shown: (gone: () => void, opened: (id: string) => void) => ReactNode) {
  const server = { back: start }
  const sent: [string, unknown][] = []
  const { device, state } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`.replace('/api/invoice/', '').replace('/{id}', '')
      const given = request as Given
      if (endpoint.method !== 'GET') sent.push([called, given.body])
      const answer = own?.(called, given)
      if (answer) return answer
      if (called === 'GET return_invoice') return { ok: true, value: server.back }
      if (called === 'GET return_invoices')
        return {
          ok: true,
          value: { return_invoices: [server.back], page: 1, page_size: 50, total: given.query?.['list'] === 'done' ? 0 : 1 },
        }
      if (called === 'GET /api/inventory/vendors') return { ok: true, value: { vendors: [{ id: 7, name: 'Aster & Sons' }] } }
      if (called === 'PUT return_invoice') server.back = withPieces(server.back, given.body!['items'] as number[])
      else if (called === 'POST return_invoice/step') {
        const { step, ...known } = given.body!['do'] as VendorReturnStepInput
        const status = afterStep(server.back.status, step)!
        const credit = { ...server.back.credit!, ...('credit_received_cents' in known && { received_cents: known.credit_received_cents }) }
        server.back = { ...server.back, ...known, status, credit, version: server.back.version + 1 }
      } else if (called === 'DELETE return_invoice') return { ok: true, value: { ok: true } }
      else if (called !== 'POST return_invoices') return unreachable
      return { ok: true, value: server.back }
    },
  })
  state.setState({
    home: {
      ...mayasHome,
      permissions: permissions ?? ['frame.look-up', 'vendor-invoice.read', 'vendor-invoice.write', 'vendor-invoice.settle'],
    },
  })
  const find = (code: string) => {
    const piece = stock.find(({ sku, serial }) => sku === code || serial === code)
    if (piece) return { by: 'sku' as const, frame: piece }
    return stock.some(({ upc }) => upc === code) ? { by: 'upc' as const, frames: stock } : null
  }
  Object.assign(device, { frames: { ...device.frames, find }, pull: () => Promise.resolve() })
  const onGone = vi.fn<() => void>()
  const onOpen = vi.fn<(id: string) => void>()
  render(<DeviceProvider device={device}>{shown(onGone, onOpen)}</DeviceProvider>)
  return { sent, server, onGone, onOpen }
}
const open = (start: VendorReturn, options: Options = {}) =>
  begin(start, options, (gone) => <VendorReturnScreen id={start.return_id} onGone={gone} />)
const scan = (code: string) => pageScanner(normaliseCode).take(code)
const lines = () => within(screen.getByRole('list', { name: 'Frames on this return' })).getAllByRole('listitem')
const press = async (name: string) => await userEvent.click(await screen.findByRole('button', { name }))

test.each([
  ['Sold', { status: 'Sold' as const }, /Sold — can’t be returned/],
  ['of another vendor', { vendor_id: 8 }, /Made by another vendor — can’t go on this return/],
  ['of another store', { store_id: 2 }, /It belongs to Mill Lane and can’t be returned from here/],
])('a piece that is %s is refused at the scan', async (_, more, words) => {
  Object.assign(stock[2]!, more)
  try {
    const { sent } = open(draft)
    await screen.findByText('No frames yet')
    scan('HARB-000003')
    expect(await screen.findByText(words)).toBeTruthy()
    expect(sent).toEqual([])
  } finally {
    Object.assign(stock[2]!, frame(3))
  }
})

test('a UPC that fits several pieces of the store asks which one to return', async () => {
  const { sent } = open(draft)
  await screen.findByText('No frames yet')
  scan('036000291452')
  const pieces = within(await screen.findByRole('region', { name: 'Frames with this UPC' }))
  expect(sent).toEqual([])
  await userEvent.click(pieces.getByText(/HARB-000003/))
  expect(await screen.findByText(/HARB-000003.*: added\./)).toBeTruthy()
  expect(sent.map(([called, body]) => [called, (body as { items: number[] }).items])).toEqual([['PUT return_invoice', [3]]])
})

test('a return is filled by scanning, each piece once, and a piece can be removed', async () => {
  const { sent } = open(draft)
  await screen.findByText('No frames yet')
  scan('HARB-000001')
  scan('HARB-000002')
  scan('HARB-000001')
  await waitFor(() => expect(lines()).toHaveLength(2))
  expect(await screen.findByText(/HARB-000001.* is already on this return/)).toBeTruthy()
  await press('Remove HARB-000001')
  await waitFor(() => expect(lines()).toHaveLength(1))
  expect(sent.map(([called, body]) => [called, (body as { items: number[] }).items])).toEqual([
    ['PUT return_invoice', [1]],
    ['PUT return_invoice', [1, 2]],
    ['PUT return_invoice', [2]],
  ])
  scan('nobody')
  expect(await screen.findByText('No match for tag or F# NOBODY.')).toBeTruthy()
})

test('a return goes step by step to its credit; a missing value is reported at its field, and a short credit is shown', async () => {
  const { sent, server } = open(withPieces(draft, [1, 2]))
  await press('Enter RMA number')
  await press('Save')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  expect(sent).toEqual([])
  await userEvent.type(screen.getByRole('textbox', { name: /RMA number/ }), ' RA-1 ')
  await press('Save')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('RMA approved')).toBeTruthy()
  await press('Ship')
  await userEvent.type(await screen.findByLabelText('Carrier'), 'UPS')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Ship' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await press('Enter credit')
  await userEvent.type(await screen.findByRole('textbox', { name: /Credit memo number/ }), 'CM-9')
  await userEvent.type(screen.getByRole('textbox', { name: /Amount/ }), 'ten')
  await press('Save')
  expect(await screen.findByText('Enter an amount, like 120 or 120.50')).toBeTruthy()
  await userEvent.clear(screen.getByRole('textbox', { name: /Amount/ }))
  await userEvent.type(screen.getByRole('textbox', { name: /Amount/ }), '100')
  await press('Save')
  expect(await screen.findByText('Short by $8.00')).toBeTruthy()
  expect(server.back).toMatchObject({ status: 'credited', ra_number: 'RA-1', carrier: 'UPS', credit_memo_no: 'CM-9' })
  expect(sent.at(-1)).toEqual([
    'POST return_invoice/step',
    { version: 4, do: { step: 'credit', credit_memo_no: 'CM-9', credit_received_cents: 10_000 } },
  ])
})

test('a refused step says why, and keeps the typed text', async () => {
  open(
    { ...withPieces(draft, [1, 2]), status: 'ra_approved' },
    { own: (called) => (called.startsWith('POST') ? refused(409, 'return-piece-elsewhere') : null) },
  )
  await press('Ship')
  await userEvent.type(await screen.findByLabelText('Carrier'), 'UPS')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Ship' }))
  expect(await screen.findByText('return-piece-elsewhere.')).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Carrier').value).toBe('UPS')
})

test('the packing list is printed, with a box to check for each piece', async () => {
  const printed: string[] = []
  vi.stubGlobal('print', () => {
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    printed.push(document.querySelector('.paper')?.textContent ?? '')
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
  open({ ...withPieces(draft, [1, 2]), ra_number: 'RA-1' })
  await userEvent.click(await screen.findByRole('button', { name: 'Packing list' }))
  expect(printed).toHaveLength(1)
  expect(printed[0]).toContain('Return #12: Harbour Street to Aster & Sons')
  expect(printed[0]).toContain('2 frames')
  expect(printed[0]).toContain('☐HARB-000001F0000001Aster Cove 1 Slate52-18-140')
  expect(document.querySelector('.paper')).toBeNull()
})

test('a draft is deleted after a question', async () => {
  const { sent, onGone } = open(withPieces(draft, [1]))
  await press('Delete')
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onGone).toHaveBeenCalled())
  expect(sent.map(([called]) => called)).toEqual(['DELETE return_invoice'])
})

test('another store’s return and a shipped one accept no frames; only a user who settles invoices enters a credit', async () => {
  open({ ...withPieces(draft, [1]), store_id: 2, store: 'Mill Lane' })
  await screen.findByRole('list', { name: 'Frames on this return' })
  expect(screen.queryByRole('button', { name: /RMA|Delete|Remove/ })).toBeNull()
  cleanup()
  open({ ...withPieces(draft, [1]), status: 'shipped' }, { permissions: ['vendor-invoice.read', 'vendor-invoice.write'] })
  await screen.findByRole('list', { name: 'Frames on this return' })
  expect(screen.queryByLabelText('Add a frame')).toBeNull()
  expect(screen.getAllByRole('button').map((one) => one.textContent)).toEqual(['Packing list', 'Denied by the vendor'])
})

test('the list shows vendor, number, credit and state and opens a return; an empty list says so', async () => {
  const credited = withPieces(
    { ...draft, status: 'credited', ra_number: 'RA-1', credit: { expected_cents: 0, received_cents: 12_000, missing_costs: 0 } },
    [1, 2],
  )
  const { onOpen } = begin(credited, {}, (_, opened) => (
    <ReturnsScreen tab="open" onTab={() => undefined} patientReturns={null} onOpenVendor={opened} />
  ))
  const row = (await screen.findByText('Aster & Sons')).closest<HTMLElement>('[role=row]')!
  expect(row.textContent).toContain('#12 · 2 pieces · RMA RA-1 · Defective')
  expect(row.textContent).toContain('Over by $12.00')
  await userEvent.click(row)
  expect(onOpen).toHaveBeenCalledWith(credited.return_id)
  cleanup()
  begin(draft, {}, () => <ReturnsScreen tab="done" onTab={() => undefined} patientReturns={null} onOpenVendor={() => undefined} />)
  expect(await screen.findByText('No completed returns yet.')).toBeTruthy()
})

test('a new return needs a vendor, and a retry after a lost answer makes the same one', async () => {
  let isLost = true
  const { sent, onOpen } = begin(
    draft,
    { own: (called) => (called === 'POST return_invoices' && isLost ? unreachable : null) },
    (_, opened) => <ReturnsScreen tab="open" onTab={() => undefined} patientReturns={null} onOpenVendor={opened} />,
  )
  await press('New return')
  await press('Start')
  expect(await screen.findByText('This field is required')).toBeTruthy()
  await screen.findByRole('option', { name: 'Aster & Sons' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /Vendor/ }), '7')
  await press('Start')
  expect(await screen.findByText('NOT SAVED')).toBeTruthy()
  isLost = false
  await press('Start')
  await waitFor(() => expect(onOpen).toHaveBeenCalled())
  const ids = sent.map(([, body]) => (body as { return_id: string }).return_id)
  expect([ids.length, new Set(ids).size]).toEqual([2, 1])
})
