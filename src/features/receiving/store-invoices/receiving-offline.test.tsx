// @vitest-environment jsdom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { unreachable } from '#tests/support/screen-device.ts'
import { closeScreens, draft, model, open, scan, serve, stop, upc, withPieces } from '#tests/support/receipt-screens.tsx'
import { ReceiptsScreen } from './receipts-screen.tsx'
import { VendorInvoiceScreen } from './vendor-invoice-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(closeScreens)

test('without a connection scanning still receives pieces, and a later refusal of the server is shown', async () => {
  const { sent, connection, device } = open(withPieces(1), {
    own: (called) =>
      called === 'GET /api/price_book/models' ? { ok: true, value: { models: [model], page: 1, page_size: 100, total: 1 } } : null,
  })
  await screen.findByText('1 of 2 received')
  connection.setState({ online: false })
  expect(await screen.findByText(/Scans are saved here/)).toBeTruthy()
  scan(upc)
  expect(await screen.findByText(/^Aster Cove: saved\. It gets a tag when you’re back online/)).toBeTruthy()
  scan('8056597386142')
  expect(await screen.findByText(/^No match for 8056597386142 on this tablet/)).toBeTruthy()
  scan('HARB-000001')
  expect(await screen.findByText(/^HARB-000001 is already in stock/)).toBeTruthy()
  expect(await screen.findByText('2 scans to send')).toBeTruthy()
  expect((await device.hot.outbox.toArray()).map(({ title }) => title)).toEqual(['Received: Aster Cove', 'Received: 8056597386142'])
  expect(screen.getByRole('button', { name: 'Finish receiving' }).hasAttribute('disabled')).toBe(true)
  expect(sent).toEqual([])
  const last_error = { status: 404, code: 'model-unknown', message: 'No model has this UPC', at: '2026-11-20T11:00:00.000Z' }
  await device.hot.outbox.update('kept-2', { state: 'needs-attention', last_error })
  expect(await screen.findByText('1 scan refused by the server')).toBeTruthy()
  expect(screen.getByText('8056597386142: No model has this UPC')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Choose the model' })).toBeNull()

  // With a connection the user chooses the model. The corrected scan keeps its id, and its UPC is learned.
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

test('a scan without an answer waits on the tablet under the same id, so the server receives it once', async () => {
  let isCut = true
  const { sent, server, device } = open(draft, {
    own: (called, given) => {
      if (!isCut || called !== 'POST vendor_invoices/{id}/receive') return null
      // The server received it; only the answer is lost.
      isCut = false
      server.made.set(given.body!['receive_id'] as string, 1)
      server.invoice = withPieces(1)
      return unreachable
    },
  })
  await screen.findByText('0 of 2 received')
  scan(upc)
  expect(await screen.findByText('1 scan to send')).toBeTruthy()
  expect(await screen.findByText(/^The server didn’t answer/)).toBeTruthy()
  const receive_id = sent[0]![1].receive_id
  expect((await device.hot.outbox.toArray()).map(({ kind, lane, body }) => [kind, lane, body])).toEqual([
    [
      'vendor-invoice.receive',
      `receiving:${draft.id_vendor_invoice}`,
      { id_vendor_invoice: draft.id_vendor_invoice, receive_id, code: upc, id_model: null, learn: null, quantity: 1, confirmed: false },
    ],
  ])
  // The server now has the command, and the page asks for the result.
  await device.hot.outbox.clear()
  expect(await screen.findByText('1 of 2 received')).toBeTruthy()
  expect(screen.queryByText('1 scan to send')).toBeNull()
})

test('a scan that neither the server nor the tablet can keep is NOT SAVED, and Try again sends the same one', async () => {
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

test('the user keeps or sets aside, on the invoice, an older scan that the server asks about', async () => {
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

test('received pieces are back after a reload without a connection, also in the list, and waiting scans are added', async () => {
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

test('without a connection only receiving works, and nothing at all on an invoice that is already received', async () => {
  const { connection, sent } = open(withPieces(2, { status: 'received' }))
  await screen.findByText('2 of 2 received')
  connection.setState({ online: false })
  expect(await screen.findByText(/Receipts are available online/)).toBeTruthy()
  scan(upc)
  expect(screen.getByRole('button', { name: 'Edit' })).toHaveProperty('disabled', true)
  expect(sent).toEqual([])
})
