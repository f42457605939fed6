import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { BookedModel } from '#contract/library/price-book.ts'
import { type PulledFrame } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { fullNames, stockOf } from '#tests/e2e/count-room.ts'
import { toastSaid } from '#tests/e2e/screen.ts'
import { tabletView } from '#tests/support/browser.ts'

const t = e2eTablet({ as: 'maya', viewport: tabletView })
/** A piece of the store at the price of the book, and its model's line in the book. */
let piece: PulledFrame
let line: BookedModel

beforeAll(async () => {
  const { expected } = await stockOf(t.office)
  ;({ piece, line } = await pieceAtBookPrice(expected))
})
beforeEach(async () => {
  await t.page.goto(`${t.server.origin}/price-book`)
  await t.page.getByText('Select a brand.').waitFor()
})

async function pieceAtBookPrice(frames: readonly PulledFrame[]): Promise<{ piece: PulledFrame; line: BookedModel }> {
  for (const frame of frames.filter(({ status, upc }) => status === 'Ready for Sale' && upc !== null)) {
    const found = await t.office.get<{ models: BookedModel[] }>(`/api/price_book/models?search=${frame.upc}`)
    const [booked, other] = found.models
    if (booked && !other && booked.prices.selling_price === frame.pb_selling_price) return { piece: frame, line: booked }
  }
  throw new Error('No piece of the demo clinic costs what the price book says')
}

const prices = () => t.page.getByRole('grid', { name: 'Prices', exact: true })
const rows = () => prices().getByRole('row')
const dialog = () => t.page.getByRole('dialog')
const history = () => dialog().getByRole('region', { name: 'Price history' }).getByRole('listitem')
const button = (name: string | RegExp) => t.page.getByRole('button', { name, exact: true })

async function chooseBrand(brand: string): Promise<void> {
  const choice = t.page.getByRole('search').getByLabel('Brand')
  const option = choice.locator('option', { hasText: `· ${brand} (` })
  await choice.selectOption((await option.getAttribute('value')) ?? '')
  await rows().nth(1).waitFor()
}

test('a user changes one price: the book, its history and the frame lookup show it', async () => {
  await chooseBrand(line.brand_name)
  await t.page.getByRole('searchbox', { name: 'Search' }).fill(piece.upc ?? '')
  await expect.poll(() => prices().getAttribute('aria-rowcount')).toBe('1')
  await rows().nth(1).click()
  await history().first().waitFor()
  const before = await history().count()
  await button('Change price').click()
  await dialog().getByLabel('Change', { exact: true }).selectOption({ label: 'Set one price' })
  await button('Preview').click()
  await dialog().getByRole('alert').waitFor()
  await dialog().getByRole('textbox', { name: 'Price' }).fill('387.50')
  await button('Preview').click()
  await dialog().getByText('1 price would change', { exact: false }).waitFor()
  await dialog().getByRole('grid', { name: 'Preview' }).getByText('$387.50').waitFor()
  await button('Change 1 price').click()
  await toastSaid(t.page, '1 price changed')
  await rows().nth(1).getByText('$387.50').waitFor()

  await rows().nth(1).click()
  await history().first().filter({ hasText: '$387.50' }).getByText(fullNames.maya).waitFor()
  await expect.poll(() => history().count()).toBe(before + 1)
  await t.page.keyboard.press('Escape')

  await button('Frame lookup').click()
  const lookup = t.page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await lookup.getByLabel('Serial / F#').fill(piece.sku)
  await lookup.getByRole('button', { name: 'Look up', exact: true }).click()
  await lookup.getByRole('region', { name: 'Frame', exact: true }).getByText('$387.50', { exact: true }).waitFor()
})

test('a user raises three prices together, as in the preview, and the rest of the brand stays', async () => {
  await chooseBrand(line.brand_name)
  await expect.poll(async () => Number(await prices().getAttribute('aria-rowcount'))).toBeGreaterThan(4)
  const priceAt = (place: number) => rows().nth(place).getByRole('strong')
  const fourth = await priceAt(4).innerText()
  await button('Select models').click()
  for (const place of [1, 2, 3]) await rows().nth(place).click()
  await t.page.getByText('3 models selected').waitFor()
  await button('Change prices').click()
  await dialog().getByLabel('Change', { exact: true }).selectOption({ label: 'Price by percent' })
  await dialog().getByRole('textbox', { name: 'Percent' }).fill('10')
  await dialog().getByLabel('Ending').selectOption({ label: 'Ends in .95' })
  await button('Preview').click()
  await dialog().getByText('3 prices would change', { exact: false }).waitFor()
  const preview = dialog().getByRole('grid', { name: 'Preview' }).getByRole('row')
  const then = await preview.getByRole('strong').allInnerTexts()
  expect(then).toHaveLength(3)
  for (const price of then) expect(price).toMatch(/^\$\d+\.95$/)
  await button('Change 3 prices').click()
  await toastSaid(t.page, '3 prices changed')
  for (const [index, price] of then.entries()) await expect.poll(() => priceAt(index + 1).innerText()).toBe(price)
  expect(await priceAt(4).innerText()).toBe(fourth)

  await rows().nth(1).click()
  await history().first().getByText('with others', { exact: false }).waitFor()
  await t.page.keyboard.press('Escape')
  await t.page.getByRole('tab', { name: 'Changes' }).click()
  const made = t.page.getByRole('list', { name: 'Price changes' }).getByRole('listitem').first()
  await made.getByText('Price +10%, ending in .95 · 3 models').waitFor()
  await expect.poll(() => made.innerText()).toContain(fullNames.maya)
})
