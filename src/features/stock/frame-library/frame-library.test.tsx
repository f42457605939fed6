// @vitest-environment jsdom
import { act, cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Model, Product, VendorBranch } from '#contract/library/frame-library.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { mayasHome, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { FrameLibraryScreen, type LibraryPlace } from './frame-library-screen.tsx'
import { formOfModel, pricedForm, readModel } from './model/library-form.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  toastStore.setState({ toast: null })
})

const vendors: VendorBranch[] = [
  {
    vendor_id: 7,
    name: 'Northlight',
    account_no: null,
    terms: 'Net 30',
    ra_policy: null,
    brands: [
      { brand_id: 3, name: 'Aster', type: 'ophthalmic', products: 1 },
      { brand_id: 4, name: 'Bellis', type: 'sun', products: 0 },
    ],
  },
]
const cove: Product = {
  id_product: 20,
  brand_id: 3,
  brand_name: 'Aster',
  vendor_id: 7,
  title: 'Cove 12',
  material: 'acetate',
  shape: 'round',
  gender: null,
  rim: null,
  launch_date: null,
  discontinued_at: null,
  version: 1,
  models: 1,
  in_stock: 2,
}
const slate: Model = {
  id_model: 31,
  id_product: 20,
  title_variant: 'C1 Slate',
  color_code: 'C1',
  color_name: 'Slate',
  eye: 52,
  bridge: 18,
  temple: 140,
  a: null,
  b: null,
  ed: null,
  dbl: null,
  upc: '036000291452',
  min_qty: 3,
  discontinued_at: null,
  id_photo: null,
  prices: {
    list_cost: 10_000,
    discount_pct: 10,
    net_cost: 9000,
    msrp: null,
    rule: { kind: 'fixed', cents: 25_000 },
    selling_price: 25_000,
    margin_pct: 64,
  },
  version: 4,
  changed_at: '2026-01-01T00:00:00.000Z',
  locations: [{ store_id: 1, store_name: 'Harbour Street', short_name: 'HARB', quantity: 2 }],
}

type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: Record<string, any> }
type Own = (called: string, given: Given) => ReturnType<Answers> | null

function open(options: { permissions?: Permission[]; place?: LibraryPlace; answers?: Own } = {}) {
  const asked: [string, Given][] = []
  const made = screenDevice({
    signedIn: true,
    answers: (endpoint, request) => {
      const called = `${endpoint.method} ${endpoint.path}`
      const given = request as Given
      asked.push([called, given])
      const own = options.answers?.(called, given)
      if (own) return own
      if (called.startsWith('GET /api/frame_library/vendor')) return { ok: true, value: { vendors } }
      if (called === 'GET /api/frame_library/products') return { ok: true, value: { products: [cove], page: 1, page_size: 100, total: 1 } }
      if (called.startsWith('GET /api/frame_library/models_by_product')) return { ok: true, value: { product: cove, models: [slate] } }
      if (called.startsWith('GET /api/frame_library/custom_glasses')) return { ok: true, value: { glasses: [] } }
      return unreachable
    },
  })
  const permissions = options.permissions ?? ['frame.look-up', 'frame.add', 'frame.price', 'library.write']
  made.state.setState({ home: { ...mayasHome, permissions } })
  function Walk() {
    const [place, setPlace] = useState<LibraryPlace>(options.place ?? {})
    return <FrameLibraryScreen place={place} onPlace={setPlace} />
  }
  render(
    <DeviceProvider device={made.device}>
      <Walk />
    </DeviceProvider>,
  )
  return { ...made, asked, sent: (called: string) => asked.filter(([one]) => one === called).map(([, given]) => given) }
}
/** A refusal with fields or details for the screen. */
function conflict(code: string, more: { fields?: { path: string; message: string }[]; details?: Record<string, unknown> }): Outcome<never> {
  const failure: Failure = { kind: 'refused', status: 409, code, message: code, fields: [], retryAfterS: null, details: {}, ...more }
  return { ok: false, failure }
}
const inProduct: LibraryPlace = { brand: 3, product: 20 }
const openModel = async (user: ReturnType<typeof userEvent.setup>) => {
  await user.click(await screen.findByText('C1 Slate'))
  await screen.findByRole('button', { name: 'Add to stock' })
}

