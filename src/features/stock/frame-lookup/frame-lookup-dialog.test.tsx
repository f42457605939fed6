// @vitest-environment jsdom
import 'fake-indexeddb/auto'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { normaliseCode } from '#contract/core/codes.ts'
import { allowedControls, controlActions, type ControlPreset } from '#contract/stock/control-rules.ts'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { controlFlags, type Frame, type FrameRecord, type ItemHistory } from '#contract/stock/frames.ts'
import { HotDatabase, type OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { formatMoney } from '#src/ui/format.ts'
import { FrameLookupDialog } from './frame-lookup-dialog.tsx'
import { fetchHistory } from './queries.ts'

const frame: Frame = {
  id_inventory: 12,
  sku: '100012',
  serial: 'F-900012',
  upc: null,
  status: 'Ready for Sale',
  store_id: 1,
  brand_id: 1,
  brand_name: 'Kestrel',
  vendor_id: 1,
  title_product: 'K-14',
  title_variant: 'Black',
  size_lens_width: 52,
  size_bridge_width: 18,
  size_temple_length: 140,
  pb_selling_price: 19_900,
  board_location: 'Board 3',
  last_seen_at: null,
  version: 4,
  revision: 40,
}
const record: FrameRecord = {
  ...frame,
  store: 'Riverside',
  note: null,
  notes: [],
  id_model: null,
  id_photo: null,
  item_list_cost: null,
  item_discount: null,
  item_net: null,
}
const history: ItemHistory = {
  general_info: { defective: false, store: 'Riverside', status: 'Missing', in_stock: false, receipt_add: null, patient: null },
  transaction_history: [
    {
      rep: 'Maya',
      action: 'Item is missing',
      status: 'Missing',
      store_info: { from_store: 'N/A', to_store: 'N/A' },
      stock: '0',
      date: '2026-11-21T09:00:00.000Z',
      extra: '',
    },
  ],
}

type Answer = { status: number; code: string; message: string } | { unreachable: true } | { value: unknown }
type Call = { endpoint: Endpoint; request: unknown }

let databases = 0

/** A device that gives the dialog only frames, session, connection, calls and outbox. */
function deviceWith(options: { frames?: Frame[]; online?: boolean; preset?: ControlPreset; answers: (call: Call) => Answer }) {
  const calls: Call[] = []
  const known = options.frames ?? []
  const hot = new HotDatabase(`look-up-${(databases += 1)}`)
  const device: Partial<Device> = {
    hot,
    connection: createStore(() => ({
      online: options.online ?? true,
      unsent: 0,
      needsAttention: 0,
      oldestAt: null,
      waitsForSignIn: false,
      stalled: false,
      sending: false,
      updateRequired: false,
      lastSyncedAt: null,
    })),
    frames: {
      isReady: () => true,
      ready: () => Promise.resolve(),
      size: () => known.length,
      get: (id) => known.find((one) => one.id_inventory === id) ?? null,
      find: (code) => {
        const found = known.find((one) => one.serial === normaliseCode(code) || one.sku === normaliseCode(code))
        if (found) return { by: 'serial', frame: found }
        const same = known.filter((one) => one.upc !== null && one.upc === code)
        return same.length > 0 ? { by: 'upc', frames: same } : null
      },
      search: () => [],
      endingWith: () => [],
      findSoon: () => Promise.resolve(null),
      ofStore: () => known,
      readStore: () => Promise.resolve(known),
      subscribe: () => () => undefined,
    },
  }
  const session = createStore(() => ({
    status: 1,
    ready: true,
    ended: null,
    home: {
      store_id: 1,
      permissions: ['frame.look-up', 'frame.change-state', 'frame.label'],
      locations: [{ store_id: 1, store_name: 'Riverside', short_name: 'RS', time_zone: 'UTC', is_warehouse: false }],
      store_settings: { control_preset: options.preset ?? 'practice' },
    },
  }))
  const call = (endpoint: Endpoint, request: unknown) => {
    calls.push({ endpoint, request })
    const answer = options.answers({ endpoint, request })
    if ('value' in answer) return Promise.resolve({ ok: true, value: answer.value })
    const failure =
      'unreachable' in answer
        ? { kind: 'unreachable', message: 'Can’t reach the server' }
        : { kind: 'refused', fields: [], retryAfterS: null, details: {}, ...answer }
    return Promise.resolve({ ok: false, failure })
  }
  // The dialog uses only a part of a device. A missing part would make a test fail.
  const fake: unknown = { ...device, session: { state: session, holdWork: () => () => undefined }, call }
  if (!isDevice(fake)) throw new Error('no device')
  return { device: fake, calls }
}

function isDevice(value: unknown): value is Device {
  return typeof value === 'object' && value !== null && 'frames' in value && 'call' in value
}

const unreachable = (): Answer => ({ unreachable: true })

function show(device: Device, initialCode?: string) {
  render(
    <DeviceProvider device={device}>
      <FrameLookupDialog open onClose={() => undefined} {...(initialCode !== undefined && { initialCode })} />
    </DeviceProvider>,
  )
  return userEvent.setup()
}

afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

/** Pastes instead of typing: a test types as fast as a scanner. */
async function paste(user: ReturnType<typeof userEvent.setup>, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

/** Presses all keys within a millisecond or two, as only a scanner does. */
function scan(code: string) {
  for (const key of [...code.split(''), 'Enter']) fireEvent.keyDown(document.activeElement ?? document.body, { key })
}

test('an empty look-up says that the field is required and asks nobody', async () => {
  const { device, calls } = deviceWith({ answers: unreachable })
  const user = show(device)
  await user.click(screen.getByRole('button', { name: 'Look up' }))
  expect(await screen.findByText('This field is required')).toBeTruthy()
  expect(calls).toHaveLength(0)
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})

test('without a connection a known frame is shown, without an error about the server', async () => {
  const { device } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  const user = show(device)
  await paste(user, screen.getByRole('textbox', { name: /Serial/ }), 'f-900012')
  await user.keyboard('{Enter}')
  expect(await screen.findByText('K-14')).toBeTruthy()
  expect(screen.queryByText(/Failed to fetch/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Item History' }).hasAttribute('disabled')).toBe(true)
})

test('a frame shows the photo of its model, or nothing when the photo is missing or does not load', async () => {
  Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined })
  const id_photo = '0199f0a0-0000-4000-8000-000000000031'
  const lookUp = (known: FrameRecord, photo: Answer) => {
    const { device, calls } = deviceWith({
      answers: ({ endpoint }) => (endpoint === inventoryEndpoints.lookUpFrame ? { value: known } : photo),
    })
    show(device, frame.serial)
    return calls
  }
  lookUp({ ...record, id_model: 31, id_photo }, { value: new Blob(['picture']) })
  expect((await screen.findByAltText('Kestrel K-14, Black')).getAttribute('src')).toBe('blob:picture')
  cleanup()
  const calls = lookUp({ ...record, id_model: 31, id_photo }, { status: 404, code: 'photo-unknown', message: 'Photo not found' })
  await screen.findByText('F-900012')
  await waitFor(() => expect(calls.map(({ request }) => request)).toContainEqual({ params: { id_photo } }))
  expect(document.querySelector('img')).toBeNull()
  cleanup()
  const others = lookUp(record, { unreachable: true })
  await screen.findByText('F-900012')
  expect(document.querySelector('img')).toBeNull()
  expect(others).toHaveLength(1)
})

test('without a connection an action is saved with the state that the user saw, and shows as waiting', async () => {
  const { device, calls } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  const kept: unknown[] = []
  const outbox = {
    record: async (kind: string, lane: string, body: Record<string, unknown>, { title }: { title: string }) => {
      kept.push({ kind, lane, body, title })
      const command = {
        id: `kept-${kept.length}`,
        kind,
        lane,
        lane_seq: 1,
        device_id: 'here',
        body,
        title,
        state: 'queued',
        last_error: null,
      }
      const row: unknown = { ...command, author: { id_user: 2, name: 'Ben' }, created_at: '2026-11-21T09:00:00.000Z' }
      await device.hot.outbox.add(row as OutboxCommand)
      return { saved: true, command: row }
    },
  }
  Object.assign(device, { outbox })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  expect(screen.getByText(/applied if the frame hasn’t changed by then/)).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: /^Defective/ }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), 'left "hinge"')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Waiting to send: Defective')).toBeTruthy()
  expect(kept).toEqual([
    {
      kind: 'frame.change-state',
      lane: 'frame:12',
      body: { id_inventory: 12, action: 'state_defective', note: 'left hinge', seen: { status: 'Ready for Sale', store_id: 1 } },
      title: '100012: Defective',
    },
  ])
  expect(calls.some(({ endpoint }) => endpoint === inventoryEndpoints.updateFrameState)).toBe(false)
  expect(screen.getByRole('button', { name: 'Edit' }).hasAttribute('disabled')).toBe(true)

  const last_error = {
    status: 409,
    code: 'frame-changed',
    message: 'The frame was changed by someone else',
    at: '2026-11-21T10:00:00.000Z',
  }
  await device.hot.outbox.update('kept-1', { state: 'needs-attention', last_error })
  expect(await screen.findByText('Not done: Defective')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Edit' }).hasAttribute('disabled')).toBe(false)
})

