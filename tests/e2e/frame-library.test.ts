import type { Locator } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'ben' })

beforeEach(openFirstProduct)

const tree = () => t.page.getByRole('navigation', { name: 'Vendors and brands' })
const models = () => t.page.getByRole('grid', { name: 'Models' })
const modelWith = (text: string) => models().getByRole('row').filter({ hasText: text })
const dialog = () => t.page.getByRole('dialog')
const field = (name: string) => dialog().getByRole('textbox', { name, exact: true })

async function openFirstProduct(): Promise<void> {
  await t.page.goto(`${t.server.origin}/frame-library`)
  await tree().getByRole('button', { name: 'Pellworth Optics', exact: true }).click()
  await tree()
    .getByRole('button', { name: /^Quillmoor/ })
    .click()
  const products = t.page.getByRole('grid', { name: 'Products' })
  await products.getByRole('row').nth(1).click()
  await models().getByRole('row').nth(1).waitFor()
}

async function save(name = 'Save'): Promise<void> {
  await dialog().getByRole('button', { name, exact: true }).click()
}

async function addModel(color: string): Promise<void> {
  await t.page.getByRole('button', { name: 'Add model' }).click()
  await field('Color').fill(color)
  await save()
  await toastSaid(t.page, `${color} added to the library`)
  await modelWith(color).waitFor()
}

/** Returns the error of a field, as a screen reader reads it. */
async function problemOf(of: Locator): Promise<string> {
  return await of.evaluate((input) => {
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ')
    return ids.map((id) => document.getElementById(id)?.textContent ?? '').join(' ')
  })
}

test('a model without a color gets a message at the field, and joins the list once it has one', async () => {
  const before = Number(await models().getAttribute('aria-rowcount'))
  await t.page.getByRole('button', { name: 'Add model' }).click()
  await save()
  await dialog().getByRole('alert').getByText('Enter a color').waitFor()
  expect(await problemOf(field('Color'))).toBe('Enter a color')
  await expect.poll(() => field('Color').evaluate((input) => input === document.activeElement)).toBe(true)
  // Colors of a style share their sizes: the form of a new color starts with the sizes of the last one.
  await expect.poll(() => field('Eye').inputValue()).toMatch(/^\d{2}$/)
  await field('Color code').fill('C77')
  await field('Color').fill('Harbor Gray')
  await field('UPC').fill('12345')
  await save()
  await dialog().getByRole('alert').getByText(/UPC/).waitFor()
  await field('UPC').fill('')
  await save()
  await toastSaid(t.page, 'C77 Harbor Gray added to the library')
  await modelWith('C77 Harbor Gray').waitFor()
  expect(await models().getAttribute('aria-rowcount')).toBe(String(before + 1))
})

test('a user changes a model and marks it as discontinued', async () => {
  await addModel('Tide Green')
  await modelWith('Tide Green').click()
  await save('Edit')
  await dialog()
    .getByRole('heading', { name: /^Edit / })
    .waitFor()
  await field('Color').fill('Tide Blue')
  await field('Eye').fill('47.5')
  await save()
  await toastSaid(t.page, 'Tide Blue updated')
  await modelWith('Tide Blue').getByText('47.5').waitFor()

  await modelWith('Tide Blue').click()
  await save('Edit')
  await dialog().getByLabel('Discontinued since').fill('2025-03-01')
  await save()
  await toastSaid(t.page, 'Tide Blue updated')
  await modelWith('Tide Blue').getByText('Discontinued', { exact: true }).waitFor()
  await modelWith('Tide Blue').click()
  await dialog().getByText('Discontinued since').waitFor()
  await t.page.keyboard.press('Escape')
})

test('a user adds two pieces of a model to stock, and the inventory lists them', async () => {
  await addModel('Signal Red')
  await modelWith('Signal Red').click()
  await dialog().getByText('Not in any store.').waitFor()
  await save('Add to stock')
  await field('Pieces').fill('0')
  await save('Add')
  await dialog().getByRole('alert').getByText('Enter a number from 1 to 100').waitFor()
  await field('Pieces').fill('2')
  await field('Place').fill('Wall Q9')
  await save('Add')
  await toastSaid(t.page, '2 frames added', /[A-Z]+-\d+ to [A-Z]+-\d+/)
  await modelWith('Signal Red').getByRole('gridcell', { name: '2', exact: true }).waitFor()
  await modelWith('Signal Red').click()
  await dialog().getByRole('region', { name: 'In stock' }).getByText('2 pieces').waitFor()

  await t.page.goto(`${t.server.origin}/inventory`)
  await t.page.getByRole('textbox', { name: 'Search' }).fill('Signal Red')
  const pieces = t.page.getByRole('grid').getByRole('row').filter({ hasText: 'Signal Red' })
  await expect.poll(() => pieces.count()).toBe(2)
  for (const piece of await pieces.all()) expect(await piece.innerText()).toMatch(/[A-Z]+-\d+[\s\S]*Ready for Sale/)
})
