import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, vi } from 'vitest'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { ReceivedPiece, StoreInvoice, VendorInvoice, VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { VendorInvoiceScreen } from '#src/features/receiving/store-invoices/vendor-invoice-screen.tsx'

export const frame = (id: number): Frame => testFrame(id, { title_product: 'Cove' })
const pieceOf = (id: number): ReceivedPiece => ({ frame: frame(id), id_model: 20, received_at: '2026-11-20T10:00:00.000Z', item_net: 4500 })
export const lineOf = (qty_invoiced: number | null, qty_received: number): VendorInvoice['lines'][number] => ({
  id_model: 20,
  brand_name: 'Aster',
  title_product: 'Cove',
  title_variant: 'Slate',
  size_lens_width: 52,
  size_bridge_width: 18,
  size_temple_length: 140,
  upc: '036000291452',
  selling_price: 12_900,
  qty_invoiced,
  qty_received,
  costs: { list_cost: 5000, discount_pct: 10, net_cost: 4500 },
})
const amounts = { shipping_cents: 500, tax_cents: 0, discount_cents: 0, total_cents: 9500, missing_costs: 0 }
export const draft: VendorInvoice = {
  id_vendor_invoice: '0198c2f4-0000-7000-8000-000000000001',
  invoice_id: '0198c2f4-0000-7000-8000-0000000000a1',
  number: 12,
  store_id: 1,
  store: 'Harbour Street',
  vendor_id: 7,
  vendor: 'Northlight',
  id_vendor_contact: null,
  contact: null,
  vendor_invoice_no: 'NL-77',
  invoice_date: '2026-11-18',
  received_date: null,
  po_no: '',
  terms: 'Net 30',
  due_date: null,
  note: '',
  status: 'draft',
  pieces: 0,
  invoiced: 2,
  lines_off: 1,
  extra: 0,
  missing_prices: 0,
  totals: { ...amounts, subtotal_cents: 0, computed_cents: 500, out_by_cents: -9000 },
  posted_note: '',
  paid_on: null,
  paid_reference: '',
  created_by: 'Ben',
  created_at: '2026-11-20T09:00:00.000Z',
  version: 1,
  lines: [lineOf(2, 0)],
  received: [],
  history: [{ at: '2026-11-20T09:00:00.000Z', rep: 'Ben', action: 'Entered', detail: '' }],
}
/** The draft after this many pieces were received. */
export function withPieces(pieces: number, more: Partial<VendorInvoice> = {}): VendorInvoice {
  const subtotal_cents = pieces * 4500
  const received = Array.from({ length: pieces }, (_, at) => pieceOf(pieces - at))
  return {
    ...draft,
    status: pieces === 0 ? 'draft' : 'receiving',
    pieces,
    lines: [lineOf(2, pieces)],
    lines_off: pieces === 2 ? 0 : 1,
    extra: Math.max(0, pieces - 2),
    received,
    totals: { ...amounts, subtotal_cents, computed_cents: subtotal_cents + 500, out_by_cents: subtotal_cents + 500 - 9500 },
    version: 1 + pieces,
    ...more,
  }
}
export function card(invoice: VendorInvoice): VendorInvoiceCard {
  const { lines, received, history, ...rest } = invoice
  void [lines, received, history]
  return rest
}
export const receiptOf = (...held: VendorInvoice[]): StoreInvoice => ({
  invoice_id: draft.invoice_id,
  number: 12,
  store_id: 1,
  store: 'Harbour Street',
  created_by: 'Ben',
  created_at: '2026-11-20T09:00:00.000Z',
  invoices: held.length,
  open: held.length,
  pieces: held.reduce((sum, { pieces }) => sum + pieces, 0),
  vendors: ['Northlight'],
  vendor_invoices: held.map(card),
})

export const all: Permission[] = ['frame.look-up', 'frame.see-cost', 'vendor-invoice.read', 'vendor-invoice.write', 'vendor-invoice.settle']
type Given = { body?: Record<string, any>; query?: Record<string, string>; params?: Record<string, string> }
type Own = (called: string, given: Given) => ReturnType<Answers> | null

/** A tablet whose server holds this invoice. `own` answers a call instead of the server. */
export function serve(start: VendorInvoice, { permissions = all, own }: { permissions?: Permission[]; own?: Own } = {}) {
  const server = { invoice: start, made: new Map<string, number>() }
  const sent: [string, any][] = []
  const { device, state, connection } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`.replace('/api/invoice/', '')
      const given = request as Given
      if (endpoint.method !== 'GET') sent.push([called, given.body ?? given.query])
      const special = own?.(called, given)
      if (special) return special
      switch (called) {
        case 'GET vendor_invoice/{id}':
          return { ok: true, value: server.invoice }
        case 'GET view/{id}':
          return { ok: true, value: receiptOf(server.invoice) }
        case 'GET receipt':
          return {
            ok: true,
            value: {
              vendor_invoices: [card(server.invoice)],
              store_invoices: [receiptOf(server.invoice)],
              page: 1,
              page_size: 50,
              total: 1,
            },
          }
        case 'GET vendors':
          return { ok: true, value: { vendors: [{ vendor_id: 7, name: 'Northlight', account_no: null, terms: 'Net 30' }] } }
        case 'GET vendor-contacts':
          return { ok: true, value: { contacts: [] } }
        case 'GET vendor_invoice_no':
          return { ok: true, value: { taken: given.query!['vendor_invoice_no'] === 'NL-1' ? 'This number is already on receipt' : null } }
        case 'POST vendor_invoices/{id}/receive': {
          const { receive_id, code } = given.body as { receive_id: string; code?: string }
          if (code === 'HARB-000001') {
            const failure = {
              kind: 'refused' as const,
              status: 409,
              code: 'piece-known',
              message: `${code} is known already`,
              fields: [],
              retryAfterS: null,
            }
            return { ok: false, failure: { ...failure, details: { id_model: 20, title_product: 'Cove' } } }
          }
          if (code !== undefined && code !== '036000291452') return refused(404, 'model-unknown')
          const known = server.made.get(receive_id)
          if (known === undefined) {
            server.made.set(receive_id, server.invoice.pieces + 1)
            server.invoice = withPieces(server.invoice.pieces + 1)
          }
          return { ok: true, value: { pieces: [pieceOf(server.made.get(receive_id) ?? 0)], warning: null, vendor_invoice: server.invoice } }
        }
        case 'GET view-item/{id}':
          return { ok: true, value: { item: pieceOf(Number(given.params!['id'])), vendor_invoice: card(server.invoice), stays: null } }
        case 'DELETE delete-item':
          server.invoice = withPieces(server.invoice.pieces - 1, { version: 9 })
          return { ok: true, value: server.invoice }
        case 'POST vendor_invoices/{id}/step': {
          const status = { finish: 'received', post: 'posted', pay: 'paid', void: 'void', reopen: 'receiving' }[
            given.body!['step'] as 'post'
          ]
          server.invoice = { ...server.invoice, status: status as VendorInvoice['status'], version: server.invoice.version + 1 }
          return { ok: true, value: server.invoice }
        }
        default:
          return unreachable
      }
    },
  })
  state.setState({ home: { ...mayasHome, permissions } })
  const disk = { isFull: false }
  const record = async (kind: string, lane: string, body: Record<string, unknown>, { title }: { title: string }) => {
    if (disk.isFull) return { saved: false, problem: { reason: 'disk-full', message: 'This device is full.' } }
    const lane_seq = (await device.hot.outbox.count()) + 1
    const command: unknown = {
      id: `kept-${lane_seq}`,
      kind,
      lane,
      lane_seq,
      device_id: 'here',
      body,
      title,
      author: { id_user: 1, name: 'Maya' },
      created_at: '2026-11-20T10:00:00.000Z',
      state: 'queued',
      last_error: null,
    }
    await device.hot.outbox.add(command as OutboxCommand)
    return { saved: true, command }
  }
  const find = (code: string) => (code === 'HARB-000001' ? { by: 'sku', frame: frame(1) } : null)
  Object.assign(device, { outbox: { record }, frames: { ...device.frames, find }, pull: () => Promise.resolve() })
  const show = (what: ReactNode) => render(<DeviceProvider device={device}>{what}</DeviceProvider>)
  return { sent, server, connection, show, device, disk }
}
/** Shows the screen of a vendor invoice. */
export function open(start: VendorInvoice, options: Parameters<typeof serve>[1] = {}) {
  const served = serve(start, options)
  const onGone = vi.fn()
  const Labels = ({ ids }: { ids: readonly number[] }) => <p>Labels of {ids.join(', ')}</p>
  served.show(<VendorInvoiceScreen idVendorInvoice={start.id_vendor_invoice} onFile={() => undefined} onGone={onGone} Labels={Labels} />)
  return { ...served, onGone }
}
export const model = {
  id_model: 20,
  brand_name: 'Aster',
  title: 'Cove',
  title_variant: 'Slate',
  eye: 52,
  bridge: 18,
  temple: 140,
  prices: { selling_price: 12_900 },
}
export const scan = (code: string) => pageScanner(normaliseCode).take(code)
export const upc = '036000291452'

/** The notice that stops the work until the user keeps a piece or sets it aside. */
export const stop = () => screen.findByRole('alert', { name: 'Keep it or set it aside?' })

/** Ends a test. Fails when a screen showed a name without its own writing direction. */
export function closeScreens(): void {
  expect(unisolatedNames('Ben')).toEqual([])
  cleanup()
  toastStore.setState({ toast: null })
}