test('a label can be requested offline: it shows as waiting until sent, and as refused with the reason', async () => {
  const { device, calls } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  const kept: unknown[] = []
  const record = async (kind: string, lane: string, body: Record<string, unknown>, { title }: { title: string }) => {
    kept.push({ kind, lane, body, title })
    const command: unknown = {
      id: 'label-1',
      kind,
      lane,
      lane_seq: 1,
      device_id: 'here',
      body,
      title,
      state: 'queued',
      last_error: null,
      author: { id_user: 2, name: 'Ben' },
      created_at: '2026-11-21T09:00:00.000Z',
    }
    await device.hot.outbox.add(command as OutboxCommand)
    return { saved: true, command }
  }
  Object.assign(device, { outbox: { record } })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Request a label' }))
  expect(await screen.findByText('Waiting to send: label request')).toBeTruthy()
  expect(kept).toEqual([{ kind: 'label.request', lane: 'frame:12', body: { id_inventory: 12 }, title: '100012: new label' }])
  expect(screen.getByRole('button', { name: 'Request a label' }).hasAttribute('disabled')).toBe(true)
  // A label does not depend on the state of the frame.
  expect(screen.getByRole('button', { name: 'Edit' }).hasAttribute('disabled')).toBe(false)
  expect(calls.every(({ endpoint }) => endpoint === inventoryEndpoints.lookUpFrame)).toBe(true)

  const last_error = { status: 403, code: 'store-foreign', message: 'This frame belongs to Eastside', at: '2026-11-21T10:00:00.000Z' }
  await device.hot.outbox.update('label-1', { state: 'needs-attention', last_error })
  expect(await screen.findByText('Label not requested')).toBeTruthy()
  expect(screen.getByText(/^This frame belongs to Eastside/)).toBeTruthy()
  await device.hot.outbox.delete('label-1')
  await waitFor(() => expect(screen.queryByText('Label not requested')).toBeNull())
})

