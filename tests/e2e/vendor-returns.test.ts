import { expect, test } from 'vitest'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { scan } from '#tests/e2e/wedge-scanner.ts'

const t = e2eTablet({ as: 'maya' })

const frames = () => t.page.getByRole('list', { name: 'Frames on this return' })
async function openReturn(status: string) {
  await t.page.goto(`${t.server.origin}/returns?tab=open`)
  await t.page.getByRole('row').filter({ hasText: status }).first().click()
  await frames().waitFor()
}

test('a piece that is scanned onto a return leaves the stock with the parcel', async () => {
  await openReturn('RMA requested')
  const before = await frames().getByRole('listitem').count()
  // The removed piece is still in the drawer, so a user scans it onto the return again.
  const first = frames().getByRole('listitem').first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await t.page.getByRole('button', { name: `Remove ${tag}` }).click()
  await expect.poll(() => frames().getByRole('listitem').count()).toBe(before - 1)
  await scan(t.page, tag)
  await expect.poll(() => frames().getByRole('listitem').count()).toBe(before)
  await t.page.getByRole('button', { name: 'Enter RMA number' }).click()
  await t.page.getByRole('textbox', { name: /RMA number/ }).fill('RA-4711')
  await t.page.getByRole('button', { name: 'Save' }).click()
  await t.page.getByText('RMA approved').first().waitFor()
  await t.page.getByRole('button', { name: 'Ship' }).click()
  await t.page.getByRole('dialog').getByRole('button', { name: 'Ship' }).click()
  await t.page.getByText('Shipped', { exact: true }).first().waitFor()
  expect(await frames().getByText('Removed').count()).toBe(before)
})
