// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Frame } from '#contract/stock/frame.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { LabelsScreen } from './labels-screen.tsx'

/** Every toast, in order. */
let toasts: unknown[] = []
let forgetToasts = () => {}
const madeUrls: Blob[] = []
beforeEach(() => {
  toasts = []
  forgetToasts = toastStore.subscribe(({ toast }) => {
    if (toast) toasts.push(toast.title)
  })
  madeUrls.length = 0
  URL.createObjectURL = (file) => {
    if (file instanceof Blob) madeUrls.push(file)
    return `blob:labels-${madeUrls.length}`
  }
  URL.revokeObjectURL = () => {}
})
afterEach(() => {
  expect(unisolatedNames('Ben Halvorsen')).toEqual([])
  cleanup()
  forgetToasts()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  localStorage.clear()
  toastStore.setState({ toast: null })
  document.querySelectorAll('iframe').forEach((frame) => frame.remove())
})

const frame = (id: number): Frame => testFrame(id, { upc: null })
const requestOf = (id: number) => ({
  id_request: `0198c2f4-0000-7000-8000-00000000000${id}`,
  frame: frame(id),
  asked_by: 'Ben Halvorsen',
  asked_at: '2026-11-20T10:00:00.000Z',
})
const pdf: ReturnType<Answers> = { ok: true, value: new Blob(['%PDF-1.7'], { type: 'application/pdf' }) }

type Given = { query?: Record<string, unknown>; body?: Record<string, unknown> }