test('the user goes from vendor to brand to product to model, also by keyboard', async () => {
  const user = userEvent.setup()
  open()
  expect(await screen.findByText('Pick a vendor and brand.')).toBeTruthy()
  const vendor = screen.getByRole('button', { name: 'Northlight' })
  vendor.focus()
  await user.keyboard('{ArrowRight}{ArrowDown}')
  expect(document.activeElement?.textContent).toContain('Aster')
  await user.keyboard('{Enter}')
  await user.click(await screen.findByText('Cove 12'))
  expect(await screen.findByText('C1 Slate')).toBeTruthy()
  expect(screen.getByText('52-18-140 · 036000291452')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Aster' }))
  expect(await screen.findByRole('grid', { name: 'Products' })).toBeTruthy()
})

test('the server searches and filters; a search without matches says so', async () => {
  const user = userEvent.setup()
  const { sent } = open({
    answers: (called, { query }) =>
      called === 'GET /api/frame_library/products' && query?.['search'] === 'zz'
        ? { ok: true, value: { products: [], page: 1, page_size: 100, total: 0 } }
        : null,
  })
  await screen.findByText('Pick a vendor and brand.')
  await user.click(screen.getByRole('button', { name: 'Filters' }))
  await user.selectOptions(screen.getByLabelText('Shape'), 'round')
  await user.type(screen.getByLabelText('Search'), 'zz')
  expect(await screen.findByText('No matches.')).toBeTruthy()
  expect(sent('GET /api/frame_library/products').at(-1)?.query).toEqual({ search: 'zz', shape: 'round', page: '1' })
  await user.click(screen.getByRole('button', { name: 'Show everything' }))
  expect(await screen.findByText('Pick a vendor and brand.')).toBeTruthy()
})

test('a model is changed over the values that the user saw, and another user’s change is overwritten only on request', async () => {
  const user = userEvent.setup()
  let isLate = true
  const { sent } = open({
    place: inProduct,
    answers: (called) => {
      if (!called.startsWith('PUT')) return null
      if (!isLate) return { ok: true, value: { ...slate, version: 6 } }
      isLate = false
      const details = { now: { ...slate, min_qty: 8, version: 5 } }
      return conflict('model-changed', { details })
    },
  })
  await openModel(user)
  await user.click(screen.getAllByRole('button', { name: 'Edit' }).at(-1)!)
  const price = await screen.findByLabelText('Price')
  await user.clear(price)
  await user.type(price, '260')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Someone else edited this too')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Keep mine' }))
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(toastStore.getState().toast?.title).toBe('Cove 12 C1 Slate updated'))
  const bodies = sent('PUT /api/frame_library/update_model/{id_model}').map(({ body }) => body)
  expect(bodies.map((body) => [body?.['version'], body?.['min_qty'], body?.['prices'].rule])).toEqual([
    [4, 3, { kind: 'fixed', cents: 26_000 }],
    [5, 3, { kind: 'fixed', cents: 26_000 }],
  ])
})

test('a user who may not change prices does not see the price fields and sends no prices', async () => {
  const user = userEvent.setup()
  const { sent } = open({
    place: inProduct,
    permissions: ['frame.look-up', 'frame.add', 'library.write'],
    answers: (called) => (called.startsWith('PUT') ? { ok: true, value: slate } : null),
  })
  await openModel(user)
  await user.click(screen.getAllByRole('button', { name: 'Edit' }).at(-1)!)
  await screen.findByLabelText('Color code')
  expect(screen.queryByLabelText('List cost')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(sent('PUT /api/frame_library/update_model/{id_model}')).toHaveLength(1))
  expect(sent('PUT /api/frame_library/update_model/{id_model}')[0]?.body).not.toHaveProperty('prices')
})

