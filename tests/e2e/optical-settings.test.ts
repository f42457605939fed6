import { expect, test } from 'vitest'
import { until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { keptOn, toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'maya' })

test('a manager’s draft survives a reload, and is gone once it is saved', async () => {
  await t.page.goto(`${t.server.origin}/settings/optical`)
  const address = t.page.getByRole('form', { name: 'Address on prescriptions' })
  const street = address.getByLabel('Street')
  await street.fill('7 Lantern Row')
  await until(
    () => keptOn<{ key: string }>(t.page, 'facts'),
    (facts) => facts.some(({ key }) => key.startsWith('draft ')),
    'The disk holds the street typed right after the sign-in',
  )
  await t.page.reload()
  await address.getByText('We restored your unsaved changes').waitFor()
  await expect.poll(() => street.inputValue()).toBe('7 Lantern Row')
  await address.getByRole('button', { name: 'Save address' }).click()
  await toastSaid(t.page, 'Address saved')
  await t.page.reload()
  await street.waitFor()
  await expect.poll(() => street.inputValue()).toBe('7 Lantern Row')
  expect(await t.page.getByText('We restored your unsaved changes').count()).toBe(0)
})