function deviceWith(answers: (called: string, given: Given) => ReturnType<Answers>) {
  const asked: [string, Given][] = []
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`
      asked.push([called, request as Given])
      return answers(called, request as Given)
    },
  })
  made.state.setState({ home: { ...mayasHome, permissions: ['frame.label'] } })
  return { ...made, asked }
}
function openDialog(answers: (called: string, given: Given) => ReturnType<Answers>, props: { ids?: number[]; sku?: string } = {}) {
  const made = deviceWith(answers)
  const onClose = vi.fn()
  render(
    <DeviceProvider device={made.device}>
      <LabelsDialog ids={[1]} {...props} onClose={onClose} />
    </DeviceProvider>,
  )
  return { ...made, onClose }
}
function openScreen(waiting: number[], answers: (called: string, given: Given) => ReturnType<Answers> | null = () => null) {
  const list = { waiting }
  const made = deviceWith((called, given) => {
    if (called === 'GET /api/inventory/label_requests') {
      return { ok: true, value: { requests: list.waiting.map(requestOf), total: list.waiting.length } }
    }
    return answers(called, given) ?? unreachable
  })
  render(
    <DeviceProvider device={made.device}>
      <LabelsScreen />
    </DeviceProvider>,
  )
  return { ...made, list }
}

const hiddenFrame = () => document.querySelector<HTMLIFrameElement>('iframe[data-printing]')
/** jsdom shows no PDF. Fires the load event of the frame, and records its printing. */
async function showPdf(print: () => void = () => {}) {
  const shown = await waitFor(() => {
    const found = hiddenFrame()
    if (!found?.contentWindow) throw new Error('No frame yet')
    return found
  })
  const printed = vi.fn(print)
  if (shown.contentWindow) Object.assign(shown.contentWindow, { print: printed, focus: () => {} })
  fireEvent.load(shown)
  return { shown, printed }
}

test('one label is printed through a hidden frame, with the specification’s words', async () => {
  const user = userEvent.setup()
  const { asked, onClose } = openDialog(() => pdf, { sku: 'HARB-000001' })
  expect(await screen.findByRole('dialog', { name: 'Label for HARB-000001' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Print' }))
  const { shown, printed } = await showPdf()
  await waitFor(() => expect(toasts).toEqual(['Printing SKU...', 'SKU printed successfully!']))
  expect(printed).toHaveBeenCalledOnce()
  expect(asked).toEqual([['GET /api/inventory/print-label', { query: { sku: 'HARB-000001', stock: 'roll-57x32' } }]])
  expect([shown.src, shown.style.visibility, shown.style.width]).toEqual(['blob:labels-1', 'hidden', '0px'])
  expect(madeUrls[0]?.type).toBe('application/pdf')
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})

test('when the server makes no label, nothing is printed and a toast says so', async () => {
  const user = userEvent.setup()
  const answers = [refused(404, 'frame-unknown'), unreachable]
  const { onClose } = openDialog(() => answers.shift() ?? unreachable, { sku: 'HARB-000001' })
  const failure = ['Printing SKU...', 'Failed to generate SKU preview.']
  for (const times of [1, 2]) {
    await user.click(await screen.findByRole('button', { name: 'Print' }))
    await waitFor(() => expect(toasts).toEqual(Array.from({ length: times }, () => failure).flat()))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Print' }).getAttribute('aria-busy')).toBeNull())
  }
  expect(toastStore.getState().toast?.description).toContain('You need a connection to print')
  expect(hiddenFrame()).toBeNull()
  expect(onClose).not.toHaveBeenCalled()
})

test.each(['shows no PDF', 'lets no page print one'])('a browser that %s saves the file and says so', async (which) => {
  const user = userEvent.setup()
  const isShown = which !== 'shows no PDF'
  vi.stubGlobal('navigator', new Proxy(navigator, { get: (of, key) => (key === 'pdfViewerEnabled' ? isShown : Reflect.get(of, key, of)) }))
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  openDialog(() => pdf, { sku: 'HARB-000001' })
  await user.click(await screen.findByRole('button', { name: 'Print' }))
  if (isShown) {
    await showPdf(() => {
      throw new DOMException('Permission denied', 'SecurityError')
    })
  }
  await waitFor(() => expect(toasts).toEqual(['Printing SKU...', 'labels.pdf saved']))
  expect(clicked).toHaveBeenCalledOnce()
  expect(hiddenFrame() !== null).toBe(isShown)
})

test('the device remembers the stock, and asks for the used labels of a sheet', async () => {
  const user = userEvent.setup()
  const first = openDialog(() => unreachable, { ids: [1, 2, 3] })
  expect(screen.queryByLabelText('Labels used on the first page')).toBeNull()
  await user.selectOptions(await screen.findByLabelText('Labels'), 'letter-30')
  const used = screen.getByLabelText('Labels used on the first page')
  await user.type(used, '30')
  expect(screen.getByText('Enter a number from 0 to 29')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Print' }).hasAttribute('disabled')).toBe(true)
  await user.clear(used)
  await user.type(used, '12')
  await user.click(screen.getByRole('button', { name: 'Print' }))
  await waitFor(() =>
    expect(first.asked).toEqual([['POST /api/inventory/print-labels', { body: { items: [1, 2, 3], stock: 'letter-30', skip: 12 } }]]),
  )
  cleanup()
  openDialog(() => unreachable)
  expect((await screen.findByLabelText<HTMLSelectElement>('Labels')).value).toBe('letter-30')
})

test('“Print later” adds frames to the list, and says how many were already on it', async () => {
  const user = userEvent.setup()
  const { asked, onClose } = openDialog(() => ({ ok: true, value: { added: 2, waiting: 5 } }), { ids: [1, 2, 3] })
  await user.click(await screen.findByRole('button', { name: 'Print later' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(asked).toEqual([['POST /api/inventory/label_requests', { body: { items: [1, 2, 3] } }]])
  expect(toastStore.getState().toast).toMatchObject({ title: '2 labels added to the list', description: '1 frame already waiting.' })
})

test('without a connection nothing is printed, and “Print later” saves a command for each frame', async () => {
  const user = userEvent.setup()
  const { connection, device, asked, onClose } = openDialog(() => unreachable, { ids: [1, 2] })
  const kept: unknown[] = []
  Object.assign(device, {
    frames: { get: (id: number) => frame(id) },
    outbox: {
      record: (kind: string, lane: string, body: unknown, { title }: { title: string }) => {
        kept.push([kind, lane, body, title])
        return Promise.resolve(
          kept.length === 1 ? { saved: false, problem: { reason: 'disk-full', message: 'This device is full.' } } : { saved: true },
        )
      },
    },
  })
  connection.setState({ online: false })
  expect(await screen.findByText(/^You need a connection to print/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Print' }).hasAttribute('disabled')).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Print later' }))
  expect(await screen.findByText('This device is full.')).toBeTruthy()
  expect(onClose).not.toHaveBeenCalled()
  kept.length = 5
  await user.click(screen.getByRole('button', { name: 'Print later' }))
  await waitFor(() => expect(onClose).toHaveBeenCalled())
  expect(kept.slice(5)).toEqual([
    ['label.request', 'frame:1', { id_inventory: 1 }, 'HARB-000001: new label'],
    ['label.request', 'frame:2', { id_inventory: 2 }, 'HARB-000002: new label'],
  ])
  expect(toasts).toEqual(['2 labels saved on this device'])
  expect(asked).toEqual([])
})

test('labels requested on this tablet show until they are sent, and the list then reloads', async () => {
  const { device, list } = openScreen([1])
  expect(await screen.findByText('1 label waiting')).toBeTruthy()
  const waitingLabel: unknown = {
    id: 'kept-1',
    kind: 'label.request',
    lane: 'frame:2',
    lane_seq: 1,
    device_id: 'here',
    body: { id_inventory: 2 },
    author: { id_user: 2, name: 'Ben' },
    created_at: '2026-11-21T09:00:00.000Z',
    state: 'queued',
    last_error: null,
  }
  await device.hot.outbox.add(waitingLabel as OutboxCommand)
  expect(await screen.findByText('1 label requested on this tablet')).toBeTruthy()
  list.waiting = [1, 2]
  await device.hot.outbox.delete('kept-1')
  expect(await screen.findByText('2 labels waiting')).toBeTruthy()
  expect(screen.queryByText('1 label requested on this tablet')).toBeNull()
})

test('a label is requested by the UPC of a piece: the user chooses from the store’s pieces', async () => {
  const user = userEvent.setup()
  const { device, asked, list } = openScreen([1], (called) => {
    if (called !== 'POST /api/inventory/label_requests') return null
    list.waiting = [1, 3]
    return { ok: true, value: { added: 1, waiting: 2 } }
  })
  const find = (code: string) => (code === '036000291452' ? { by: 'upc' as const, frames: [frame(2), frame(3)] } : null)
  Object.assign(device, { frames: { ...device.frames, find } })
  expect(await screen.findByText('1 label waiting')).toBeTruthy()
  // Pastes instead of typing: a test types as fast as a scanner.
  await user.click(screen.getByLabelText('Put a frame on the list'))
  await user.paste('036000291452')
  await user.keyboard('{Enter}')
  const pieces = within(await screen.findByRole('region', { name: 'Frames with this UPC' }))
  await user.click(pieces.getByText(/HARB-000003/))
  expect(await screen.findByText(/HARB-000003.*: put on the list\./)).toBeTruthy()
  expect(await screen.findByText('2 labels waiting')).toBeTruthy()
  expect(asked).toContainEqual(['POST /api/inventory/label_requests', { body: { items: [3] } }])
})

const rowsOf = () =>
  within(screen.getByRole('grid', { name: 'Waiting labels' }))
    .getAllByRole('row')
    .slice(1)

test('waiting labels are printed together, and are done only when the user says that they printed', async () => {
  const user = userEvent.setup()
  const { asked, list } = openScreen([1, 2, 3], (called) => {
    if (called === 'POST /api/inventory/print-labels') return pdf
    if (called !== 'POST /api/inventory/label_requests/settle') return null
    list.waiting = [2, 3]
    return { ok: true, value: { settled: 1 } }
  })
  expect(await screen.findByText('3 labels waiting')).toBeTruthy()
  await user.click(screen.getByText('Aster Cove 3'))
  await user.click(screen.getByRole('button', { name: 'Print 2 labels' }))
  await showPdf()
  expect(await screen.findByText('Did they all print?')).toBeTruthy()
  expect(asked.at(-1)).toEqual(['POST /api/inventory/print-labels', { body: { items: [1, 2], stock: 'roll-57x32', skip: 0 } }])
  expect(rowsOf()).toHaveLength(2)
  // The second label is smeared.
  await user.click(screen.getByText('Aster Cove 2'))
  await user.click(screen.getByRole('button', { name: '1 printed' }))
  expect(await screen.findByText('2 labels waiting')).toBeTruthy()
  expect(asked).toContainEqual([
    'POST /api/inventory/label_requests/settle',
    { body: { ids: [requestOf(1).id_request], outcome: 'printed' } },
  ])
  expect(screen.getByRole('button', { name: 'Print 2 labels' })).toBeTruthy()
})

test('when none printed all labels keep waiting; when the server made none, there is no question', async () => {
  const user = userEvent.setup()
  const answers = [refused(422, 'label-too-small'), pdf]
  const { asked } = openScreen([1, 2], (called) => (called === 'POST /api/inventory/print-labels' ? (answers.shift() ?? null) : null))
  await user.click(await screen.findByRole('button', { name: 'Print 2 labels' }))
  await waitFor(() => expect(toasts).toEqual(['Printing SKU...', 'Failed to generate SKU preview.']))
  await waitFor(() => expect(screen.getByRole('button', { name: 'Print 2 labels' }).getAttribute('aria-busy')).toBeNull())
  expect(screen.queryByText('Did they all print?')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Print 2 labels' }))
  await showPdf()
  await user.click(await screen.findByRole('button', { name: 'None printed' }))
  expect(await screen.findByText('2 labels waiting')).toBeTruthy()
  expect(asked.some(([called]) => called.includes('settle'))).toBe(false)
})

test('a request that is not needed is removed from the list', async () => {
  const user = userEvent.setup()
  const { asked, list } = openScreen([1, 2], (called) => {
    if (!called.endsWith('/settle')) return null
    list.waiting = []
    return { ok: true, value: { settled: 2 } }
  })
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('No labels waiting.')).toBeTruthy()
  expect(asked[1]?.[1].body).toEqual({ ids: [1, 2].map((id) => requestOf(id).id_request), outcome: 'withdrawn' })
})

test('a list that does not load says that it needs a connection', async () => {
  const { device } = deviceWith(() => unreachable)
  render(
    <DeviceProvider device={device}>
      <LabelsScreen />
    </DeviceProvider>,
  )
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  expect(screen.getByText(/You need a connection to/)).toBeTruthy()
})