test('a UPC of another model is reported at its field, and the typed values stay', async () => {
  const user = userEvent.setup()
  open({
    place: inProduct,
    answers: (called) => {
      if (called !== 'POST /api/frame_library/add_model') return null
      const fields = [{ path: 'body.upc', message: 'Another model has this UPC' }]
      return conflict('upc-taken', { fields })
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add model' }))
  await user.type(await screen.findByLabelText('Color'), 'Rose')
  await user.type(screen.getByLabelText('UPC'), '036000291452')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Another model has this UPC')).toBeTruthy()
  expect(screen.getByText('NOT SAVED')).toBeTruthy()
  expect((screen.getByLabelText('Color') as HTMLInputElement).value).toBe('Rose')
})

test('pieces are added to stock with the model’s data, and a retry adds them only once', async () => {
  const user = userEvent.setup()
  let isCut = true
  const { sent } = open({
    place: inProduct,
    answers: (called) => {
      if (called !== 'POST /api/inventory/add') return null
      if (isCut) {
        isCut = false
        return unreachable
      }
      return { ok: true, value: { items: [{ sku: 'HARB-1' }, { sku: 'HARB-2' }] } }
    },
  })
  await openModel(user)
  await user.click(screen.getByRole('button', { name: 'Add to stock' }))
  const pieces = await screen.findByLabelText(/^Pieces/)
  await user.clear(pieces)
  await user.type(pieces, '2')
  await user.click(screen.getByRole('button', { name: 'Add' }))
  expect(await screen.findByText('NOT SAVED')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(toastStore.getState().toast?.title).toBe('2 frames added'))
  const bodies = sent('POST /api/inventory/add').map(({ body }) => body)
  expect(bodies[0]).toEqual(bodies[1])
  expect(bodies[0]).toMatchObject({
    brand_id: 3,
    title_product: 'Cove 12',
    title_variant: 'C1 Slate',
    size_lens_width: 52,
    item_list_cost: 10_000,
    pb_selling_price: 25_000,
    quantity: 2,
  })
})

describe('the photo of a model', () => {
  const photos = ['0199f0a0-0000-4000-8000-000000000031', '0199f0a0-0000-4000-8000-000000000032'] as const
  const jpeg = new Blob([Uint8Array.from([0xff, 0xd8, 0xff, 7])])
  const large = () => screen.findByAltText('Aster Cove 12, C1 Slate')
  const choose = (user: ReturnType<typeof userEvent.setup>, which: 'camera' | 'file' = 'file') =>
    user.upload(screen.getByLabelText(`Photo: ${which}`), new File(['x'], 'frame.png', { type: 'image/png' }))

  /** The library with this photo on the model, on the screen and at the server. */
  function openWith(id_photo: string | null, own: Own = () => null, permissions?: Permission[]) {
    const server = { id_photo }
    // jsdom has no images and no object URLs.
    vi.stubGlobal('createImageBitmap', () => Promise.resolve({ width: 4000, height: 3000, close: () => undefined }))
    Object.assign(URL, { createObjectURL: () => 'blob:picture', revokeObjectURL: () => undefined })
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ fillRect: () => undefined, drawImage: () => undefined } as never)
    const drawn: string[] = []
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type) {
      drawn.push(`${this.width} ${this.height} ${type}`)
      done(jpeg)
    })
    const answers: Own = (called, given) => {
      const mine = own(called, given)
      if (mine) return mine
      if (called.startsWith('GET /api/frame_library/models_by'))
        return { ok: true, value: { product: cove, models: [{ ...slate, ...server }] } }
      if (called.startsWith('GET /api/frame_library/photo')) return { ok: true, value: jpeg }
      if (!called.endsWith('/model_photo/{id_model}')) return null
      server.id_photo = called.startsWith('PUT') ? photos[1] : null
      return { ok: true, value: { id_model: 31, ...server } }
    }
    return { ...open({ place: inProduct, answers, ...(permissions && { permissions }) }), server, drawn }
  }

  test('is scaled here, replaces the one that the user saw, and shows large and in the list', async () => {
    const user = userEvent.setup()
    const { sent, drawn } = openWith(null)
    await openModel(user)
    expect(screen.getByText('No photo yet')).toBeTruthy()
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByLabelText('Photo: camera').getAttribute('capture')).toBe('environment')
    await choose(user, 'camera')
    await waitFor(() => expect(toastStore.getState().toast?.title).toBe('Photo saved'))
    expect(drawn).toEqual(['1600 1200 image/jpeg', '256 192 image/jpeg'])
    expect(sent('PUT /api/frame_library/model_photo/{id_model}')).toEqual([
      { params: { id_model: '31' }, body: { replaces: null, photo: '/9j/Bw==', thumbnail: '/9j/Bw==' } },
    ])
    expect((await large()).getAttribute('src')).toBe('blob:picture')
    expect(sent('GET /api/frame_library/photo/{id_photo}')).toEqual([{ params: { id_photo: photos[1] } }])
    expect(sent('GET /api/frame_library/photo/{id_photo}/thumbnail')).toEqual([{ params: { id_photo: photos[1] } }])
    expect(document.querySelectorAll('img[alt=""]')).toHaveLength(1)
    await choose(user)
    await waitFor(() => expect(sent('PUT /api/frame_library/model_photo/{id_model}').at(-1)?.body?.['replaces']).toBe(photos[1]))
  })

  test('does not replace another user’s newer photo, which is shown instead', async () => {
    const user = userEvent.setup()
    const made = openWith(null, (called) => {
      if (!called.startsWith('PUT')) return null
      made.server.id_photo = photos[0]
      return conflict('photo-changed', {})
    })
    await openModel(user)
    await choose(user)
    expect((await screen.findByRole('alert')).textContent).toContain('Someone else changed the photo')
    expect(await large()).toBeTruthy()
    expect(made.sent('GET /api/frame_library/photo/{id_photo}')).toEqual([{ params: { id_photo: photos[0] } }])
  })

  test('is removed after a question, and the focus goes to the photo', async () => {
    const user = userEvent.setup()
    const { sent } = openWith(photos[0])
    await openModel(user)
    await large()
    await user.click(screen.getByRole('button', { name: 'Remove' }))
    await user.click(await screen.findByRole('button', { name: 'Not yet' }))
    expect(sent('DELETE /api/frame_library/model_photo/{id_model}')).toEqual([])
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    await user.click(await screen.findByRole('button', { name: 'Remove photo' }))
    expect(await screen.findByText('No photo yet')).toBeTruthy()
    expect(sent('DELETE /api/frame_library/model_photo/{id_model}')).toEqual([
      { params: { id_model: '31' }, query: { replaces: photos[0] } },
    ])
    await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Photo'))
  })

  test('says NOT SAVED when this device cannot read it or the server does not answer', async () => {
    const user = userEvent.setup()
    openWith(null, (called) => (called.startsWith('PUT') ? unreachable : null))
    await openModel(user)
    await choose(user)
    expect((await screen.findByRole('alert')).textContent).toContain('NOT SAVEDCouldn’t reach the server')
    vi.stubGlobal('createImageBitmap', () => Promise.reject(new Error('no image')))
    await choose(user)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('can’t read this file as an image'))
  })

  test('cannot be changed without a connection, and loads again when there is one', async () => {
    const user = userEvent.setup()
    let isCut = true
    const { connection } = openWith(photos[0], (called) => (isCut && called.includes('/photo/') ? unreachable : null))
    act(() => connection.setState({ online: false }))
    await openModel(user)
    expect(await screen.findByText('The photo is available online.')).toBeTruthy()
    for (const name of ['Camera', 'File', 'Remove']) expect(screen.getByRole('button', { name }).hasAttribute('disabled')).toBe(true)
    isCut = false
    act(() => connection.setState({ online: true }))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await large()).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Camera' }).hasAttribute('disabled')).toBe(false)
  })

  test('has no buttons for a user with read access only, who sees nothing when there is none', async () => {
    const user = userEvent.setup()
    openWith(photos[0], undefined, ['frame.look-up'])
    await user.click(await screen.findByText('C1 Slate'))
    await large()
    expect(screen.queryByRole('button', { name: 'Camera' })).toBeNull()
    cleanup()
    openWith(null, undefined, ['frame.look-up'])
    await user.click(await screen.findByText('C1 Slate'))
    await screen.findByRole('region', { name: 'Prices' })
    expect(screen.queryByRole('region', { name: 'Photo' })).toBeNull()
  })
})

