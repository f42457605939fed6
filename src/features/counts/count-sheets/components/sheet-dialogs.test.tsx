// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { countSheetEndpoints, type CountDevice, type CountLine, type CountScan } from '#contract/counts/count-sheets.ts'
import { transferEndpoints } from '#contract/stock/transfers.ts'
import { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { createFakeDevice, eastStore, type FakeDevice, frameOf, itemOf, sheetId, sheetOf } from '#tests/support/fake-count-device.ts'
import { CloseDialog } from './close-dialog.tsx'
import { ExceptionsList } from './exceptions-list.tsx'
import { CountedList } from './scan-lists.tsx'
import { NewCountDialog } from './new-count-dialog.tsx'
import { DeleteCountDialog, NotesDialog, RecountDialog } from './sheet-dialogs.tsx'

const stock = [
  ...Array.from({ length: 6 }, (_, at) => frameOf(at + 1)),
  frameOf(7, { store_id: eastStore }),
  frameOf(8, { store_id: eastStore }),
]
const opened: { close(): unknown }[] = []

afterEach(() => {
  cleanup()
  for (const thing of opened.splice(0).toReversed()) void thing.close()
})

const foreignScan: CountScan = {
  id: '01890000-0000-7000-8000-00000000f001',
  id_count_sheet: sheetId,
  raw_code: 'LG100007',
  id_inventory: 7,
  finding: 'set-aside',
  finding_detail: 'Belongs to Eastside',
  via: 'scanner',
  negates: null,
  previous_scan: null,
  walk: 1,
  captured_at: '2026-11-21T09:20:00.000Z',
  author_id: 1,
  author_name: 'Ana Reyes',
  device_id: '01890000-0000-7000-8000-0000000000aa',
  revision: 5,
}

type Server = {
  lines: CountLine[]
  devices: CountDevice[]
  /** The server's answer to closing. `asked` keeps the requests. */
  closing: { ok: true; value: unknown } | { ok: false; failure: { kind: 'refused'; code: string; status: number; message: string } }
  asked: unknown[]
}

/** Answers the calls of these dialogs. */
function answer(device: FakeDevice, server: Server): void {
  Object.assign(device, {
    call: (endpoint: Endpoint, request: { body?: unknown }) => {
      if (endpoint === countSheetEndpoints.listCountItems) return Promise.resolve({ ok: true, value: { items: server.lines } })
      if (endpoint === countSheetEndpoints.viewCountSheet)
        return Promise.resolve({ ok: true, value: { ...sheetOf(), devices: server.devices } })
      if (endpoint === countSheetEndpoints.closeCountSheet) {
        server.asked.push(request.body)
        return Promise.resolve(server.closing)
      }
      return Promise.resolve({ ok: false, failure: { kind: 'unreachable', message: 'No answer' } })
    },
  })
}

function lineOf(id: number, more: Partial<CountLine>): CountLine {
  return {
    item_id: id,
    id_scan: null,
    raw_code: null,
    sku: `LG${100_000 + id}`,
    serial: null,
    upc: null,
    brand_name: 'Ash',
    title_product: null,
    title_variant: null,
    size: null,
    expected: true,
    expected_status: 'Ready for Sale',
    outcome: 'missing',
    effect: 'missing',
    detail: null,
    counted_by: null,
    counted_at: null,
    decision: 'undecided',
    reason: '',
    price: null,
    ...more,
  }
}

async function openSheet(scans: CountScan[] = []) {
  const device = createFakeDevice({ frames: stock, role: 'manager' })
  await device.hot.sheets.put(sheetOf())
  await device.hot.items.put({ id_count_sheet: sheetId, first: 0, items: stock.slice(0, 6).map((frame) => itemOf(frame)) })
  await device.hot.scans.bulkPut(scans)
  const model = new SheetModel(device, sheetId, () => undefined)
  opened.push(device, model)
  await model.open()
  const server: Server = {
    lines: [1, 2, 3, 4, 5].map((id) => lineOf(id, {})).concat(lineOf(6, { outcome: 'counted', effect: 'none', counted_at: 'x' })),
    devices: [],
    closing: { ok: true, value: sheetOf({ phase: 'closed' }) },
    asked: [],
  }
  answer(device, server)
  return { device, model, server, user: userEvent.setup() }
}

type Opened = Awaited<ReturnType<typeof openSheet>>

function showClosing({ device, model }: Opened) {
  const onClosed = vi.fn()
  const onExceptions = vi.fn()
  render(
    <DeviceProvider device={device}>
      <CloseDialog model={model} sheet={sheetOf()} onClose={() => undefined} onClosed={onClosed} onExceptions={onExceptions} />
    </DeviceProvider>,
  )
  return { onClosed, onExceptions }
}

describe('closing a count', () => {
  test('asks a user to type the number of frames that become Missing, and sends it', async () => {
    const sheet = await openSheet()
    const { onClosed } = showClosing(sheet)
    const close = await screen.findByRole('button', { name: 'Close and mark 5 missing' })
    expect(close).toHaveProperty('disabled', true)
    await sheet.user.type(screen.getByLabelText(/^Type 5 to confirm/), '4')
    expect(screen.getByText('The number is 5')).toBeDefined()
    expect(close).toHaveProperty('disabled', true)
    await sheet.user.clear(screen.getByLabelText(/^Type 5 to confirm/))
    await sheet.user.type(screen.getByLabelText(/^Type 5 to confirm/), '5')
    await sheet.user.click(close)
    await waitFor(() => expect(onClosed).toHaveBeenCalled())
    expect(sheet.server.asked).toEqual([{ confirmed_missing: 5, override_devices: null, searched: false }])
  })

  test('its figures add up to the expected total, with the exceptions apart and the loss in money', async () => {
    const sheet = await openSheet()
    const aside = { expected: false, outcome: 'set-aside' as const }
    sheet.server.lines = [
      lineOf(1, { price: 12_000, cost: 5000 }),
      lineOf(2, { price: 8000, cost: 3000 }),
      lineOf(3, { outcome: 'counted', effect: 'none', counted_at: 'x', price: 20_000 }),
      lineOf(4, { outcome: 'explained', effect: 'explained', detail: 'Sold', price: 10_000 }),
      lineOf(5, { ...aside, effect: 'found', detail: 'Was Missing, found' }),
      lineOf(6, { ...aside, effect: 'none', detail: 'Not part of this count' }),
      lineOf(7, { ...aside, item_id: null, outcome: 'unknown', effect: 'exception' }),
    ]
    showClosing(sheet)
    const figures = within(await screen.findByRole('region', { name: 'Count totals' }))
    const said = figures.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])
    expect(said).toEqual([
      ['Expected', '4'],
      ['Counted', '=1'],
      ['To mark Missing', '+2'],
      ['Explained', '+1'],
    ])
    expect(figures.getByText('Exceptions 3').parentElement?.textContent).toBe('Exceptions 3: Found again 1, Out of scope 1, Unknown code 1')
    expect(figures.getByText('Missing').parentElement?.textContent).toContain('$200.00 at retail · 40% of expected')
  })

  test('warns when few frames were scanned', async () => {
    showClosing(await openSheet())
    expect(await screen.findByText('Only 16% scanned: 5 frames would be marked Missing')).toBeDefined()
  })

  test('waits for a tablet that may hold scans, until a manager closes without it by name', async () => {
    const sheet = await openSheet()
    sheet.server.devices = [
      { device_id: 'b', device_name: 'Back room', person_name: 'Ben Ito', open: true, unsent: 3, last_seen_at: '2026-11-21T09:29:00.000Z' },
    ]
    const { onClosed } = showClosing(sheet)
    await sheet.user.type(await screen.findByLabelText(/^Type 5 to confirm/), '5')
    const close = screen.getByRole('button', { name: 'Close and mark 5 missing' })
    expect(close).toHaveProperty('disabled', true)
    await sheet.user.click(screen.getByRole('checkbox', { name: /Close without Back room/ }))
    await sheet.user.click(close)
    await waitFor(() => expect(onClosed).toHaveBeenCalled())
    expect(sheet.server.asked).toMatchObject([{ override_devices: ['b'] }])
  })

  test('leads users to the undecided exceptions', async () => {
    const sheet = await openSheet([foreignScan])
    const { onExceptions } = showClosing(sheet)
    await sheet.user.click(await screen.findByRole('button', { name: 'Decide now' }))
    expect(onExceptions).toHaveBeenCalled()
  })

  test('says why it cannot close while the server is unreachable', async () => {
    const sheet = await openSheet()
    vi.spyOn(sheet.device, 'probe').mockResolvedValue(false)
    showClosing(sheet)
    expect(await screen.findByText('You’re offline. You can close a count only online.')).toBeDefined()
    vi.spyOn(sheet.device, 'probe').mockResolvedValue(true)
    await sheet.user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('button', { name: 'Close and mark 5 missing' })).toBeDefined()
  })

  test('shows a number that changed meanwhile, and keeps the typed one', async () => {
    const sheet = await openSheet()
    sheet.server.closing = {
      ok: false,
      failure: { kind: 'refused', code: 'count-number-wrong', status: 422, message: '4 frames would be marked missing' },
    }
    showClosing(sheet)
    const field = await screen.findByLabelText(/^Type 5 to confirm/)
    await sheet.user.type(field, '5')
    sheet.server.lines = sheet.server.lines.slice(1)
    await sheet.user.click(screen.getByRole('button', { name: 'Close and mark 5 missing' }))
    expect(await screen.findByText('4 frames would be marked missing')).toBeDefined()
    expect(await screen.findByLabelText(/^Type 4 to confirm/)).toHaveProperty('value', '5')
  })
})