test('without a connection a price check shows brand, model, store and price from this device', async () => {
  const { device } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  show(device, '100012')
  const info = await screen.findByRole('region', { name: 'Frame' })
  const fact = (label: string) => within(info).getByText(label).nextElementSibling?.textContent
  for (const words of [frame.brand_name, frame.title_product, frame.title_variant]) expect(within(info).getByText(words)).toBeTruthy()
  expect([fact('Store'), fact('Price')]).toEqual(['Riverside', formatMoney(frame.pb_selling_price ?? 0)])
})

test('a piece without a price says so', async () => {
  const { device } = deviceWith({ frames: [{ ...frame, pb_selling_price: null }], online: false, answers: unreachable })
  show(device, '100012')
  expect(await screen.findByText('No price yet')).toBeTruthy()
})

test('an action that this device cannot save says NOT SAVED and keeps the typed values', async () => {
  const { device } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  Object.assign(device, {
    outbox: { record: () => Promise.resolve({ saved: false, problem: { reason: 'disk-full', message: 'This device is full.' } }) },
  })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.click(screen.getByRole('radio', { name: /^Defective/ }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), 'left hinge')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('NOT SAVED. This device is full.')).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('left hinge')
})

test('a frame that neither the device nor the server finds shows an error', async () => {
  const { device } = deviceWith({ answers: unreachable })
  show(device, 'NOWHERE')
  expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch frame information. Please try again.')
})

