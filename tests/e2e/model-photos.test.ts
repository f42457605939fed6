import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FrameRecord } from '#contract/stock/frames.ts'
import type { Model, Product } from '#contract/library/frame-library.ts'
import { officeOf, openClinic, pageOf, signIn, type Office } from '#tests/e2e/clinic.ts'
import { stockOf } from '#tests/e2e/count-room.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed, toastSays } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
/** A piece that lies in stock, and the model that it is of. */
let piece: FrameRecord
let product: Product
let model: Model

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const [frame] = (await stockOf(office)).expected
  if (!frame) throw new Error('The demo clinic has no frames')
  piece = await office.get<FrameRecord>(`/api/inventory/lookup?sku=${frame.sku}`)
  const title = encodeURIComponent(piece.title_product)
  const { products } = await office.get<{ products: Product[] }>(`/api/frame_library/products?brand_id=${piece.brand_id}&search=${title}`)
  for (const found of products) {
    const { models } = await office.get<{ models: Model[] }>(`/api/frame_library/models_by_product/${found.id_product}`)
    const mine = models.find(({ id_model }) => id_model === piece.id_model)
    if (mine) [product, model] = [found, mine]
  }
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await page.setViewportSize(tabletView)
  await signIn(page, server, 'maya')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const alt = () => `${product.brand_name} ${product.title}, ${model.title_variant}`
const row = () =>
  page
    .getByRole('row')
    .filter({ hasText: model.title_variant })
    .filter({ hasText: `${model.eye}-${model.bridge}` })
    .first()
const sheet = () => page.getByRole('dialog', { name: `${product.brand_name} ${product.title}` })
const openProduct = () => page.goto(`${server.origin}/frame-library?brand=${product.brand_id}&product=${product.id_product}`)
const sizeOf = (picture: ReturnType<Page['locator']>) =>
  picture.evaluate(async (element) => {
    const image = element as HTMLImageElement
    await image.decode()
    return [image.naturalWidth, image.naturalHeight]
  })

/** A picture as a tablet's camera makes one, of 2400 × 1800 pixels, drawn by the browser itself. */
async function photo(): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const encoded = await page.evaluate(() => {
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

test('a photo that is put on a model is seen large, in the list and beside a piece, and stays in the browser', async () => {
  await openProduct()
  await row().click()
  await sheet().getByText('No photo yet').waitFor()
  await sheet()
    .getByLabel('Photo: file')
    .setInputFiles(await photo())
  await toastSays(page, 'Photo saved')
  const large = sheet().getByRole('img', { name: alt() })
  await large.waitFor()
  expect(await sizeOf(large)).toEqual([1600, 1200])
  await expectOpenToAll(page)
  await page.keyboard.press('Escape')
  const small = row().locator('img')
  await small.waitFor()
  expect(await sizeOf(small)).toEqual([256, 192])

  await page.reload()
  await small.waitFor()
  await row().click()
  await large.waitFor()
  // Nothing of either came through the network again.
  const sent = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/api/frame_library/photo/'))
      .map((entry) => (entry as PerformanceResourceTiming).transferSize),
  )
  expect(sent).toEqual([0, 0])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Frame lookup', exact: true }).click()
  const lookup = page.getByRole('dialog', { name: 'Frame lookup by Serial / F#' })
  await lookup.getByLabel('Serial / F#').fill(piece.serial)
  await lookup.getByRole('button', { name: 'Look up', exact: true }).click()
  await lookup.getByRole('img', { name: alt() }).waitFor()
  await expectOpenToAll(page)
  await page.keyboard.press('Escape')
})

test('it is removed by the keyboard alone, on a phone', async () => {
  await page.setViewportSize(phoneView)
  await openProduct()
  await row().focus()
  await page.keyboard.press('Enter')
  await sheet().getByRole('img', { name: alt() }).waitFor()
  await expectOpenToAll(page)
  await sheet().getByRole('button', { name: 'Remove' }).focus()
  await page.keyboard.press('Enter')
  const question = page.getByRole('alertdialog', { name: 'Remove the photo?' })
  await question.getByRole('button', { name: 'Remove photo' }).focus()
  await page.keyboard.press('Enter')
  await sheet().getByText('No photo yet').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Photo')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Camera')
})