describe('a new count', () => {
  test('covers the chosen scope, and says how many frames that is', async () => {
    const { device, user } = await openSheet()
    const onCreated = vi.fn()
    render(
      <DeviceProvider device={device}>
        <NewCountDialog onClose={() => undefined} onCreated={onCreated} />
      </DeviceProvider>,
    )
    const dialog = within(await screen.findByRole('dialog', { name: 'New count' }))
    await waitFor(() => expect(dialog.getByText('6')).toBeDefined())
    await user.click(dialog.getByRole('radio', { name: /Part of the store/ }))
    await user.click(dialog.getByRole('checkbox', { name: /^Birch/ }))
    expect(dialog.getByText('2', { selector: 'strong' })).toBeDefined()
    await user.type(dialog.getByLabelText('Price from'), 'cheap')
    expect(dialog.getByText('Enter an amount, like 120 or 120.50')).toBeDefined()
    expect(dialog.getByRole('button', { name: 'Create count' })).toHaveProperty('disabled', true)
    await user.clear(dialog.getByLabelText('Price from'))
    await user.click(dialog.getByRole('button', { name: 'Create count' }))
    await waitFor(() => expect(onCreated).toHaveBeenCalled())
    expect(await device.hot.outbox.toArray()).toMatchObject([{ kind: 'count.create', body: { scope: { brand_ids: [2] }, blind: false } }])
  })

  test('says NOT SAVED when it cannot be saved, and keeps the typed text', async () => {
    const { device, user } = await openSheet()
    const onCreated = vi.fn()
    render(
      <DeviceProvider device={device}>
        <NewCountDialog onClose={() => undefined} onCreated={onCreated} />
      </DeviceProvider>,
    )
    await user.type(await screen.findByLabelText('Notes'), 'Begin at the window')
    device.failNext('disk-full')
    await user.click(screen.getByRole('button', { name: 'Create count' }))
    expect(await screen.findByText('NOT SAVED')).toBeDefined()
    expect(screen.getByLabelText('Notes')).toHaveProperty('value', 'Begin at the window')
    expect(onCreated).not.toHaveBeenCalled()
  })
})

