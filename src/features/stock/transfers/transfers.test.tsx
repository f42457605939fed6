// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { normaliseCode } from '#contract/core/codes.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Transfer, TransferLineState } from '#contract/stock/transfers.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { pageScanner } from '#src/device/page-scanner.ts'
import type { Device } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { wholeText } from '#tests/support/whole-text.ts'
import { TransferScreen } from './transfer-screen.tsx'
import { TransfersScreen } from './transfers-screen.tsx'

vi.mock('@tanstack/react-router', () => import('#tests/support/mock-router.tsx'))
afterEach(() => {
  expect(unisolatedNames('Ben')).toEqual([])
  cleanup()
  vi.unstubAllGlobals()
})

const stock = [1, 2, 3].map((id) => testFrame(id))
const lineOf = (id: number, state: TransferLineState) => ({ frame: testFrame(id), state, received_by: null, received_at: null, note: '' })
const draft: Transfer = {
  id_transfer: '0198c2f4-0000-7000-8000-000000000001',
  number: 12,
  status: 'draft',
  from_store_id: 1,
  from_store: 'Harbour Street',
  to_store_id: 2,
  to_store: 'Mill Lane',
  reason: 'rebalancing',
  note: '',
  carrier: '',
  tracking: '',
  discrepancy: '',
  created_by: 'Ben',
  created_at: '2026-11-20T10:00:00.000Z',
  sent_by: null,
  sent_at: null,
  closed_at: null,
  pieces: 0,
  arrived: 0,
  version: 1,
  lines: [],
}
const underWay: Transfer = {
  ...draft,
  status: 'sent',
  from_store_id: 2,
  from_store: 'Mill Lane',
  to_store_id: 1,
  to_store: 'Harbour Street',
  sent_by: 'Ben',
  sent_at: '2026-11-20T11:00:00.000Z',
  pieces: 2,
  lines: [lineOf(1, 'in transit'), lineOf(2, 'in transit')],
}

