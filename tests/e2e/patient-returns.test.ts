import { expect, test } from 'vitest'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { expectAccessible } from '#tests/e2e/accessibility.ts'

const t = e2eTablet({ as: 'maya' })

const content = () => t.page.getByRole('list', { name: 'Items returned' })
async function openReturn(status: string, reason: string) {
  await t.page.goto(`${t.server.origin}/returns`)
  await t.page.getByRole('row').filter({ hasText: status }).filter({ hasText: reason }).first().click()
  await content().waitFor()
}
const openPatient = () =>
  t.page
    .getByRole('link')
    .filter({ has: t.page.locator('bdi') })
    .click()

test('a returned frame is in stock again', async () => {
  await openReturn('Pending', 'Patient changed mind')
  const sku = await content()
    .getByText(/^[A-Z0-9]+-\d+$/)
    .innerText()
  await t.page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const dialog = t.page.getByRole('dialog')
  await dialog.getByText(/comes off invoice/).waitFor()
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await t.page.getByText('Confirmed', { exact: true }).waitFor()
  await expect.poll(() => content().innerText()).toContain('Back to stock')
  await t.page.goto(`${t.server.origin}/inventory`)
  await t.page.getByRole('textbox', { name: 'Search', exact: true }).fill(sku)
  await t.page.getByRole('row').filter({ hasText: sku }).filter({ hasText: 'Ready for Sale' }).waitFor()
})

test('a user enters a return at the invoice, and it waits for a manager', async () => {
  // After a denial the patient keeps the items, and may return them again.
  await openReturn('Denied', 'Patient changed mind')
  const invoice = (await t.page.getByText(/^Invoice \d+$/).innerText()).match(/\d+/)?.[0]
  await openPatient()
  await t.page.getByRole('button', { name: `Return for invoice ${invoice}` }).click()
  await t.page.getByRole('heading', { name: `Return for invoice ${invoice}` }).waitFor()
  const dialog = t.page.getByRole('dialog')
  const first = dialog.getByRole('combobox').filter({ hasText: '1 item returned' }).first()
  await first.selectOption('1')
  await dialog.getByRole('combobox', { name: /^Reason/ }).selectOption('remake')
  await expectAccessible(t.page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await t.page.getByText(/^Return #\d+ saved/).waitFor()
  await openReturn('Pending', 'Remake')
  await expect.poll(() => content().getByRole('listitem').count()).toBe(1)
})