describe('deleting a count', () => {
  test('asks a user to type its name when it has scans', async () => {
    const { device, user } = await openSheet()
    const onDeleted = vi.fn()
    render(
      <DeviceProvider device={device}>
        <DeleteCountDialog sheet={sheetOf()} scans={3} onClose={() => undefined} onDeleted={onDeleted} />
      </DeviceProvider>,
    )
    const remove = await screen.findByRole('button', { name: 'Delete count #12' })
    await user.type(screen.getByLabelText('Type count #12 to confirm'), 'count #1')
    expect(remove).toHaveProperty('disabled', true)
    await user.type(screen.getByLabelText('Type count #12 to confirm'), '2')
    await user.click(remove)
    await waitFor(() => expect(onDeleted).toHaveBeenCalled())
    expect(await device.hot.outbox.toArray()).toMatchObject([{ kind: 'count.delete', body: { id_count_sheet: sheetId } }])
  })

  test('needs no typing when nothing was scanned', async () => {
    const { device, user } = await openSheet()
    const onDeleted = vi.fn()
    render(
      <DeviceProvider device={device}>
        <DeleteCountDialog sheet={sheetOf()} scans={0} onClose={() => undefined} onDeleted={onDeleted} />
      </DeviceProvider>,
    )
    await user.click(await screen.findByRole('button', { name: 'Delete count #12' }))
    await waitFor(() => expect(onDeleted).toHaveBeenCalled())
  })
})