test('without a connection the page says so, and Try again loads it', async () => {
  const user = userEvent.setup()
  let isCut = true
  open({ answers: (called) => (isCut && called.includes('vendor-brand') ? unreachable : null) })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
  isCut = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('navigation', { name: 'Vendors and brands' })).toBeTruthy()
})

test('a user with read access only has no buttons to change', async () => {
  const user = userEvent.setup()
  open({ place: inProduct, permissions: ['frame.look-up'] })
  await user.click(await screen.findByText('C1 Slate'))
  const sheet = await screen.findByRole('region', { name: 'In stock' })
  expect(within(sheet).getByText('2 pieces')).toBeTruthy()
  for (const name of ['Change', 'Add to stock', 'Custom glasses', 'Add model', 'Add product', 'Vendor']) {
    expect(screen.queryByRole('button', { name })).toBeNull()
  }
})

test('the form of a model reads sizes, UPC and prices, or reports a problem at its field', () => {
  const form = formOfModel(slate)
  expect(readModel(form)).toMatchObject({ ok: true, body: { input: { eye: 52, upc: '036000291452' }, prices: { list_cost: 10_000 } } })
  const wrong = readModel({ ...form, upc: '1', eye: 'wide', discount_pct: '101', msrp: 'x' })
  expect(wrong.ok ? {} : Object.keys(wrong.problems).toSorted()).toEqual(['discount_pct', 'eye', 'msrp', 'upc'])
  expect(readModel({ ...form, color_code: '', color_name: ' ' })).toMatchObject({ problems: { color_name: 'Enter a color' } })
  const markup = { ...form, rule: 'markup', factor: '2.5', ending: '.95' }
  expect(pricedForm(markup)).toMatchObject({ net_cost: 9000, selling_price: 22_495 })
  expect(readModel({ ...markup, list_cost: '' })).toMatchObject({ ok: false, problems: { factor: 'No cost on file' } })
})
