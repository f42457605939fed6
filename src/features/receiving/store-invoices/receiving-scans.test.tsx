// @vitest-environment jsdom
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { toastStore } from '#src/ui/toast-store.ts'
import { closeScreens, draft, frame, model, open, scan, stop, upc, withPieces } from '#tests/support/receipt-screens.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))

afterEach(closeScreens)

test('scanning receives pieces faster than the server answers, and the totals follow', async () => {
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

test.each([true, false])(
  'one more than the invoice stops the work until the user keeps it or sets it aside (with a connection: %s)',
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

test('waiting scans count for the next one: the third of a line of two stops', async () => {
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

test.each([true, false])('a frame of another vendor’s brand is received only after a question (with a connection: %s)', async (online) => {
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

test('the server asks about a piece when the tablet does not know enough', async () => {
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

test('the tag of a known piece receives no second one, unless the user asks for it', async () => {
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

test('the user chooses the model for an unknown code', async () => {
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
