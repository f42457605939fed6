import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openClinic, pageOf, signIn, until } from '#tests/e2e/clinic.ts'
import { keptOn, tellWhatShowed, toastSaid } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  await signIn(page, server, 'maya')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

test('what a manager typed is there after a reload and gone once it is saved', async () => {
  await page.goto(`${server.origin}/settings/optical`)
  const address = page.getByRole('form', { name: 'Address on prescriptions' })
  const street = address.getByLabel('Street')
  await street.fill('7 Lantern Row')
  await until(
    () => keptOn<{ key: string }>(page, 'facts'),
    (facts) => facts.some(({ key }) => key.startsWith('patient-draft ')),
    'What was typed right after the sign-in is on the disk',
  )
  await page.reload()
  await address.getByText('We restored your unsaved changes').waitFor()
  expect(await street.inputValue()).toBe('7 Lantern Row')
  await address.getByRole('button', { name: 'Save address' }).click()
  await toastSaid(page, 'Address saved')
  await page.reload()
  await street.waitFor()
  expect(await street.inputValue()).toBe('7 Lantern Row')
  expect(await page.getByText('We restored your unsaved changes').count()).toBe(0)
})
