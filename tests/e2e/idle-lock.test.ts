import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { people, signIn } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { leaveAlone, lockOn, startsWithoutServer } from '#tests/e2e/screen.ts'

const t = e2eTablet()

/** The sidebar of a tablet shows only icons. */
const userMenuOf = (name: string) => t.page.locator(`button[aria-label*="${name}@lorgnette.example"]`)
const unlocked = (on: Page) => lockOn(on).waitFor({ state: 'detached' })

test('an idle tablet locks all its windows, hides everything, and continues after the PIN where it was', async () => {
  await signIn(t.page, t.server, 'maya')
  await t.page.getByLabel('Name', { exact: true }).fill('nguyen')
  const found = t.page.getByRole('list', { name: 'Patients found' }).getByRole('link').first()
  await found.waitFor()
  const other = await t.tablet.context.newPage()
  await other.goto(`${t.server.origin}/inventory/count-sheets`)
  await other.getByRole('heading', { name: 'Count sheets' }).first().waitFor()

  await leaveAlone(t.page)
  await lockOn(other).waitFor()
  // The names are not only hidden: they left the document.
  expect(await t.page.locator('#app').count()).toBe(0)
  // The keyboard cannot reach the page behind the lock either.
  for (let press = 0; press < 12; press++) {
    await t.page.keyboard.press('Tab')
    const inLock = await t.page.evaluate(
      () => document.activeElement === document.body || document.activeElement?.closest('dialog') !== null,
    )
    expect(inLock).toBe(true)
  }
  await t.page.keyboard.press('Escape')
  await lockOn(t.page).waitFor()

  await t.page.getByLabel('PIN', { exact: true }).fill('999999')
  await t.page.getByRole('button', { name: 'Use PIN' }).click()
  await t.page.getByRole('alert').filter({ hasText: /\S/ }).first().waitFor()
  await t.page.getByLabel('PIN', { exact: true }).fill(people.maya.pin)
  await t.page.getByRole('button', { name: 'Use PIN' }).click()
  await unlocked(t.page)
  await unlocked(other)
  await other.close()
  await t.page.getByRole('list', { name: 'Patients found' }).getByRole('link').first().waitFor()
  await expect.poll(() => t.page.getByLabel('Name', { exact: true }).inputValue()).toBe('nguyen')
})

test('a colleague’s PIN switches the locked tablet to them, and each user returns to their page', async () => {
  await signIn(t.page, t.server, 'ana')
  await signIn(t.page, t.server, 'maya')
  await t.page.goto(`${t.server.origin}/inventory/count-sheets`)
  await t.page.getByRole('heading', { name: 'Count sheets' }).first().waitFor()
  await leaveAlone(t.page)
  const usePin = async (pin: string) => {
    await t.page.getByLabel('PIN', { exact: true }).fill(pin)
    await t.page.getByRole('button', { name: 'Use PIN' }).click()
    await unlocked(t.page)
  }
  await usePin(people.ana.pin)
  await t.page.waitForURL(`${t.server.origin}/`)
  await userMenuOf('ana').waitFor({ state: 'attached' })
  await leaveAlone(t.page)
  await usePin(people.maya.pin)
  await t.page.waitForURL(`${t.server.origin}/inventory/count-sheets`)
  await userMenuOf('maya').waitFor({ state: 'attached' })
})

test('without the server the password unlocks the tablet and its patients', async () => {
  await t.page.goto(t.server.origin)
  await startsWithoutServer(t.page)
  await t.server.kill()
  await leaveAlone(t.page)
  await t.page.getByLabel('Password', { exact: true }).fill(people.maya.password)
  await t.page.getByRole('button', { name: 'Unlock' }).click()
  await unlocked(t.page)
  await t.page.getByLabel('Name', { exact: true }).fill('nguyen')
  await t.page.getByRole('list', { name: 'Patients found' }).getByRole('link').first().waitFor()
})
