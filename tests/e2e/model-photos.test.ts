import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import type { FrameRecord } from '#contract/stock/frames.ts'
import type { Model, Product } from '#contract/library/frame-library.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { stockOf } from '#tests/e2e/count-room.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'
import { toastSays } from '#tests/e2e/screen.ts'
import { phoneView, tabletView } from '#tests/support/browser.ts'

const t = e2eTablet({ as: 'maya' })
/** A piece in stock, with its product and model. */
let piece: FrameRecord
let product: Product
let model: Model

beforeAll(async () => {
  const [frame] = (await stockOf(t.office)).expected
  if (!frame) throw new Error('The demo clinic has no frames')
  piece = await t.office.get<FrameRecord>(`/api/inventory/lookup?sku=${frame.sku}`)
  const title = encodeURIComponent(piece.title_product)
  const { products } = await t.office.get<{ products: Product[] }>(`/api/frame_library/products?brand_id=${piece.brand_id}&search=${title}`)
  for (const found of products) {
    const { models } = await t.office.get<{ models: Model[] }>(`/api/frame_library/models_by_product/${found.id_product}`)
    const mine = models.find(({ id_model }) => id_model === piece.id_model)
    if (mine) [product, model] = [found, mine]
  }
  await t.page.setViewportSize(tabletView)
})

const alt = () => `${product.brand_name} ${product.title}, ${model.title_variant}`
const row = () =>
  t.page
    .getByRole('row')
    .filter({ hasText: model.title_variant })
    .filter({ hasText: `${model.eye}-${model.bridge}` })
    .first()
const sheet = () => t.page.getByRole('dialog', { name: `${product.brand_name} ${product.title}` })
const openProduct = () => t.page.goto(`${t.server.origin}/frame-library?brand=${product.brand_id}&product=${product.id_product}`)
const sizeOf = (picture: ReturnType<Page['locator']>) =>
  picture.evaluate(async (element) => {
    const image = element as HTMLImageElement
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })

/** A photo as from a tablet's camera, 2400 × 1800 pixels, which the browser draws. */
async function photo(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const encoded = await t.page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2400, height: 1800 })
    const pen = canvas.getContext('2d')!
    pen.fillStyle = '#eee'
    pen.fillRect(0, 0, 2400, 1800)
    pen.lineWidth = 60
    for (const x of [750, 1650]) {
      pen.beginPath()
      pen.arc(x, 900, 350, 0, 2 * Math.PI)
      pen.stroke()
    }
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  return { name: 'Frame.png', mimeType: 'image/png', buffer: Buffer.from(encoded, 'base64') }
}

test('the photo of a model shows large, in the list and beside a piece, and stays in the browser', async () => {
  await openProduct()
  await row().click()
  await sheet().getByText('No photo yet').waitFor()
  await sheet()
    .getByLabel('Photo: file')
    .setInputFiles(await photo())
  await toastSays(t.page, 'Photo saved')
  const large = sheet().getByRole('img', { name: alt() })
  await large.waitFor()
  expect(await sizeOf(large)).toEqual([1600, 1200])
  await expectAccessible(t.page)
  await t.page.keyboard.press('Escape')
  const small = row().locator('img')
  await small.waitFor()
  expect(await sizeOf(small)).toEqual([256, 192])

  await t.page.reload()
  await small.waitFor()
  await row().click()
  await large.waitFor()
  // The browser did not fetch either size again.
  const sent = await t.page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/frame_library/photo/'))
      .map((entry) => (entry as PerformanceResourceTiming).transferSize),
  )
  expect(sent).toEqual([0, 0])
  await t.page.keyboard.press('Escape')

  await t.page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  const lookup = t.page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await lookup.getByLabel('Serial / F#').fill(piece.serial)
  await lookup.getByRole('button', { name: 'Look up', exact: true }).click()
  await lookup.getByRole('img', { name: alt() }).waitFor()
  await expectAccessible(t.page)
  await t.page.keyboard.press('Escape')
})

test('a user removes it with the keyboard alone, on a phone', async () => {
  await t.page.setViewportSize(phoneView)
  await openProduct()
  await row().focus()
  await t.page.keyboard.press('Enter')
  await sheet().getByRole('img', { name: alt() }).waitFor()
  await expectAccessible(t.page)
  await sheet().getByRole('button', { name: 'Remove' }).focus()
  await t.page.keyboard.press('Enter')
  const question = t.page.getByRole('alertdialog', { name: 'Remove the photo?' })
  await question.getByRole('button', { name: 'Remove photo' }).focus()
  await t.page.keyboard.press('Enter')
  await sheet().getByText('No photo yet').waitFor()
  await expect.poll(() => t.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Photo')
  await t.page.keyboard.press('Tab')
  expect(await t.page.evaluate(() => document.activeElement?.textContent)).toBe('Camera')
})
