import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openClinic, pageOf, people, signIn } from '#tests/e2e/clinic.ts'
import { leaveAlone, lockOn, startsWithoutServer, tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  tablet = await openTablet()
  page = await pageOf(tablet)
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const unlocked = (on: Page) => lockOn(on).waitFor({ state: 'detached' })

test('a tablet that is left alone locks all its windows, shows and tells nothing, and goes on as it was', async () => {
  await signIn(page, server, 'maya')
  await page.getByLabel('Name', { exact: true }).fill('nguyen')
  const found = page.getByRole('list', { name: 'Patients found' }).getByRole('link').first()
  await found.waitFor()
  const other = await tablet.context.newPage()
  await other.goto(`${server.origin}/inventory/count-sheets`)
  await other.getByRole('heading', { name: 'Count sheets' }).first().waitFor()

  await leaveAlone(page)
  await lockOn(other).waitFor()
  expect(await found.isVisible()).toBe(false)
  // By the keyboard neither: what is behind cannot be reached.
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab')
    const inLock = await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null)
    expect(inLock).toBe(true)
  }
  await page.keyboard.press('Escape')
  await lockOn(page).waitFor()

  await page.getByLabel('PIN', { exact: true }).fill('999999')
  await page.getByRole('button', { name: 'Use PIN' }).click()
  await page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  await page.getByLabel('PIN', { exact: true }).fill(people.maya.pin)
  await page.getByRole('button', { name: 'Use PIN' }).click()
  await unlocked(page)
  await unlocked(other)
  await other.close()
  await page.getByRole('list', { name: 'Patients found' }).getByRole('link').first().waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('nguyen')
})

test('without the server the password opens it, patients too', async () => {
  await startsWithoutServer(page)
  await server.kill()
  await leaveAlone(page)
  await page.getByLabel('Password', { exact: true }).fill(people.maya.password)
  await page.getByRole('button', { name: 'Unlock' }).click()
  await unlocked(page)
  await page.getByLabel('Name', { exact: true }).fill('nguyen')
  await page.getByRole('list', { name: 'Patients found' }).getByRole('link').first().waitFor()
})
