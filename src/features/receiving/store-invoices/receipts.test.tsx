// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { ReceivedPiece, StoreInvoice, VendorInvoice, VendorInvoiceCard } from '#contract/receiving/store-invoices.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { enterIncompleteDate } from '#tests/support/enter-incomplete-date.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { ReceiptsScreen } from './receipts-screen.tsx'
import { StoreInvoiceScreen } from './store-invoice-screen.tsx'
import { VendorInvoiceScreen } from './vendor-invoice-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(() => {
  expect(unisolatedNames('Ben')).toEqual([])
  cleanup()
  toastStore.setState({ toast: null })
})

const frame = (id: number): Frame => testFrame(id, { title_product: 'Cove' })
const pieceOf = (id: number): ReceivedPiece => ({ frame: frame(id), id_model: 20, received_at: '2026-11-20T10:00:00.000Z', item_net: 4500 })
const lineOf = (qty_invoiced: number | null, qty_received: number): VendorInvoice['lines'][number] => ({
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
const draft: VendorInvoice = {
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
/** With so many pieces here. */
function withPieces(pieces: number, more: Partial<VendorInvoice> = {}): VendorInvoice {
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
function card(invoice: VendorInvoice): VendorInvoiceCard {
  const { lines, received, history, ...rest } = invoice
  void [lines, received, history]
  return rest
}
const receiptOf = (...held: VendorInvoice[]): StoreInvoice => ({
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

const all: Permission[] = ['frame.look-up', 'frame.see-cost', 'vendor-invoice.read', 'vendor-invoice.write', 'vendor-invoice.settle']
type Given = { body?: Record<string, any>; query?: Record<string, string>; params?: Record<string, string> }
type Own = (called: string, given: Given) => ReturnType<Answers> | null

function serve(start: VendorInvoice, { permissions = all, own }: { permissions?: Permission[]; own?: Own } = {}) {
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
function open(start: VendorInvoice, options: Parameters<typeof serve>[1] = {}) {
  const served = serve(start, options)
  const onGone = vi.fn()
  const Labels = ({ ids }: { ids: readonly number[] }) => <p>Labels of {ids.join(', ')}</p>
  served.show(<VendorInvoiceScreen idVendorInvoice={start.id_vendor_invoice} onFile={() => undefined} onGone={onGone} Labels={Labels} />)
  return { ...served, onGone }
}
const model = {
  id_model: 20,
  brand_name: 'Aster',
  title: 'Cove',
  title_variant: 'Slate',
  eye: 52,
  bridge: 18,
  temple: 140,
  prices: { selling_price: 12_900 },
}
const scan = (code: string) => pageScanner(normaliseCode).take(code)
const upc = '036000291452'

test('pieces are received by scanning, faster than the server answers, and the totals follow', async () => {
  const { sent } = open(draft)
  expect(await screen.findByText('0 of 2 received')).toBeTruthy()
  expect(screen.getByText('off by $90.00')).toBeTruthy()
  scan(upc)
  scan(upc)
  expect(await screen.findByText('2 of 2 received')).toBeTruthy()
  expect(screen.getByText('Matches')).toBeTruthy()
  expect(await screen.findByText('Aster Cove: HARB-000002.')).toBeTruthy()
  const ids = sent.map(([, body]) => body.receive_id)
  expect(new Set(ids).size).toBe(2)
})

const stop = () => screen.findByRole('alert', { name: 'Keep it or set it aside?' })

test.each([true, false])(
  'one more than the invoice stops the work until it is kept or set aside (with a connection: %s)',
  async (online) => {
    const user = userEvent.setup()
    const { sent, connection, device } = open(withPieces(2))
    await screen.findByText('2 of 2 received')
    connection.setState({ online })
    scan(upc)
    expect(within(await stop()).getByText('One more than the invoice: 3 of 2')).toBeTruthy()
    scan('8056597386142')
    expect(await screen.findByText(/^8056597386142 wasn’t received\. First keep the previous frame or set it aside/)).toBeTruthy()
    await user.click(within(await stop()).getByRole('button', { name: 'Set aside' }))
    expect(await screen.findByText('Aster Cove: set aside. Nothing was received.')).toBeTruthy()
    expect([sent, await device.hot.outbox.count()]).toEqual([[], 0])
    scan(upc)
    await user.click(within(await stop()).getByRole('button', { name: 'Keep and receive' }))
    expect(await screen.findByText(online ? '2 of 2 received · 1 extra' : '2 received + 1 waiting of 2')).toBeTruthy()
    expect(screen.queryByRole('alert', { name: 'Keep it or set it aside?' })).toBeNull()
    if (online) expect(sent.map(([, body]) => body.confirmed)).toEqual([true])
    else expect((await device.hot.outbox.toArray()).map(({ body }) => body['confirmed'])).toEqual([true])
  },
)

test('scans that wait count for the next one: the third of a line of two stops', async () => {
  const { connection } = open(draft)
  await screen.findByText('0 of 2 received')
  connection.setState({ online: false })
  scan(upc)
  scan(upc)
  scan(upc)
  expect(within(await stop()).getByText('One more than the invoice: 3 of 2')).toBeTruthy()
  expect(await screen.findByText('0 received + 2 waiting of 2')).toBeTruthy()
  expect(screen.getByText('0 + 2 waiting of 2')).toBeTruthy()
})

test.each([true, false])('a frame of another vendor’s brand is asked about first (with a connection: %s)', async (online) => {
  const { sent, connection, device } = open(withPieces(1))
  const foreign = { ...frame(9), brand_name: 'Plainspoke', vendor_id: 8 }
  const find = (code: string) => (code === '8056597386142' ? { by: 'upc', frames: [foreign] } : null)
  Object.assign(device.frames, { find })
  await screen.findByText('1 of 2 received')
  connection.setState({ online })
  scan('8056597386142')
  const asked = within(await stop())
  expect(asked.getByText('Not on the invoice')).toBeTruthy()
  expect(asked.getByText('Northlight doesn’t carry this brand')).toBeTruthy()
  expect(asked.getByText(/Plainspoke Cove · not received yet/)).toBeTruthy()
  expect([sent, await device.hot.outbox.count()]).toEqual([[], 0])
})

test('what only the server knows of a piece, it asks about', async () => {
  const user = userEvent.setup()
  const ask = { kind: 'refused' as const, status: 409, code: 'piece-to-confirm', message: 'x', fields: [], retryAfterS: null }
  const { sent } = open(withPieces(1), {
    own: (called, given) => {
      if (called !== 'POST vendor_invoices/{id}/receive' || given.body!['confirmed'] === true) return null
      const details = { asks: ['Not on the invoice', 'Northlight doesn’t carry this brand'], title_product: 'Plain 7' }
      return { ok: false, failure: { ...ask, details } }
    },
  })
  await screen.findByText('1 of 2 received')
  scan('036000291452')
  expect(within(await stop()).getByText(/not received yet/)).toBeTruthy()
  await user.click(within(await stop()).getByRole('button', { name: 'Keep and receive' }))
  expect(await screen.findByText('2 of 2 received')).toBeTruthy()
  expect(sent.map(([, body]) => body.confirmed)).toEqual([false, true])
})

test('what was received minutes ago is there after a reload without a connection, in the list too, and what waits is added', async () => {
  const net = { isCut: false }
  const { show, device, connection } = serve(withPieces(1), { own: () => (net.isCut ? unreachable : null) })
  const home = device.session.state.getState().home!
  await device.hot.session.put({ key: 'session', access_token: 'a', refresh_token: 'r', home, serial: 1 })
  const list = <ReceiptsScreen tab="vendors" onTab={() => undefined} onOpenVendor={() => undefined} onOpenStore={() => undefined} />
  const page = (
    <VendorInvoiceScreen idVendorInvoice={draft.id_vendor_invoice} onFile={() => undefined} onGone={() => undefined} Labels={() => null} />
  )
  show(list)
  await screen.findByText('1 of 2')
  await waitFor(async () => expect(await device.hot.facts.where('key').startsWith('kept ').count()).toBe(1))
  cleanup()
  show(page)
  await screen.findByText('1 of 2 received')
  scan(upc)
  await screen.findByText('2 of 2 received')
  await waitFor(async () => expect(JSON.stringify(await device.hot.facts.toArray()).match(/"pieces":2/g)).toHaveLength(2))
  cleanup()
  net.isCut = true
  connection.setState({ online: false })
  show(page)
  expect(await screen.findByText('2 of 2 received')).toBeTruthy()
  scan(upc)
  await userEvent.click(within(await stop()).getByRole('button', { name: 'Keep and receive' }))
  expect(await screen.findByText('2 received + 1 waiting of 2')).toBeTruthy()
  cleanup()
  show(list)
  expect(await screen.findByText('2 of 2')).toBeTruthy()
  expect(await screen.findByText('+ 1 waiting')).toBeTruthy()
})

test('a scan of yesterday that the server asks about is kept or set aside on the invoice', async () => {
  const user = userEvent.setup()
  const { connection, device } = open(withPieces(1))
  const done: unknown[] = []
  await screen.findByText('1 of 2 received')
  connection.setState({ online: false })
  scan('8056597386142')
  await screen.findByText('1 received + 1 waiting of 2')
  Object.assign(device.outbox, {
    correct: async (id: string, body: { confirmed: boolean }) => void done.push([id, body.confirmed]),
    discard: async (id: string, reason: string) => void done.push([id, reason]),
  })
  const last_error = { status: 409, code: 'piece-to-confirm', message: 'Not on the invoice.', at: '2026-11-20T11:00:00.000Z' }
  await device.hot.outbox.update('kept-1', { state: 'needs-attention', last_error })
  expect(await screen.findByText(/8056597386142: Not on the invoice/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Keep and receive' }))
  await user.click(screen.getByRole('button', { name: 'Set aside' }))
  expect(done).toEqual([
    ['kept-1', true],
    ['kept-1', 'Set aside: not on the invoice'],
  ])
})

test('a scan that the server did not answer waits on the tablet under the same id, so that it is received once', async () => {
  let isCut = true
  const { sent, server, device } = open(draft, {
    own: (called, given) => {
      if (!isCut || called !== 'POST vendor_invoices/{id}/receive') return null
      // It was done; only the answer is lost.
      isCut = false
      server.made.set(given.body!['receive_id'] as string, 1)
      server.invoice = withPieces(1)
      return unreachable
    },
  })
  await screen.findByText('0 of 2 received')
  scan(upc)
  expect(await screen.findByText('1 scan to be sent')).toBeTruthy()
  expect(await screen.findByText(/^The server didn’t answer/)).toBeTruthy()
  const receive_id = sent[0]![1].receive_id
  expect((await device.hot.outbox.toArray()).map(({ kind, lane, body }) => [kind, lane, body])).toEqual([
    [
      'vendor-invoice.receive',
      `receiving:${draft.id_vendor_invoice}`,
      { id_vendor_invoice: draft.id_vendor_invoice, receive_id, code: upc, id_model: null, learn: null, quantity: 1, confirmed: false },
    ],
  ])
  // The server has its command now, and the page asks for what became of it.
  await device.hot.outbox.clear()
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(screen.queryByText('1 scan to be sent')).toBeNull()
})

test('what neither the server nor the tablet could keep is NOT SAVED, and tried again as it was', async () => {
  const user = userEvent.setup()
  let isCut = true
  const { sent, disk } = open(draft, {
    own: (called) => (isCut && called === 'POST vendor_invoices/{id}/receive' ? unreachable : null),
  })
  await screen.findByText('0 of 2 received')
  disk.isFull = true
  scan(upc)
  expect(await screen.findByText('NOT SAVED: 1 scan')).toBeTruthy()
  expect(screen.getByText('NOT SAVED. This device is full.')).toBeTruthy()
  isCut = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('NOT SAVED: 1 scan')).toBeNull())
  expect(sent[0]![1].receive_id).toBe(sent[1]![1].receive_id)
})

test('without a connection pieces are received by scanning on; what the server refuses is told', async () => {
  const { sent, connection, device } = open(withPieces(1), {
    own: (called) =>
      called === 'GET /api/price_book/models' ? { ok: true, value: { models: [model], page: 1, page_size: 100, total: 1 } } : null,
  })
  await screen.findByText('1 of 2 received')
  connection.setState({ online: false })
  expect(await screen.findByText(/Scans are saved here/)).toBeTruthy()
  scan(upc)
  expect(await screen.findByText(/^Aster Cove: received on this tablet/)).toBeTruthy()
  scan('8056597386142')
  expect(await screen.findByText(/^No match for 8056597386142 on this tablet/)).toBeTruthy()
  scan('HARB-000001')
  expect(await screen.findByText(/^HARB-000001 is already in stock/)).toBeTruthy()
  expect(await screen.findByText('2 scans to be sent')).toBeTruthy()
  expect((await device.hot.outbox.toArray()).map(({ title }) => title)).toEqual(['Received: Aster Cove', 'Received: 8056597386142'])
  expect(screen.getByRole('button', { name: 'Finish receiving' }).hasAttribute('disabled')).toBe(true)
  expect(sent).toEqual([])
  const last_error = { status: 404, code: 'model-unknown', message: 'No model has this UPC', at: '2026-11-20T11:00:00.000Z' }
  await device.hot.outbox.update('kept-2', { state: 'needs-attention', last_error })
  expect(await screen.findByText('1 scan refused by the server')).toBeTruthy()
  expect(screen.getByText('8056597386142: No model has this UPC')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Choose the model' })).toBeNull()

  // With a connection its model is chosen: corrected, it is received as it was scanned, and its UPC is learned.
  const corrected: unknown[] = []
  const correct = (id: string, body: unknown) => {
    corrected.push([id, body])
    return device.hot.outbox.delete(id)
  }
  Object.assign(device.outbox, { correct })
  connection.setState({ online: true })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Choose the model' }))
  const picker = within(await screen.findByRole('dialog'))
  await user.type(picker.getByLabelText('Model'), 'cove')
  await user.click(await picker.findByRole('button', { name: /Aster Cove/ }))
  await waitFor(() => expect(screen.queryByText('1 scan refused by the server')).toBeNull())
  const receive_id: unknown = expect.any(String)
  expect(corrected).toEqual([
    [
      'kept-2',
      {
        id_vendor_invoice: draft.id_vendor_invoice,
        receive_id,
        code: null,
        id_model: 20,
        learn: '8056597386142',
        quantity: 1,
        confirmed: false,
      },
    ],
  ])
})

test('the tag of a known piece makes no other one, unless that is asked for', async () => {
  const user = userEvent.setup()
  const { sent } = open(draft)
  await screen.findByText('0 of 2 received')
  scan('HARB-000001')
  expect(await screen.findByText('HARB-000001 is known already')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Receive another' }))
  const sure = within(await screen.findByRole('alertdialog'))
  await user.click(sure.getByRole('button', { name: 'Receive' }))
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(sent[1]![1]).toMatchObject({ id_model: 20, quantity: 1 })
})

test('for a code that nobody knows the model is chosen', async () => {
  const user = userEvent.setup()
  const { sent } = open(draft, {
    own: (called) =>
      called === 'GET /api/price_book/models' ? { ok: true, value: { models: [model], page: 1, page_size: 100, total: 1 } } : null,
  })
  await screen.findByText('0 of 2 received')
  scan('8056597386142')
  await user.click(await screen.findByRole('button', { name: 'Choose the model' }))
  const picker = within(await screen.findByRole('dialog'))
  await user.type(picker.getByLabelText('Model'), 'cove')
  await user.click(await picker.findByRole('button', { name: /Aster Cove/ }))
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(sent.at(-1)![1]).toMatchObject({ id_model: 20, learn: '8056597386142' })
  await waitFor(() => expect(toastStore.getState().toast?.title).toContain('8056597386142 is now linked to it.'))
})

test('a piece is looked at and taken off with the words of the specification', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(2))
  await user.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await user.click(await screen.findByRole('button', { name: /HARB-000002/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(await dialog.findByText('F0000002')).toBeTruthy()
  await user.click(await dialog.findByRole('button', { name: 'Delete…' }))
  await user.click(await dialog.findByRole('button', { name: 'Delete item' }))
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(toastStore.getState().toast?.title).toBe('Item deleted successfully!')
  expect(sent).toEqual([['DELETE delete-item', { sku: 'HARB-000002', invoice_id: draft.invoice_id }]])
})

test('the labels of all its pieces are printed in one go', async () => {
  open(withPieces(2), { permissions: [...all, 'frame.label'] })
  await userEvent.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Print 2 labels' }))
  expect(await screen.findByText('Labels of 2, 1')).toBeTruthy()
})

test('a piece that was sold meanwhile stays, and that is said', async () => {
  const user = userEvent.setup()
  const titles: unknown[] = []
  const stop = toastStore.subscribe(({ toast }) => void (toast && titles.push(toast.title)))
  open(withPieces(1), { own: (called) => (called === 'DELETE delete-item' ? refused(409, 'piece-in-use') : null) })
  await user.click(await screen.findByRole('tab', { name: /Pieces/ }))
  await user.click(await screen.findByRole('button', { name: /HARB-000001/ }))
  await user.click(await screen.findByRole('button', { name: 'Delete…' }))
  await user.click(await screen.findByRole('button', { name: 'Delete item' }))
  await waitFor(() => expect(titles).toEqual(['Deleting item from the invoice...', 'Failed to delete item.']))
  stop()
})

test('an invoice is finished, posted after a question and paid', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(2))
  await user.click(await screen.findByRole('button', { name: 'Finish receiving' }))
  await user.click(await screen.findByRole('button', { name: 'Post' }))
  const sure = within(await screen.findByRole('alertdialog'))
  await user.click(sure.getByRole('button', { name: 'Post' }))
  await user.click(await screen.findByRole('button', { name: 'Paid' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.type(dialog.getByLabelText('Reference'), 'check 9')
  const day = dialog.getByLabelText<HTMLInputElement>(/^Paid on/)
  const today = day.value
  enterIncompleteDate(day)
  expect(dialog.getByText('Enter a full date')).toBeTruthy()
  expect(dialog.getByRole('button', { name: 'Paid' })).toHaveProperty('disabled', true)
  fireEvent.change(day, { target: { value: today } })
  await user.click(dialog.getByRole('button', { name: 'Paid' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(([, body]) => [body.step, body.version, body.paid_reference])).toEqual([
    ['finish', 3, undefined],
    ['post', 4, undefined],
    ['pay', 5, 'check 9'],
  ])
})

test('a discrepancy says what disagrees, and is posted with words only', async () => {
  const user = userEvent.setup()
  const { sent } = open(withPieces(1, { status: 'discrepancy' }))
  expect(await screen.findByText('1 line off · off by $45.00')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Post' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Post' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^Reason/), 'Credit comes')
  await user.click(dialog.getByRole('button', { name: 'Post' }))
  await waitFor(() => expect(sent).toEqual([['POST vendor_invoices/{id}/step', { version: 2, step: 'post', note: 'Credit comes' }]]))
})

test('of two who edit the second is told, and chooses', async () => {
  const user = userEvent.setup()
  const theirs = { ...card(draft), terms: 'Net 60', version: 4 }
  let isLate = true
  const { sent } = open(draft, {
    own: (called) => {
      if (called !== 'PUT vendor_invoices/{id}') return null
      if (!isLate) return { ok: true, value: { ...draft, terms: 'Net 90', version: 5 } }
      isLate = false
      const failure = {
        kind: 'refused' as const,
        status: 409,
        code: 'vendor-invoice-changed',
        message: 'changed',
        fields: [],
        retryAfterS: null,
      }
      return { ok: false, failure: { ...failure, details: { now: theirs } } }
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(dialog.getByLabelText<HTMLSelectElement>(/^Vendor/).value).toBe('7'))
  await user.clear(dialog.getByLabelText('Terms'))
  await user.type(dialog.getByLabelText('Terms'), 'Net 90')
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Someone else edited this too')).toBeTruthy()
  await user.click(dialog.getByRole('button', { name: 'Keep mine' }))
  await user.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent.map(([, body]) => [body.version, body.terms, body.amounts.total_cents])).toEqual([
    [1, 'Net 90', 9500],
    [4, 'Net 90', 9500],
  ])
})

test('a number that the vendor gave before is told while it is typed', async () => {
  const user = userEvent.setup()
  const onOpen = vi.fn()
  const { show, sent } = serve(draft, { own: (called) => (called === 'POST create' ? { ok: true, value: receiptOf(draft) } : null) })
  show(<ReceiptsScreen tab="vendors" onTab={() => undefined} onOpenVendor={onOpen} onOpenStore={() => undefined} />)
  await user.click(await screen.findByRole('button', { name: 'New receipt' }))
  const dialog = within(await screen.findByRole('dialog'))
  await user.click(dialog.getByRole('button', { name: 'Start receiving' }))
  expect((await dialog.findAllByText('This field is required')).length).toBe(2)
  await waitFor(() => expect(dialog.getByRole('option', { name: 'Northlight' })).toBeTruthy())
  await user.selectOptions(dialog.getByLabelText(/^Vendor/), '7')
  await user.type(dialog.getByLabelText(/^Invoice number/), 'NL-1')
  expect(await dialog.findByText('This number is already on receipt.')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^Invoice number/), '2')
  await waitFor(() => expect(dialog.queryByText('This number is already on receipt.')).toBeNull())
  await user.type(dialog.getByLabelText('Invoice total'), '95')
  await user.click(dialog.getByRole('button', { name: 'Start receiving' }))
  await waitFor(() => expect(onOpen).toHaveBeenCalledOnce())
  expect(sent[0]![1].vendor_invoice).toMatchObject({ vendor_id: 7, vendor_invoice_no: 'NL-12', amounts: { total_cents: 9500 } })
})

test('who sees no costs gets no totals and no money to enter; who may only read is offered nothing', async () => {
  const user = userEvent.setup()
  const blind = { ...withPieces(1), totals: null, lines: [{ ...lineOf(2, 1), costs: null }] }
  open(blind, { permissions: ['frame.look-up', 'vendor-invoice.read', 'vendor-invoice.write'] })
  await screen.findByText('1 of 2 received')
  expect(screen.queryByRole('region', { name: 'Totals check' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit' }))
  expect(within(await screen.findByRole('dialog')).queryByLabelText('Invoice total')).toBeNull()
  cleanup()
  open(withPieces(1), { permissions: ['frame.look-up', 'vendor-invoice.read'] })
  await screen.findByText('1 of 2 received')
  for (const name of ['Edit', 'Void', 'Finish receiving', 'Add a line']) expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByLabelText('Receive a frame')).toBeNull()
})

test('without a connection nothing but receiving is offered, and nothing at all where nothing is received', async () => {
  const { connection, sent } = open(withPieces(2, { status: 'received' }))
  await screen.findByText('2 of 2 received')
  connection.setState({ online: false })
  expect(await screen.findByText(/Receipts are available online/)).toBeTruthy()
  scan(upc)
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveProperty('disabled', true)
  expect(sent).toEqual([])
})

test('the list is narrowed, and tells what differs', async () => {
  const user = userEvent.setup()
  const asked: Record<string, string>[] = []
  const { show } = serve(withPieces(1, { status: 'discrepancy' }), {
    own: (called, given) => {
      if (called === 'GET receipt') asked.push(given.query ?? {})
      return null
    },
  })
  show(<ReceiptsScreen tab="vendors" onTab={() => undefined} onOpenVendor={() => undefined} onOpenStore={() => undefined} />)
  expect(await screen.findByText('off by $45.00 · 1 line off')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  await user.selectOptions(screen.getByLabelText('Status'), 'discrepancy')
  await user.click(screen.getByLabelText('With differences'))
  await user.type(screen.getByLabelText('Search'), 'nl-')
  await waitFor(() => expect(asked.at(-1)).toEqual({ tab: 'vendors', page: '1', status: 'discrepancy', difference: '1', search: 'nl-' }))
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-01' } })
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ from: '2026-11-01' }))
  enterIncompleteDate(screen.getByLabelText('From'))
  expect(screen.getByText('Enter a full date')).toBeTruthy()
  await waitFor(() => expect(asked.at(-1)).not.toHaveProperty('from'))
})

test('a delivery lists its vendors’ invoices, and goes after a question', async () => {
  const user = userEvent.setup()
  const onGone = vi.fn()
  const { show, sent } = serve(withPieces(2), {
    own: (called) => (called === 'DELETE delete/{id}' ? { ok: true, value: { ok: true } } : null),
  })
  show(<StoreInvoiceScreen invoiceId={draft.invoice_id} onOpen={() => undefined} onGone={onGone} />)
  const list = within(await screen.findByRole('list', { name: 'Vendor invoices' }))
  expect(list.getByText('NL-77')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete' }))
  const sure = within(await screen.findByRole('alertdialog'))
  expect(sure.getByText(/2 pieces leave the stock/)).toBeTruthy()
  await user.click(sure.getByRole('button', { name: 'Delete' }))
  await waitFor(() => expect(onGone).toHaveBeenCalledOnce())
  expect(sent[0]![0]).toBe('DELETE delete/{id}')
})
