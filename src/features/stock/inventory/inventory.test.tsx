// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Frame } from '#contract/stock/frame.ts'
import type { Permission } from '#contract/core/roles.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { testFrame } from '#tests/support/fixtures/frame.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { InventoryScreen } from './inventory-screen.tsx'
import { shownStore } from './model/stock-views.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
  toastStore.setState({ toast: null })
  shownStore.setState({ idUser: null })
})

const frameOf = (id: number, more: Partial<Frame> = {}): Frame =>
  testFrame(id, {
    sku: `HARB-${100_000 + id}`,
    serial: `F${200_000 + id}`,
    pb_selling_price: 10_000 + id * 100,
    board_location: 'Wall A2',
    last_seen_at: '2026-01-20T10:00:00.000Z',
    ...more,
  })
const frames = [frameOf(1), frameOf(2), frameOf(3, { status: 'Missing' }), frameOf(4, { store_id: 2, title_product: 'Cove 1' })]

type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: Record<string, unknown> }

function open(
  options: {
    permissions?: Permission[]
    view?: 'frames' | 'models'
    /** A device that never loaded frames. */
    isFresh?: boolean
    answers?: (called: string, given: Given) => ReturnType<Answers> | null
  } = {},
) {
  const asked: [string, Given][] = []
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`
      const given = request as Given
      asked.push([called, given])
      const own = options.answers?.(called, given)
      if (own) return own
      if (called === 'GET /api/inventory/stores') {
        return { ok: true, value: { stores: mayasHome.locations } }
      }
      if (called === 'GET /api/inventory/brands') return { ok: true, value: { brands: [{ id: 3, name: 'Aster', vendor_id: 7 }] } }
      if (called === 'GET /api/inventory/vendors') return { ok: true, value: { vendors: [{ id: 7, name: 'Northlight' }] } }
      return unreachable
    },
  })
  const permissions = options.permissions ?? ['frame.look-up', 'frame.add', 'frame.price']
  made.state.setState({ home: { ...mayasHome, permissions } })
  Object.assign(made.device.frames, {
    size: () => (options.isFresh ? 0 : frames.length),
    get: (id: number) => frames.find(({ id_inventory }) => id_inventory === id) ?? null,
    readStore: (store: number | null) =>
      Promise.resolve(options.isFresh ? [] : frames.filter(({ store_id }) => store === null || store_id === store)),
  })
  const onView = vi.fn()
  render(
    <DeviceProvider device={made.device}>
      <InventoryScreen
        view={options.view ?? 'frames'}
        onView={onView}
        LookUp={({ code }) => <p>looked up {code}</p>}
        Labels={({ ids, sku }) => <p>labels of {[...ids, sku].join(' ')}</p>}
      />
    </DeviceProvider>,
  )
  return { ...made, asked, onView }
}
const rowsOf = () =>
  within(screen.getByRole('grid', { name: 'Frames' }))
    .getAllByRole('row')
    .slice(1)
const toast = () => toastStore.getState().toast

test('opens with the stock of the user’s store, from this device, without asking the server', async () => {
  const { asked } = open()
  expect(await screen.findByText('Aster Cove 1')).toBeTruthy()
  expect(rowsOf()).toHaveLength(2)
  expect(screen.getByText('2 frames')).toBeTruthy()
  expect(asked.some(([called]) => called.includes('all-filters'))).toBe(false)
})

test('a device that never loaded frames asks the server, and does not say that there are none', async () => {
  toastStore.setState({ toast: null })
  const { asked } = open({
    isFresh: true,
    answers: (called) =>
      called === 'GET /api/inventory/all-filters'
        ? {
            ok: true,
            value: { items: frames.map((frame) => ({ ...frame, receipt_at: null })), page: 1, page_size: 50, total: frames.length },
          }
        : null,
  })
  expect((await screen.findAllByText('Aster Cove 1')).length).toBeGreaterThan(0)
  expect(screen.getByText(/from the server/)).toBeTruthy()
  expect(asked.filter(([called]) => called.includes('all-filters'))).toHaveLength(1)
  expect(toast()?.title).not.toBe('No items found for the given filter.')
})

test('without a connection such a device says that the frames are not downloaded yet', async () => {
  const { connection } = open({ isFresh: true })
  connection.setState({ online: false })
  expect(await screen.findByText(/haven’t been downloaded to this device yet/)).toBeTruthy()
})

test('a filter narrows the list, and an empty result shows the specification’s words', async () => {
  const user = userEvent.setup()
  open()
  await screen.findByText('Aster Cove 1')
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  await user.selectOptions(screen.getByLabelText('Status'), 'Missing')
  expect(await screen.findByText('Aster Cove 3')).toBeTruthy()
  await user.type(screen.getByLabelText('Search'), 'zz')
  expect(await screen.findByText('No items found for the given filter.')).toBeTruthy()
  // The list says it, so a toast would only repeat it.
  expect(toast()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Show everything' }))
  expect(await screen.findByText('4 frames')).toBeTruthy()
})

test('the server filters by age, 50 pieces a page, and more pages are appended', async () => {
  const user = userEvent.setup()
  const { asked } = open({
    answers: (called, { query }) => {
      if (called !== 'GET /api/inventory/all-filters') return null
      const from = (Number(query?.['page']) - 1) * 50
      const items = Array.from({ length: Math.min(50, 60 - from) }, (_, at) => ({
        ...frameOf(from + at + 10),
        receipt_at: '2024-01-01T00:00:00.000Z',
      }))
      return { ok: true, value: { items, page: Number(query?.['page']), page_size: 50, total: 60 } }
    },
  })
  await screen.findByText('Aster Cove 1')
  await user.selectOptions(screen.getByLabelText('View'), 'In stock over 180 days')
  expect(await screen.findByText('60 frames · from the server')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Show more: 50 of 60' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /Show more/ })).toBeNull())
  const pages = asked.filter(([called]) => called === 'GET /api/inventory/all-filters').map(([, { query }]) => query)
  expect(pages).toMatchObject([
    { page: '1', store_id: '1', status: 'Ready for Sale,Defective,On Hold', sort: 'received' },
    { page: '2', received_before: expect.any(String) },
  ])
  expect(screen.getByRole('grid', { name: 'Frames' }).getAttribute('aria-rowcount')).toBe('60')
})

test('a list that does not load says so, and can be loaded again', async () => {
  const user = userEvent.setup()
  let works = false
  open({
    answers: (called) => {
      if (called !== 'GET /api/inventory/all-filters') return null
      return works ? { ok: true, value: { items: [{ ...frameOf(1), receipt_at: null }], page: 1, page_size: 50, total: 1 } } : unreachable
    },
  })
  await screen.findByText('Aster Cove 1')
  await user.selectOptions(screen.getByLabelText('View'), 'In stock over 180 days')
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  expect(toast()?.title).toBe('Failed to load inventory data. Please try again')
  works = true
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('1 frame · from the server')).toBeTruthy()
})

test('a slow load shows a toast while it loads and when it is done', async () => {
  const user = userEvent.setup()
  let answer: (given: { ok: true; value: unknown }) => void = () => {}
  const titles: unknown[] = []
  const leave = toastStore.subscribe(({ toast: shown }) => titles.push(shown?.title))
  open({
    answers: (called) => (called === 'GET /api/inventory/all-filters' ? new Promise((resolve) => (answer = resolve)) : null),
  })
  await screen.findByText('Aster Cove 1')
  await user.selectOptions(screen.getByLabelText('View'), 'In stock over 180 days')
  await waitFor(() => expect(titles).toContain('Loading inventory data...'), { timeout: 5000 })
  answer({ ok: true, value: { items: [{ ...frameOf(1), receipt_at: null }], page: 1, page_size: 50, total: 1 } })
  await waitFor(() => expect(titles.at(-1)).toBe('Index data loaded successfully!'))
  leave()
})

test('a view is saved with a name on this device, and can be deleted', async () => {
  const user = userEvent.setup()
  open()
  await screen.findByText('Aster Cove 1')
  await user.type(screen.getByLabelText('Search'), 'cove 2')
  await user.click(await screen.findByRole('button', { name: 'Save view' }))
  const dialog = await screen.findByRole('dialog', { name: 'Save view' })
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(within(dialog).getByText('This field is required')).toBeTruthy()
  await user.type(within(dialog).getByLabelText(/^Name/), 'My twos')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  cleanup()
  shownStore.setState({ idUser: null })
  open()
  await screen.findByText('Aster Cove 1')
  await user.selectOptions(screen.getByLabelText('View'), 'My twos')
  expect(await screen.findByText('1 frame')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Delete view' }))
  expect(screen.queryByRole('option', { name: 'My twos' })).toBeNull()
})

test('a piece shows the other stores that have its model, and opens its history', async () => {
  const user = userEvent.setup()
  open()
  await user.click(await screen.findByText('Aster Cove 1'))
  const dialog = await screen.findByRole('dialog', { name: 'Aster Cove 1' })
  const others = await within(dialog).findByRole('region', { name: 'Find in other stores' })
  expect(await within(others).findByText('Mill Lane')).toBeTruthy()
  expect(within(others).getAllByText('1 piece')).toHaveLength(2)
  await user.click(within(dialog).getByRole('button', { name: 'Item history and status' }))
  expect(await screen.findByText('looked up HARB-100001')).toBeTruthy()
})

test('a price is changed; after another user’s change the new price shows, and only a second save overwrites it', async () => {
  const user = userEvent.setup()
  const { asked } = open({
    answers: (called, { body }) => {
      if (called === 'GET /api/inventory/lookup') return { ok: true, value: { ...frames[0], version: 5, pb_selling_price: 7700 } }
      if (called !== 'PUT /api/inventory/update_price/{id_inventory}') return null
      return body?.['version'] === 5 ? { ok: true, value: frames[0] } : refused(409, 'frame-changed')
    },
  })
  await user.click(await screen.findByText('Aster Cove 1'))
  await user.click(await screen.findByRole('button', { name: 'Change price' }))
  const dialog = await screen.findByRole('dialog', { name: 'Price for HARB-100001' })
  const field = within(dialog).getByRole('textbox', { name: /^Price/ })
  await user.clear(field)
  await user.type(field, 'much')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Enter an amount, like 120 or 120.50')).toBeTruthy()
  await user.clear(field)
  await user.type(field, '99.95')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText(/at \$77\.00\. Save again/)).toBeTruthy()
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Save' }).getAttribute('aria-busy')).toBeNull())
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toast()?.title).toBe('HARB-100001 is now $99.95'))
  expect(asked.filter(([called]) => called.startsWith('PUT')).map(([, { body }]) => body)).toEqual([
    { pb_selling_price: 9995, version: 1 },
    { pb_selling_price: 9995, version: 5 },
  ])
})

test('many prices are previewed first, and then changed exactly as shown', async () => {
  const user = userEvent.setup()
  const { asked } = open({
    answers: (called) => {
      if (called === 'POST /api/inventory/preview_prices') {
        const row = { version: 1, before: 10_100, problem: null, margin_pct: 40 }
        const rows = [
          { ...row, id_inventory: 1, after: 11_195 },
          { ...row, id_inventory: 2, after: null, problem: 'No price on file' },
        ]
        return { ok: true, value: { rows } }
      }
      return called === 'POST /api/inventory/update_prices' ? { ok: true, value: { changed: 1 } } : null
    },
  })
  await screen.findByText('Aster Cove 1')
  await user.click(screen.getByRole('button', { name: 'Select frames' }))
  await user.click(screen.getByText('Aster Cove 1'))
  expect(screen.getByText('1 frame selected')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Select all 2' }))
  await user.click(screen.getByRole('button', { name: 'Change prices' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change the prices of 2 frames' })
  await user.type(within(dialog).getByLabelText(/^Percent/), '10')
  await user.selectOptions(within(dialog).getByLabelText('Ending'), '.95')
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }))
  expect(await within(dialog).findByText(/1 price would change\. 1 frame can’t be priced/)).toBeTruthy()
  expect(within(dialog).getByText('$111.95')).toBeTruthy()
  await user.click(within(dialog).getByRole('button', { name: 'Change 1 price' }))
  await waitFor(() => expect(toast()?.title).toBe('1 price changed'))
  const posted = asked.filter(([called]) => called.startsWith('POST')).map(([, { body }]) => body)
  expect(posted).toEqual([
    { ids: [1, 2], change: { kind: 'percent', percent: 10, ending: '.95' } },
    { items: [{ id_inventory: 1, version: 1, pb_selling_price: 11_195 }] },
  ])
})

test('frames are copied from a known model, and a retry uses the same id', async () => {
  const user = userEvent.setup()
  let reachable = false
  const { asked } = open({
    permissions: ['frame.look-up', 'frame.add', 'frame.price', 'frame.label'],
    answers: (called) => {
      if (called === 'GET /api/inventory/products/search') {
        const { brand_id, brand_name, title_product, title_variant, upc, pb_selling_price } = frames[0]!
        const product = { brand_id, brand_name, title_product, title_variant, upc, pb_selling_price }
        const sizes = { size_lens_width: 52, size_bridge_width: 18, size_temple_length: 140 }
        return { ok: true, value: { products: [{ ...product, ...sizes, item_list_cost: null, item_discount: null }] } }
      }
      if (called !== 'POST /api/inventory/add') return null
      return reachable ? { ok: true, value: { item: frameOf(50), items: [frameOf(50), frameOf(51)] } } : unreachable
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add frames' })
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(await within(dialog).findByText('Select a brand')).toBeTruthy()
  await user.type(within(dialog).getByLabelText(/^Copy from/), 'cove')
  await user.click(await within(dialog).findByText('Aster Cove 1'))
  const upc = within(dialog).getByLabelText('UPC')
  await user.clear(upc)
  await user.type(upc, '36000291453')
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(within(dialog).getByText('Not a valid UPC or EAN. Check the digits')).toBeTruthy()
  await user.clear(upc)
  await user.type(upc, '36000291452')
  await user.type(within(dialog).getByLabelText('List cost'), '49.50')
  await user.type(within(dialog).getByLabelText('Discount, %'), '10')
  expect(within(dialog).getByText('Net $44.55')).toBeTruthy()
  const pieces = within(dialog).getByLabelText(/^Pieces/)
  await user.clear(pieces)
  await user.type(pieces, '2')
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  expect(await within(dialog).findByText('NOT SAVED')).toBeTruthy()
  reachable = true
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Add' }).getAttribute('aria-busy')).toBeNull())
  await user.click(within(dialog).getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(toast()).toMatchObject({ title: '2 frames added', description: 'HARB-100050 to HARB-100051' }))
  const bodies = asked.filter(([called]) => called === 'POST /api/inventory/add').map(([, { body }]) => body)
  expect(bodies[0]).toMatchObject({ upc: '036000291452', item_list_cost: 4950, item_discount: 10, quantity: 2, title_product: 'Cove 1' })
  expect(bodies[1]).toEqual(bodies[0])
  // New pieces need labels, so the toast offers to print them.
  expect(toast()?.action?.label).toBe('Print labels')
  act(() => toast()?.action?.run())
  expect(await screen.findByText(/^labels of 50 51\b/)).toBeTruthy()
})

test('the export streams data.csv with its progress, and saves it when it is complete', async () => {
  const user = userEvent.setup()
  let push: (text: string) => void = () => {}
  let end = () => {}
  const fetched = vi.fn((_address: string) => {
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        push = (text) => controller.enqueue(new TextEncoder().encode(text))
        end = () => controller.close()
      },
    })
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'text/csv; charset=utf-8' } }))
  })
  vi.stubGlobal('fetch', fetched)
  const given: Blob[] = []
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => (given.push(blob), 'blob:data'), revokeObjectURL: () => undefined }),
  )
  open({
    answers: (called) =>
      called === 'GET /api/inventory/all-filters' ? { ok: true, value: { items: [], page: 1, page_size: 50, total: 2 } } : null,
  })
  await screen.findByText('Aster Cove 1')
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await waitFor(() => expect(fetched).toHaveBeenCalled())
  expect(fetched.mock.calls[0]![0]).toContain('output=csv')
  push('id_inventory\n1\n')
  await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('1 of 2'))
  push('2\n')
  end()
  await waitFor(() => expect(toast()?.title).toBe('2 frames in data.csv'))
  expect(given).toHaveLength(1)
  expect(screen.queryByRole('progressbar')).toBeNull()
})

test('the list by model works, and a user sees only their own actions', async () => {
  const user = userEvent.setup()
  const { onView } = open({ view: 'models', permissions: ['frame.look-up'] })
  await screen.findByText('2 models')
  expect(screen.queryByRole('button', { name: 'Add' })).toBeNull()
  await user.click(screen.getByText('Aster Cove 1'))
  const dialog = await screen.findByRole('dialog', { name: 'Aster Cove 1' })
  await user.click(within(dialog).getByRole('button', { name: 'Show frames' }))
  expect(onView).toHaveBeenCalledWith('frames')
})

test('without a connection the list works, and actions that need the server are disabled', async () => {
  const { connection } = open()
  connection.setState({ online: false })
  expect(await screen.findByText('Aster Cove 1')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Add' }).hasAttribute('disabled')).toBe(true)
  expect(screen.getByRole('button', { name: 'Export' }).hasAttribute('disabled')).toBe(true)
})

test('a user with the right prints labels of one piece or of the selected ones', async () => {
  const user = userEvent.setup()
  open({ permissions: ['frame.look-up', 'frame.label'] })
  await user.click(await screen.findByText('Aster Cove 2'))
  await user.click(await screen.findByRole('button', { name: 'Print label' }))
  expect(await screen.findByText('labels of 2 HARB-100002')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Select frames' }))
  await user.click(screen.getByText('Aster Cove 1'))
  await user.click(screen.getByText('Aster Cove 2'))
  expect(screen.queryByRole('button', { name: 'Change prices' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Print labels' }))
  expect(await screen.findByText(/^labels of 1 2\b/)).toBeTruthy()
})

test('a user who may not print labels has no button for it', async () => {
  const user = userEvent.setup()
  open({ permissions: ['frame.look-up', 'frame.price'] })
  await user.click(await screen.findByText('Aster Cove 2'))
  await screen.findByRole('button', { name: 'Item history and status' })
  expect(screen.queryByRole('button', { name: 'Print label' })).toBeNull()
})