type Given = { body?: Record<string, any>; query?: Record<string, string> }
function open(
  start: Transfer,
  options: { permissions?: Permission[]; own?: (called: string, given: Given) => ReturnType<Answers> | null } = {},
) {
  const server = { transfer: start }
  const sent: [string, unknown][] = []
  const { device, state } = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`.replace('/api/transfer', '').replace('{id_transfer}', 'id')
      const given = request as Given
      if (endpoint.method !== 'GET') sent.push([called, given.body])
      const own = options.own?.(called, given)
      if (own) return own
      if (called === 'GET /id') return { ok: true, value: server.transfer }
      if (called === 'GET ') return { ok: true, value: { transfers: [server.transfer], page: 1, page_size: 50, total: 1 } }
      if (called === 'PUT /id') {
        const lines = (given.body!['items'] as number[]).map((id) => lineOf(id, 'listed'))
        server.transfer = { ...server.transfer, lines, pieces: lines.length, version: server.transfer.version + 1 }
        return { ok: true, value: server.transfer }
      }
      if (called === 'POST /id/receive') {
        const [{ id_inventory, damaged }] = given.body!['pieces'] as [{ id_inventory: number; damaged: boolean }]
        const line = server.transfer.lines.find((one) => one.frame.id_inventory === id_inventory)
        const outcome = !line ? 'unexpected' : line.state === 'in transit' ? 'received' : 'here'
        const lines = server.transfer.lines.map((one) =>
          one === line && outcome === 'received' ? { ...one, state: damaged ? ('damaged' as const) : ('received' as const) } : one,
        )
        const arrived = lines.filter((one) => one.state !== 'in transit').length
        const status = arrived === lines.length ? ('received' as const) : ('partly received' as const)
        if (outcome === 'received') server.transfer = { ...server.transfer, lines, arrived, status, version: server.transfer.version + 1 }
        return { ok: true, value: { arrivals: [{ id_inventory, outcome, status: 'Ready for Sale' }], transfer: server.transfer } }
      }
      return unreachable
    },
  })
  state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['frame.look-up', 'frame.transfer'] } })
  const find = (code: string) => {
    const piece = stock.find(({ sku, serial }) => sku === code || serial === code)
    if (piece) return { by: 'sku' as const, frame: piece }
    return stock.some(({ upc }) => upc === code) ? { by: 'upc' as const, frames: stock } : null
  }
  const get = (id: number) => stock.find(({ id_inventory }) => id_inventory === id) ?? null
  Object.assign(device, { frames: { ...device.frames, find, get }, pull: () => Promise.resolve() })
  render(
    <DeviceProvider device={device}>
      <TransferScreen idTransfer={start.id_transfer} />
    </DeviceProvider>,
  )
  return { sent, server, device }
}
/** Records commands on this tablet, like the outbox. */
function keptBy(device: Device): unknown[] {
  const kept: unknown[] = []
  const record = async (kind: string, lane: string, body: Record<string, unknown>) => {
    kept.push([kind, lane, body])
    const row: unknown = {
      id: `kept-${kept.length}`,
      kind,
      lane,
      lane_seq: kept.length,
      device_id: 'here',
      store_id: 1,
      body,
      title: '',
      state: 'queued',
      last_error: null,
      author: { id_user: 2, name: 'Ben' },
      created_at: '2026-11-21T09:00:00.000Z',
    }
    await device.hot.outbox.add(row as OutboxCommand)
    return { saved: true, command: row }
  }
  const discard = async (id: string, reason: string) => {
    kept.push(['discard', id, reason])
    await device.hot.outbox.delete(id)
  }
  Object.assign(device, { outbox: { record, discard } })
  return kept
}
const scan = (code: string) => pageScanner(normaliseCode).take(code)
const lines = () => within(screen.getByRole('list', { name: 'Frames on this transfer' })).getAllByRole('listitem')

test('a draft is filled by scanning, faster than the server answers, each piece once', async () => {
  const { sent } = open(draft)
  await screen.findByText('No frames yet')
  scan('HARB-000001')
  scan('HARB-000002')
  scan('HARB-000001')
  await waitFor(() => expect(lines()).toHaveLength(2))
  expect(await screen.findByText(/HARB-000001.* is already on this transfer/)).toBeTruthy()
  expect(
    sent.map(([called, body]) => [called, (body as { items: number[]; version: number }).items, (body as { version: number }).version]),
  ).toEqual([
    ['PUT /id', [1], 1],
    ['PUT /id', [1, 2], 2],
  ])
})

test('the packing slip is printed, with a box to check for each piece', async () => {
  const printed: string[] = []
  vi.stubGlobal('print', () => {
    act(() => void window.dispatchEvent(new Event('beforeprint')))
    printed.push(document.querySelector('.paper')?.textContent ?? '')
    act(() => void window.dispatchEvent(new Event('afterprint')))
  })
  open(underWay)
  await userEvent.click(await screen.findByRole('button', { name: 'Packing slip' }))
  expect(printed).toHaveLength(1)
  expect(printed[0]).toContain('Transfer #12: Mill Lane to Harbour Street')
  expect(printed[0]).toContain('2 frames')
  expect(printed[0]).toContain('☐HARB-000001F0000001Aster Cove 1 Slate52-18-140')
  expect(document.querySelector('.paper')).toBeNull()
})

test('a UPC that fits several pieces of the store asks which one to send, and an unknown code says so', async () => {
  stock[2] = testFrame(3, { store_id: 2 })
  try {
    const { sent } = open(draft)
    await screen.findByText('No frames yet')
    scan('036000291452')
    expect(await screen.findByText(/is the UPC of a model/)).toBeTruthy()
    const pieces = within(await screen.findByRole('region', { name: 'Frames with this UPC' }))
    expect([pieces.queryByText(/HARB-000001/) !== null, pieces.queryByText(/HARB-000003/)]).toEqual([true, null])
    expect(sent).toEqual([])
    await userEvent.click(pieces.getByText(/HARB-000002/))
    expect(await screen.findByText(/HARB-000002.*: added\./)).toBeTruthy()
    expect(screen.queryByRole('region', { name: 'Frames with this UPC' })).toBeNull()
    expect(sent.map(([called, body]) => [called, (body as { items: number[] }).items])).toEqual([['PUT /id', [2]]])
    scan('LOST-9')
    expect(await screen.findByText('No match for tag or F# LOST-9.')).toBeTruthy()
  } finally {
    stock[2] = testFrame(3)
  }
})

test('a piece is received by its UPC: pieces in transit come first, and another scan drops the question', async () => {
  const { sent } = open({ ...underWay, lines: [lineOf(2, 'in transit'), lineOf(3, 'in transit')] })
  await screen.findByText(/0 of 2 received/)
  scan('036000291452')
  const pieces = within(await screen.findByRole('region', { name: 'Frames with this UPC' }))
  expect(pieces.getAllByText(/HARB-/)[0]?.textContent).toContain('HARB-000002')
  scan('HARB-000002')
  expect(await screen.findByText(/HARB-000002.*: received\./)).toBeTruthy()
  expect(screen.queryByRole('region', { name: 'Frames with this UPC' })).toBeNull()
  expect(sent).toHaveLength(1)
})

test.each([true, false])('a frame that cannot leave is refused at the scan (with a connection: %s)', async (online) => {
  const { device, sent } = open(draft)
  const kept = keptBy(device)
  await screen.findByText('No frames yet')
  act(() => device.connection.setState({ online }))
  const cases = [
    [{ status: 'Sold' as const }, /Sold — can’t be transferred/],
    [{ status: 'Missing' as const }, /Missing — can’t be transferred/],
    [{ status: 'Defective' as const }, /Defective — can go only on a transfer of defective frames/],
    [{ store_id: 2 }, /It belongs to Mill Lane and can’t be sent from here/],
  ] as const
  try {
    for (const [more, words] of cases) {
      stock[2] = { ...testFrame(3), ...more }
      scan('HARB-000003')
      expect(await screen.findByText(words)).toBeTruthy()
    }
  } finally {
    stock[2] = testFrame(3)
  }
  expect([sent, kept]).toEqual([[], []])
})

test('a frame marked Missing here, or on another unsent transfer, is refused at the scan too', async () => {
  const { device } = open(draft)
  keptBy(device)
  await screen.findByText('No frames yet')
  act(() => device.connection.setState({ online: false }))
  const change = { id_inventory: 2, action: 'state_remove' as const, note: '', seen: { status: 'Ready for Sale' as const, store_id: 1 } }
  await device.outbox.record('frame.change-state', 'frame:2', change, { title: '' })
  const other = { id_transfer: '0198c2f4-0000-7000-8000-000000000009', items: [3] }
  await device.outbox.record('transfer.send', `transfer:${other.id_transfer}`, other, { title: '' })
  scan('HARB-000002')
  expect(await screen.findByText(/Missing — can’t be transferred/)).toBeTruthy()
  scan('HARB-000003')
  expect(await screen.findByText(/It’s on another transfer waiting to send/)).toBeTruthy()
})

test('after a refusal the user removes the frame and sends again, which discards the refused work', async () => {
  const user = userEvent.setup()
  const { device, server } = open(
    { ...draft, lines: [lineOf(1, 'listed'), lineOf(2, 'listed')], pieces: 2 },
    {
      own: (called) => {
        if (called !== 'POST /id/send') return null
        server.transfer = { ...server.transfer, status: 'sent', sent_by: 'Ben', sent_at: draft.created_at, version: 9 }
        return { ok: true, value: server.transfer }
      },
    },
  )
  const kept = keptBy(device)
  await screen.findByText('2 pieces')
  await device.outbox.record(
    'transfer.send',
    `transfer:${draft.id_transfer}`,
    { id_transfer: draft.id_transfer, items: [1, 2] },
    { title: '' },
  )
  const message = 'HARB-000002: Sold — can’t be transferred'
  const last_error = { code: 'transfer-piece-elsewhere', message, status: 409, at: draft.created_at }
  await device.hot.outbox.update('kept-1', { state: 'needs-attention', last_error })
  expect(await screen.findByText('Not sent')).toBeTruthy()
  expect(screen.getByText(/HARB-000002: Sold — can’t be transferred\. Remove the frames listed from the transfer/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Remove HARB-000002' }))
  await waitFor(() => expect(lines()).toHaveLength(1))
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('In transit (ICT)')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('Not sent')).toBeNull())
  expect(kept.at(-1)).toEqual(['discard', 'kept-1', 'Sent again'])
  expect(await device.hot.outbox.count()).toBe(0)
})

test('a transfer is sent after a question; a refusal is reported, and nothing is sent', async () => {
  const user = userEvent.setup()
  open(
    { ...draft, lines: [lineOf(1, 'listed')], pieces: 1 },
    { own: (called) => (called === 'POST /id/send' ? refused(409, 'transfer-piece-elsewhere') : null) },
  )
  await user.click(await screen.findByRole('button', { name: 'Send' }))
  const sure = within(await screen.findByRole('alertdialog'))
  expect(sure.getByText('Send 1 frame to Mill Lane?')).toBeTruthy()
  await user.click(sure.getByRole('button', { name: 'Send' }))
  expect(await screen.findByText('transfer-piece-elsewhere')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(screen.getByText('NOT SAVED')).toBeTruthy()
})

test('a delivery is received by scanning, each piece once; a foreign frame is only reported', async () => {
  open(underWay)
  await screen.findByText(/0 of 2 received/)
  scan('HARB-000001')
  expect(await screen.findByText(/HARB-000001.*: received\./)).toBeTruthy()
  scan('HARB-000001')
  expect(await screen.findByText(/was already received/)).toBeTruthy()
  scan('HARB-000003')
  expect(await screen.findByText(/HARB-000003.* isn’t on this transfer/)).toBeTruthy()
  expect(screen.getByText(/1 of 2 received/)).toBeTruthy()
})

test('a damaged piece needs a description', async () => {
  const user = userEvent.setup()
  const { sent } = open(underWay)
  await user.click(await screen.findByRole('button', { name: 'HARB-000002 is damaged' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await user.click(dialog.getByRole('button', { name: 'Receive as damaged' }))
  expect(await dialog.findByText('This field is required')).toBeTruthy()
  await user.type(dialog.getByLabelText(/^What’s damaged/), 'hinge')
  await user.click(dialog.getByRole('button', { name: 'Receive as damaged' }))
  expect(await screen.findByText('Received damaged')).toBeTruthy()
  expect(sent).toEqual([['POST /id/receive', { pieces: [{ id_inventory: 2, damaged: true, note: 'hinge' }] }]])
})

test('a user who may not move frames, or is at another store, can only read it', async () => {
  open(draft, { permissions: ['frame.look-up'] })
  await screen.findByText('No frames yet')
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
  expect(screen.queryByLabelText('Add a frame')).toBeNull()
  cleanup()
  open({ ...draft, from_store_id: 2, to_store_id: 1 })
  await screen.findByText('No frames yet')
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull()
})

test('without a connection a received piece becomes one command, and shows as waiting', async () => {
  const { device, sent } = open(underWay)
  const kept = keptBy(device)
  await screen.findByText('0 of 2 received', { exact: false })
  act(() => device.connection.setState({ online: false }))
  await screen.findByText(/What you receive is saved here/)
  scan('HARB-000001')
  await screen.findByText(/HARB-000001.*received on this tablet/)
  scan('HARB-000001')
  await screen.findByText(/HARB-000001.*was already received/)
  scan('HARB-000003')
  await screen.findByText(/HARB-000003.*isn’t on this transfer/)
  await userEvent.click(screen.getByRole('button', { name: 'HARB-000002 is damaged' }))
  await userEvent.type(await screen.findByRole('textbox', { name: /^What’s damaged/ }), 'left hinge')
  await userEvent.click(screen.getByRole('button', { name: 'Receive as damaged' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await screen.findByText('Received, waiting to send')).toBeTruthy()
  expect(await screen.findByText('Damaged, waiting to send')).toBeTruthy()
  expect(await screen.findByText(/0 received \+ 2 waiting of 2/)).toBeTruthy()
  const seen = { status: 'ICT', store_id: 1 }
  expect(kept).toEqual([
    ['frame.change-state', 'frame:1', { id_inventory: 1, action: 'state_in_stock', note: '', seen }],
    ['frame.change-state', 'frame:2', { id_inventory: 2, action: 'state_defective', note: 'left hinge', seen }],
  ])
  expect(sent).toEqual([])
})

test('offline, a draft is filled, changed and sent by commands, and stays visible until the server has it', async () => {
  const id = draft.id_transfer
  const { device, sent, server } = open({ ...draft, lines: [lineOf(1, 'listed')], pieces: 1 })
  const kept = keptBy(device)
  await screen.findByText('1 piece')
  act(() => device.connection.setState({ online: false }))
  scan('HARB-000002')
  scan('HARB-000003')
  scan('HARB-000002')
  await screen.findByText(/HARB-000002.* is already on this transfer/)
  await waitFor(() => expect(screen.getAllByText('Waiting to send')).toHaveLength(2))
  await userEvent.click(screen.getByRole('button', { name: 'Remove HARB-000001' }))
  await waitFor(() => expect(lines()).toHaveLength(2))
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Send' }))
  await within(await screen.findByRole('heading', { level: 1 })).findByText('Waiting to send')
  expect(screen.queryByText('Draft')).toBeNull()
  expect(screen.queryByRole('button', { name: /Remove|Send/ })).toBeNull()
  expect(kept).toEqual([
    ['transfer.put', `transfer:${id}`, { id_transfer: id, id_inventory: 2, on: true }],
    ['transfer.put', `transfer:${id}`, { id_transfer: id, id_inventory: 3, on: true }],
    ['transfer.put', `transfer:${id}`, { id_transfer: id, id_inventory: 1, on: false }],
    ['transfer.send', `transfer:${id}`, { id_transfer: id, items: [2, 3] }],
  ])
  expect(sent).toEqual([])
  server.transfer = {
    ...draft,
    status: 'sent',
    sent_by: 'Ben',
    sent_at: draft.created_at,
    lines: [lineOf(2, 'in transit'), lineOf(3, 'in transit')],
    pieces: 2,
    version: 5,
  }
  act(() => device.connection.setState({ online: true }))
  await device.hot.outbox.clear()
  await screen.findByText(wholeText(/^0 of 2 received · sent by Ben/))
  expect(lines()).toHaveLength(2)
})

test('a piece that the server refuses is reported, and is not listed on the transfer', async () => {
  const { device } = open(draft)
  keptBy(device)
  await screen.findByText('No frames yet')
  act(() => device.connection.setState({ online: false }))
  scan('HARB-000002')
  await waitFor(() => expect(lines()).toHaveLength(1))
  const last_error = { code: 'store-foreign', message: 'HARB-000002 belongs to Mill Lane', status: 403, at: draft.created_at }
  await device.hot.outbox.update('kept-1', { state: 'needs-attention', last_error })
  expect(await screen.findByText(/HARB-000002 belongs to Mill Lane\. It’s not on the transfer\. Take it out of the box\./)).toBeTruthy()
  expect(screen.getByText('No frames yet')).toBeTruthy()
})

test('a transfer started without an answer keeps the id of the lost call, and is in the list meanwhile', async () => {
  const { device } = open(draft, { own: () => unreachable })
  const kept = keptBy(device)
  cleanup()
  const onOpen = vi.fn<(id: string) => void>()
  const list = (
    <DeviceProvider device={device}>
      <TransfersScreen tab="to-send" onTab={() => undefined} onOpen={onOpen} />
    </DeviceProvider>
  )
  render(list)
  await userEvent.click(await screen.findByRole('button', { name: 'New transfer' }))
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: /^To/ }), '2')
  await userEvent.click(screen.getByRole('button', { name: 'Start' }))
  await waitFor(() => expect(onOpen).toHaveBeenCalled())
  const id = onOpen.mock.calls[0]![0]
  expect(kept).toEqual([['transfer.begin', `transfer:${id}`, { id_transfer: id, to_store_id: 2, reason: 'rebalancing', note: '' }]])
  cleanup()
  render(list)
  await userEvent.click(await screen.findByRole('button', { name: /New transfer to Mill Lane/ }))
  expect(onOpen).toHaveBeenLastCalledWith(id)
  cleanup()
  render(
    <DeviceProvider device={device}>
      <TransferScreen idTransfer={id} />
    </DeviceProvider>,
  )
  expect(await screen.findByRole('heading', { level: 1, name: /New transfer/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Cancel transfer' })).toBeNull()
})

test('the list shows the transfers in transit, and marks overdue ones', async () => {
  const { device } = open({ ...underWay, sent_at: new Date(Date.now() - 8 * 86_400_000).toISOString() })
  cleanup()
  const onOpen = vi.fn()
  render(
    <DeviceProvider device={device}>
      <TransfersScreen tab="to-receive" onTab={() => undefined} onOpen={onOpen} />
    </DeviceProvider>,
  )
  expect(await screen.findByText(/#12 · from Mill Lane/)).toBeTruthy()
  expect(screen.getAllByText(/Overdue/).length).toBeGreaterThan(0)
})