describe('exceptions', () => {
  test('a user decides all exceptions of a kind with one decision and one reason', async () => {
    const { device, model, user } = await openSheet()
    await model.scan('LG100007')
    await model.scan('LG100008')
    await model.scan('NOBODY1')
    render(
      <DeviceProvider device={device}>
        <ExceptionsList model={model} />
      </DeviceProvider>,
    )
    await user.click(await screen.findByRole('button', { name: 'Decide all 2' }))
    await user.click(await screen.findByRole('radio', { name: /^Leave for next count/ }))
    await user.selectOptions(screen.getByLabelText('Reason (optional)'), 'Wrong store')
    await user.click(screen.getByRole('button', { name: 'Save decision' }))
    await waitFor(() => expect(model.ledger.decisions.rowOn('frame:7')).toMatchObject({ decision: 'skip', reason: 'Wrong store' }))
    expect(model.ledger.decisions.on('frame:8')).toBe('skip')
    expect(await device.hot.outbox.filter((command) => command.kind === 'count.decide').count()).toBe(2)
  })
})

describe('exceptions with one press', () => {
  async function openList(answers: { ok: boolean }) {
    const { device, model, user } = await openSheet()
    const home = device.session.state.getState().home
    if (!home) throw new Error('Nobody is signed in')
    device.session.state.setState({ home: { ...home, permissions: [...home.permissions, 'frame.transfer'] } })
    const asked: unknown[] = []
    Object.assign(device, {
      call: (endpoint: Endpoint, request: { body?: unknown }) => {
        if (endpoint === transferEndpoints.createTransfer) asked.push(request.body)
        const failure = { kind: 'refused', code: 'transfer-piece-elsewhere', status: 409, message: 'LG100007: Sold' }
        return Promise.resolve(answers.ok ? { ok: true, value: {} } : { ok: false, failure })
      },
    })
    for (const code of ['LG100007', 'LG100008', 'NOBODY1']) await model.scan(code)
    render(
      <DeviceProvider device={device}>
        <ExceptionsList model={model} />
      </DeviceProvider>,
    )
    return { model, user, asked }
  }

  test('the store of the frames is asked for all of them in one transfer', async () => {
    const { model, user, asked } = await openList({ ok: true })
    await user.click(await screen.findByRole('button', { name: 'Request transfer: all 2' }))
    const handled = { decision: 'apply', reason: 'Transfer requested' }
    await waitFor(() => expect(model.ledger.decisions.rowOn('frame:7')).toMatchObject(handled))
    await waitFor(() => expect(model.ledger.decisions.rowOn('frame:8')).toMatchObject(handled))
    expect(asked).toMatchObject([{ from_store_id: eastStore, to_store_id: sheetOf().store_id, reason: 'count correction', items: [7, 8] }])
  })

  test('all kinds are handled at once, and a refused one says why and stays undecided', async () => {
    const { model, user } = await openList({ ok: false })
    await user.click(await screen.findByRole('button', { name: 'Handle all 3' }))
    await screen.findByText('LG100007: Sold')
    const unknown = model.ledger.scans.unknown.at(0)
    await waitFor(() => expect(model.ledger.decisions.rowOn(`scan:${unknown?.id}`)).toMatchObject({ reason: 'No frame found' }))
    expect(model.ledger.decisions.on('frame:7')).toBe('undecided')
  })

  test('the same frames are asked for under the same id', async () => {
    const { user, asked } = await openList({ ok: false })
    const button = await screen.findByRole('button', { name: 'Request transfer: all 2' })
    await user.click(button)
    await screen.findByText('LG100007: Sold')
    await user.click(button)
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[0]).toEqual(asked[1])
  })
})

