// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { BookedModel, BookedPrices } from '#contract/library/price-book.ts'
import type { Permission } from '#contract/core/roles.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import { DeviceProvider } from '#src/sync/react/device-context.tsx'
import { toastStore } from '#src/ui/toast-store.ts'
import { enterIncompleteDate } from '#tests/support/enter-incomplete-date.ts'
import { unisolatedNames } from '#tests/support/bidi-names.ts'
import { mayasHome, refused, screenDevice, unreachable, type Answers } from '#tests/support/screen-device.ts'
import { wholeText } from '#tests/support/whole-text.ts'
import { PriceBookScreen } from './price-book-screen.tsx'

afterEach(() => {
  expect(unisolatedNames('Maya Okafor')).toEqual([])
  cleanup()
  toastStore.setState({ toast: null })
})

const prices = (selling_price: number): BookedPrices => ({
  list_cost: 10_000,
  discount_pct: 10,
  net_cost: 9000,
  msrp: null,
  rule: { kind: 'fixed', cents: selling_price },
  selling_price,
  margin_pct: 55,
})
const line = (id: number): BookedModel => ({
  id_model: id,
  id_product: 20,
  brand_id: 3,
  brand_name: 'Aster',
  title: `Cove ${id}`,
  title_variant: 'C1 Slate',
  eye: 52,
  bridge: 18,
  temple: 140,
  version: id + 1,
  discontinued: false,
  prices: prices(20_000),
  priced_at: '2026-01-01T10:00:00.000Z',
  priced_by: 'Maya Okafor',
  in_stock: 4,
  planned_on: null,
})
const waiting = {
  id_price_change: '0198c2f4-0000-7000-8000-000000000001',
  effective_on: '2027-01-01',
  change: { kind: 'percent', percent: 5, ending: '.00' },
  reprice_stock: true,
  created_at: '2026-01-02T10:00:00.000Z',
  rep: 'Maya Okafor',
  applied_at: null,
  cancelled_at: null,
  cancelled_by: null,
  models: 2,
  skipped: 0,
}

type Given = { params?: Record<string, string>; query?: Record<string, string>; body?: Record<string, any> }

function open(
  options: {
    view?: 'prices' | 'changes'
    permissions?: Permission[]
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
      if (called === 'GET /api/price_book/vendor_brand') {
        return {
          ok: true,
          value: { vendors: [{ vendor_id: 7, name: 'Northlight', brands: [{ brand_id: 3, name: 'Aster', models: 2, unpriced: 1 }] }] },
        }
      }
      if (called === 'GET /api/price_book/models')
        return { ok: true, value: { models: [line(1), line(2)], page: 1, page_size: 100, total: 2 } }
      if (called.startsWith('GET /api/price_book/history')) {
        return {
          ok: true,
          value: { history: [{ at: '2026-01-01T10:00:00.000Z', rep: 'Maya Okafor', planned: true, prices: prices(20_000) }] },
        }
      }
      if (called === 'POST /api/price_book/preview') {
        const rows = [
          { id_model: 1, before: prices(20_000), after: prices(21_000), problem: null, in_stock: 4 },
          { id_model: 2, before: prices(20_000), after: null, problem: 'No cost on file', in_stock: 4 },
        ]
        return { ok: true, value: { rows } }
      }
      if (called === 'GET /api/price_book/changes') return { ok: true, value: { changes: [waiting] } }
      return unreachable
    },
  })
  made.state.setState({ home: { ...mayasHome, permissions: options.permissions ?? ['frame.look-up', 'frame.price', 'frame.see-cost'] } })
  const today = dayOf(made.device.serverNow(), 'America/New_York')
  render(
    <DeviceProvider device={made.device}>
      <PriceBookScreen view={options.view ?? 'prices'} onView={() => undefined} brand={3} onBrand={() => undefined} />
    </DeviceProvider>,
  )
  return { asked, today, sent: (called: string) => asked.filter(([one]) => one === called).map(([, given]) => given) }
}

async function chooseAll(user: ReturnType<typeof userEvent.setup>) {
  await user.click(await screen.findByRole('button', { name: 'Select models' }))
  await user.click(screen.getByRole('button', { name: 'Select all 2' }))
  await user.click(screen.getByRole('button', { name: 'Change prices' }))
  await screen.findByLabelText(/^Percent/)
}

