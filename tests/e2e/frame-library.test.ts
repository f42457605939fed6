import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { tellWhatShowed, toastSaid } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'ben')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
beforeEach(openFirstProduct)
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const tree = () => page.getByRole('navigation', { name: 'Vendors and brands' })
const models = () => page.getByRole('grid', { name: 'Models' })
const modelWith = (text: string) => models().getByRole('row').filter({ hasText: text })
const dialog = () => page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })

async function openFirstProduct(): Promise<void> {
  await page.goto(`${server.origin}/frame-library`)
  await tree().getByRole('button', { name: 'Pellworth Optics', exact: true }).click()
  await tree()
    .getByRole('button', { name: /^Quillmoor/ })
    .click()
  const products = page.getByRole('grid', { name: 'Products' })
  await products.getByRole('row').nth(1).click()
  await models().getByRole('row').nth(1).waitFor()
}

async function save(name = 'Save'): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).click()
}

async function addModel(color: string): Promise<void> {
  await page.getByRole('button', { name: 'Add model' }).click()
  await field('Color').fill(color)
  await save()
  await toastSaid(page, `${color} added to the library`)
  await modelWith(color).waitFor()
}

/** What is said to be wrong with what stands in a field, as a screen reader tells it. */
async function problemOf(of: Locator): Promise<string> {
  return await of.evaluate((input) => {
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ')
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })
}

test('a model without a color is told so at the field, and is in the list when it has one', async () => {
  const before = Number(await models().getAttribute('aria-rowcount'))
  await page.getByRole('button', { name: 'Add model' }).click()
  await save()
  await dialog().getByRole('alert').getByText('Enter a color').waitFor()
  expect(await problemOf(field('Color'))).toBe('Enter a color')
  await expect.poll(() => field('Color').evaluate((input) => input === document.activeElement)).toBe(true)
  // Colours of a style share their sizes: the new one begins with those of the one before.
  expect(await field('Eye').inputValue()).toMatch(/^\d{2}$/)
  await field('Color code').fill('C77')
  await field('Color').fill('Harbor Gray')
  await field('UPC').fill('12345')
  await save()
  await dialog().getByRole('alert').getByText(/UPC/).waitFor()
  await field('UPC').fill('')
  await save()
  await toastSaid(page, 'C77 Harbor Gray added to the library')
  await modelWith('C77 Harbor Gray').waitFor()
  expect(await models().getAttribute('aria-rowcount')).toBe(String(before + 1))
})

test('a model is changed, and is told to be no longer made', async () => {
  await addModel('Tide Green')
  await modelWith('Tide Green').click()
  await save('Change')
  await dialog()
    .getByRole('heading', { name: /^Change / })
    .waitFor()
  await field('Color').fill('Tide Blue')
  await field('Eye').fill('47.5')
  await save()
  await toastSaid(page, 'Tide Blue updated')
  await modelWith('Tide Blue').getByText('47.5').waitFor()

  await modelWith('Tide Blue').click()
  await save('Change')
  await dialog().getByLabel('Discontinued since').fill('2025-03-01')
  await save()
  await toastSaid(page, 'Tide Blue updated')
  await modelWith('Tide Blue').getByText('Discontinued', { exact: true }).waitFor()
  await modelWith('Tide Blue').click()
  await dialog().getByText('Discontinued since').waitFor()
  await page.keyboard.press('Escape')
})

test('two pieces of a model are added to stock, and lie in the inventory', async () => {
  await addModel('Signal Red')
  await modelWith('Signal Red').click()
  await dialog().getByText('Not in any store.').waitFor()
  await save('Add to stock')
  await field('Pieces').fill('0')
  await save('Add')
  await dialog().getByRole('alert').getByText('must be 1 to 100').waitFor()
  await field('Pieces').fill('2')
  await field('Place').fill('Wall Q9')
  await save('Add')
  await toastSaid(page, '2 frames added', /[A-Z]+-\d+ to [A-Z]+-\d+/)
  await modelWith('Signal Red').getByRole('gridcell', { name: '2', exact: true }).waitFor()
  await modelWith('Signal Red').click()
  await dialog().getByRole('region', { name: 'In stock' }).getByText('2 pieces').waitFor()

  await page.goto(`${server.origin}/inventory`)
  await page.getByRole('textbox', { name: 'Search' }).fill('Signal Red')
  const pieces = page.getByRole('grid').getByRole('row').filter({ hasText: 'Signal Red' })
  await expect.poll(() => pieces.count()).toBe(2)
  for (const piece of await pieces.all()) expect(await piece.innerText()).toMatch(/[A-Z]+-\d+[\s\S]*Ready for Sale/)
})