test('the server adds to the device’s data', async () => {
  const { device } = deviceWith({ frames: [frame], answers: () => ({ value: { ...record, note: 'Kept for Mrs. Hill' } }) })
  show(device, '100012')
  expect(screen.getByText('K-14')).toBeTruthy()
  expect(await screen.findByText('Kept for Mrs. Hill')).toBeTruthy()
})

test('a UPC shows the pieces of its model to choose from', async () => {
  const pieces = [1, 2].map((id) => ({ ...frame, id_inventory: id, sku: `10000${id}`, serial: `S-${id}`, upc: '036000291452' }))
  const { device, calls } = deviceWith({ frames: pieces, answers: () => ({ value: record }) })
  const user = show(device, '036000291452')
  expect(screen.getByText(/matches 2 frames/)).toBeTruthy()
  await user.click(await screen.findByText(/S-2/))
  expect(await screen.findByText('K-14')).toBeTruthy()
  expect(calls.at(-1)?.request).toEqual({ query: { sku: '100002' } })
})

test.each(['practice', 'specification'] as const)('the store’s preset decides the possible actions: %s', async (preset) => {
  const { device } = deviceWith({ frames: [frame], preset, answers: () => ({ value: record }) })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  const offered = screen.getAllByRole<HTMLInputElement>('radio').filter((radio) => !radio.disabled)
  const allowed = allowedControls('Ready for Sale', preset)
  expect(offered.map((radio) => radio.value)).toEqual(controlFlags.filter((flag) => allowed.includes(flag)))
  const broken = screen.getByRole<HTMLInputElement>('radio', { name: new RegExp(`^${controlActions.state_defective.label}`) })
  expect(broken.disabled).toBe(preset === 'specification')
})

test('saving needs an option, sends the flag and the note without quotes, and opens the history', async () => {
  const { device, calls } = deviceWith({
    frames: [frame],
    answers: ({ endpoint }) =>
      endpoint === inventoryEndpoints.frameHistory
        ? { value: history }
        : { value: endpoint === inventoryEndpoints.updateFrameState ? { ...record, status: 'Missing' } : record },
  })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  expect(screen.getAllByRole('radio')).toHaveLength(7)
  const impossible = screen.getByRole('radio', { name: /No longer defective/ })
  expect(impossible.hasAttribute('disabled')).toBe(true)
  expect(screen.getAllByText('Not possible while the frame is Ready for Sale').length).toBeGreaterThan(0)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('You must select an inventory control option')).toBeTruthy()
  expect(calls.some((call) => call.endpoint === inventoryEndpoints.updateFrameState)).toBe(false)
  await user.click(screen.getByRole('radio', { name: /Item is missing/ }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), `not "here" or 'there'`)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('button', { name: 'Hide History' })).toBeTruthy()
  expect(calls.find((call) => call.endpoint === inventoryEndpoints.updateFrameState)?.request).toEqual({
    body: { inventory_id: 12, state_remove: true, version: 4, note: 'not here or there' },
  })
  expect(await screen.findByText('Maya')).toBeTruthy()
})