test('a line opens with its selling rule and its price history', async () => {
  const user = userEvent.setup()
  open()
  await user.click(await screen.findByText('Aster Cove 1'))
  expect(await screen.findByText(wholeText(/^Maya Okafor, .*, with others$/))).toBeTruthy()
  expect(screen.getByText('Selling rule').nextElementSibling?.textContent).toBe('Fixed')
  expect(screen.getByRole('button', { name: 'Change price' })).toBeTruthy()
})

test('many prices are previewed, and then changed exactly as shown, from the chosen day on', async () => {
  const user = userEvent.setup()
  const { sent, today } = open({
    answers: (called) =>
      called === 'POST /api/price_book/changes' ? { ok: true, value: { ...waiting, models: 1, applied_at: null } } : null,
  })
  await chooseAll(user)
  await user.type(screen.getByLabelText(/^Percent/), 'five')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText('Enter a number, like 5 or 2.5')).toBeTruthy()
  await user.clear(screen.getByLabelText(/^Percent/))
  await user.type(screen.getByLabelText(/^Percent/), '5')
  enterIncompleteDate(screen.getByLabelText(/^From/))
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(screen.getByText('Enter a full date')).toBeTruthy()
  expect(sent('POST /api/price_book/preview')).toEqual([])
  fireEvent.change(screen.getByLabelText(/^From/), { target: { value: today } })
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  expect(await screen.findByText(/1 price would change and up to 4 pieces in stock. 1 model can’t be priced/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Change 1 price' }))
  await waitFor(() => expect(toastStore.getState().toast?.title).toMatch(/^1 price will change on/))
  expect(sent('POST /api/price_book/changes')[0]?.body).toMatchObject({
    effective_on: today,
    reprice_stock: true,
    change: { kind: 'percent', percent: 5, ending: '.00' },
    models: [
      { id_model: 1, version: 2 },
      { id_model: 2, version: 3 },
    ],
  })
})

test('a retry after a lost answer uses the same id, and a refusal needs a new preview', async () => {
  const user = userEvent.setup()
  let times = 0
  const { sent } = open({
    answers: (called) => {
      if (called !== 'POST /api/price_book/changes') return null
      times += 1
      return times === 1 ? unreachable : refused(409, 'model-changed')
    },
  })
  await chooseAll(user)
  await user.type(screen.getByLabelText(/^Percent/), '5')
  await user.click(screen.getByRole('button', { name: 'Preview' }))
  await user.click(await screen.findByRole('button', { name: 'Change 1 price' }))
  expect(await screen.findByText(/Press again to confirm/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Change 1 price' }))
  expect(await screen.findByText(/No prices were changed/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Preview' })).toBeTruthy()
  const [first, second] = sent('POST /api/price_book/changes').map(({ body }) => body?.['id_price_change'])
  expect(first).toBe(second)
})

test('a planned change is canceled after a question', async () => {
  const user = userEvent.setup()
  const { sent } = open({
    view: 'changes',
    answers: (called) => (called.includes('/cancel') ? { ok: true, value: waiting } : null),
  })
  expect(await screen.findByText('Price +5%, ending in .00 · 2 models')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel change' }))
  expect(sent('POST /api/price_book/changes/{id}/cancel')).toEqual([])
  expect(await screen.findByText('Cancel this price change?')).toBeTruthy()
  await user.click(screen.getAllByRole('button', { name: 'Cancel change' }).at(-1)!)
  await waitFor(() => expect(sent('POST /api/price_book/changes/{id}/cancel')[0]?.params).toEqual({ id: waiting.id_price_change }))
})

test('a user who may not change prices can read them, and without a connection the page says so', async () => {
  open({ permissions: ['frame.look-up'] })
  expect(await screen.findByText('Aster Cove 1')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Select models' })).toBeNull()
  expect(screen.queryByRole('tab')).toBeNull()
  cleanup()
  open({ answers: (called) => (called === 'GET /api/price_book/models' ? unreachable : null) })
  expect(await screen.findByText('This needs a connection')).toBeTruthy()
})