describe('labels that nobody can read', () => {
  const asked = (device: FakeDevice) =>
    device.hot.outbox.filter(({ kind }) => kind === 'label.request').toArray() as Promise<{ lane: string; body: unknown }[]>

  test('a frame counted by hand gets one new label when a user requests it', async () => {
    const { device, model, user } = await openSheet()
    const home = device.session.state.getState().home
    if (!home) throw new Error('Nobody is signed in')
    device.session.state.setState({ home: { ...home, permissions: [...home.permissions, 'frame.label'] } })
    await model.scan('LG100001')
    await model.scan('LG100002', 'picked')
    render(
      <DeviceProvider device={device}>
        <CountedList model={model} />
      </DeviceProvider>,
    )
    const ask = await screen.findByRole('button', { name: 'Request a new label for LG100002' })
    expect(screen.queryByRole('button', { name: 'Request a new label for LG100001' })).toBeNull()
    await waitFor(() => expect(ask.hasAttribute('disabled')).toBe(false))
    await user.click(ask)
    await waitFor(() => expect(ask.hasAttribute('disabled')).toBe(true))
    expect(await asked(device)).toMatchObject([{ lane: 'frame:2', body: { id_inventory: 2 } }])
  })

  test('the reason of a decision requests new labels for its frames', async () => {
    const { device, model, user } = await openSheet()
    await model.scan('LG100007')
    await model.scan('LG100008')
    render(
      <DeviceProvider device={device}>
        <ExceptionsList model={model} />
      </DeviceProvider>,
    )
    await user.click(await screen.findByRole('button', { name: 'Decide all 2' }))
    await user.selectOptions(await screen.findByLabelText('Reason (optional)'), 'Label unreadable')
    expect(screen.getByText('New labels will be requested.')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Save decision' }))
    await waitFor(async () => expect((await asked(device)).map(({ lane }) => lane).sort()).toEqual(['frame:7', 'frame:8']))
    expect(model.ledger.decisions.rowOn('frame:7')).toMatchObject({ decision: 'apply', reason: 'Label unreadable' })
  })
})

describe('notes and recount', () => {
  test('the dialog shows notes that a colleague changed meanwhile, and a user can keep both', async () => {
    const { device, model, user } = await openSheet()
    const dialog = (notes: string) => (
      <DeviceProvider device={device}>
        <NotesDialog model={model} sheet={sheetOf({ notes })} onClose={() => undefined} />
      </DeviceProvider>
    )
    const { rerender } = render(dialog('Window first'))
    const field = await screen.findByLabelText('Notes for this count')
    await user.clear(field)
    await user.type(field, 'Drawer last')
    rerender(dialog('Window done'))
    await user.click(await screen.findByRole('button', { name: 'Keep both' }))
    expect(field).toHaveProperty('value', 'Window done\nDrawer last')
    expect(screen.queryByText('Someone else edited these notes')).toBeNull()
  })

  test('a recount moves every counted frame back to the list To find', async () => {
    const { device, model, user } = await openSheet()
    await model.scan('LG100001')
    expect(model.ledger.countedTotal).toBe(1)
    render(
      <DeviceProvider device={device}>
        <RecountDialog model={model} sheet={sheetOf()} onClose={() => undefined} />
      </DeviceProvider>,
    )
    await user.click(await screen.findByRole('button', { name: 'Start walk 2' }))
    await waitFor(() => expect(model.ledger.countedTotal).toBe(0))
    expect(model.ledger.scans.log.length).toBe(1)
  })
})