test('an option that needs a note is not sent without one', async () => {
  const { device, calls } = deviceWith({ frames: [frame], answers: () => ({ value: record }) })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.click(screen.getByRole('radio', { name: /^Defective/ }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), `"'`)
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This action needs a note')).toBeTruthy()
  expect(calls.some((call) => call.endpoint === inventoryEndpoints.updateFrameState)).toBe(false)
})

test('after another user’s change, the user sees it and keeps the typed values', async () => {
  let current = record
  const { device } = deviceWith({
    frames: [frame],
    answers: ({ endpoint }) => {
      if (endpoint !== inventoryEndpoints.updateFrameState) return { value: current }
      current = { ...record, status: 'Defective', version: 5 }
      return {
        status: 409,
        code: 'frame-changed',
        message: 'The frame was changed by someone else',
        at: '2026-11-21T10:00:00.000Z',
      }
    },
  })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.click(screen.getByRole('radio', { name: /Item is missing/ }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), 'empty tray')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('changed by someone else')
  expect(within(alert).getByText('Defective')).toBeTruthy()
  expect(screen.getByDisplayValue('empty tray')).toBeTruthy()
  expect(screen.getByRole('radio', { name: /Item is missing/ })).toHaveProperty('checked', true)
})

test('a sold frame is changed only after a question', async () => {
  const sold: FrameRecord = { ...record, status: 'Sold' }
  const { device, calls } = deviceWith({
    frames: [sold],
    answers: ({ endpoint }) => ({ value: endpoint === inventoryEndpoints.frameHistory ? history : sold }),
  })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await user.click(screen.getByRole('radio', { name: /Place into stock/ }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  const question = await screen.findByRole('alertdialog')
  expect(calls.some((call) => call.endpoint === inventoryEndpoints.updateFrameState)).toBe(false)
  await user.click(within(question).getByRole('button', { name: 'Place into stock' }))
  expect(await screen.findByRole('button', { name: 'Hide History' })).toBeTruthy()
  expect(calls.filter((call) => call.endpoint === inventoryEndpoints.updateFrameState)).toHaveLength(1)
})

test('a history that does not load is reported on the screen and logged, without the names of the frame and the person', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const refusal = { status: 503, code: 'server-failed', message: 'Not now, Mrs. Hill' }
  const { device } = deviceWith({
    frames: [frame],
    answers: ({ endpoint }) => (endpoint === inventoryEndpoints.frameHistory ? refusal : { value: record }),
  })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Item History' }))
  expect(await screen.findByText('History isn’t available right now.')).toBeTruthy()
  expect(warn.mock.calls).toEqual([['Lorgnette: an item history could not be fetched: server-failed']])
  expect(toastStore.getState().toast?.tone).not.toBe('bad')
})

test('an aborted history is no failure and is not logged', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const { device } = deviceWith({ answers: unreachable })
  const asked = new AbortController()
  asked.abort()
  expect(await fetchHistory(device, '100012', asked.signal)).toBeNull()
  expect(warn).not.toHaveBeenCalled()
})

test('a scan looks up its code while the dialog is open, regardless of the focus', async () => {
  const { device } = deviceWith({ frames: [frame], online: false, answers: unreachable })
  show(device)
  scan('F-900012')
  expect(await screen.findByText('K-14')).toBeTruthy()
})

test('a scan during an edit keeps the typed values', async () => {
  const other = { ...frame, id_inventory: 13, sku: '100013', serial: 'F-900013', title_product: 'K-99' }
  const { device } = deviceWith({ frames: [frame, other], answers: () => ({ value: record }) })
  const user = show(device, '100012')
  await user.click(await screen.findByRole('button', { name: 'Edit' }))
  await paste(user, screen.getByRole('textbox', { name: 'Note' }), 'bent temple')
  screen.getByRole('button', { name: 'Cancel Edit' }).focus()
  scan('F-900013')
  expect(toastStore.getState().toast?.title).toBe('Save or cancel your edit first')
  expect(screen.getByDisplayValue('bent temple')).toBeTruthy()
})
