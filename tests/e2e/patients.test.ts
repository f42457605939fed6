import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { signIn, until } from '#tests/e2e/clinic.ts'
import { startCount } from '#tests/e2e/count-room.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { feelNetwork, startsWithoutServer } from '#tests/e2e/screen.ts'

const t = e2eTablet()
/** A patient of the store whose name no page shows without a search. */
let bao: Patient

beforeAll(async () => {
  const { patients } = await t.office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const found = patients.find(({ store_id }) => store_id === 1)
  if (!found) throw new Error('The demo clinic has nobody of this name')
  bao = found
})

const linkTo = (on: Page, { id }: Patient) => on.locator(`a[href="/patient/${id}"]`)

/** Types a name on the home page and waits for the tablet's own matches. */
async function find(on: Page, patient: Patient) {
  await on.getByLabel('Name', { exact: true }).fill(`${patient.first_name} nguyen`)
  await linkTo(on, patient).first().waitFor()
}

const audit = async () =>
  (await t.office.get<{ entries: { action: string; rep: string; offline: boolean }[] }>(`/api/patient/${bao.id}/audit`)).entries

describe('a patient’s page', () => {
  test('opens from the search and from its other addresses', async () => {
    await signIn(t.page, t.server, 'maya')
    await find(t.page, bao)
    await linkTo(t.page, bao).first().click()
    await t.page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    const ssn = t.page.getByRole('region', { name: 'Person' }).locator('div', { has: t.page.getByText('SSN', { exact: true }) })
    await ssn.getByText(/•••-••-|—/).waitFor()
    for (const spelling of ['patient_details', 'patient-details']) {
      await t.page.goto(`${t.server.origin}/${spelling}/${bao.id}/`)
      await t.page.waitForURL((url) => url.pathname === `/patient/${bao.id}`)
      await t.page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    }
  })

  test('opens without the server, and the access log gets the look when it is back', async () => {
    // Ana has not looked yet: a second look within a quarter of an hour would count as the same visit.
    await signIn(t.page, t.server, 'ana')
    await find(t.page, bao)
    await startsWithoutServer(t.page)
    await t.server.kill()
    await t.page.goto(`${t.server.origin}/patient/${bao.id}`)
    await t.page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    await t.page.getByText('From this tablet').waitFor()
    await t.server.start()
    await feelNetwork(t.page)
    await until(
      audit,
      (entries) => entries.some(({ action, rep, offline }) => action === 'patient.view' && rep === 'Ana Teixeira' && offline),
      'the server has the look',
    )
    await signIn(t.page, t.server, 'maya')
    await t.page.goto(`${t.server.origin}/patient/${bao.id}/history`)
    await t.page.getByRole('region', { name: 'Access log' }).getByText('Offline').waitFor()
  })
})

describe('the search in the header', () => {
  const fields = () => t.page.getByRole('dialog', { name: 'Look up a patient' })
  const opener = () => t.page.getByRole('button', { name: 'Search by all fields' })
  const found = () => fields().getByRole('list', { name: 'Patients found' }).getByRole('link')

  test('has all fields on every page, and without the server the tablet answers while a user types', async () => {
    await signIn(t.page, t.server, 'maya')
    await find(t.page, bao)
    await startsWithoutServer(t.page)
    await t.server.kill()
    await t.page.goto(`${t.server.origin}/inventory`)
    await opener().click()
    await fields().getByText('You’re offline. Searching only this store’s patients on this device.').waitFor()
    // The search of the home page ended with that page.
    await t.page.keyboard.type('nguyen')
    await fields()
      .getByLabel('DOB')
      .fill(bao.dob ?? '')
    // Wait until the tablet has read all patients and compared both fields. Before that, the list may show a patient
    // who disappears again.
    await fields().getByText('1 patient on this device').waitFor()
    await t.page.keyboard.press('ArrowDown')
    await expect.poll(() => found().evaluate((link) => link === document.activeElement)).toBe(true)
    await t.page.keyboard.press('Escape')
    await fields().waitFor({ state: 'detached' })
    expect(await opener().evaluate((button) => button === document.activeElement)).toBe(true)
    await opener().click()
    await found().click()
    await t.page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    await expect.poll(() => t.page.evaluate(() => document.activeElement?.id)).toBe('content')
    // The log of the look waits to be sent, but it is no work. A new count is, and the header says so. The patient field
    // beside those words stays wide enough for a name.
    await t.page.getByRole('link', { name: /^Offline\. Open the Sync center/ }).waitFor()
    await startCount(t.page, t.server.origin)
    await t.page.goto(`${t.server.origin}/patient/${bao.id}`)
    const chip = t.page.getByRole('link', { name: /^Offline, 1 to send/ })
    // The age of the oldest entry updates when the page opens, and then every half minute.
    const told = async () => (await t.page.reload(), await chip.getAttribute('aria-label'))
    await expect.poll(told).toMatch(/oldest/)
    expect((await t.page.getByRole('combobox', { name: 'Patient' }).boundingBox())?.width).toBeGreaterThan(100)
    expect(await t.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  test('shows the server’s matches on the home page', async () => {
    await t.server.start()
    await feelNetwork(t.page)
    await t.page.goto(`${t.server.origin}/inventory`)
    await opener().click()
    await fields().getByLabel('DOB').fill('yesterday')
    await fields().getByRole('button', { name: 'More fields' }).click()
    await fields().getByLabel('City').fill(bao.city)
    await fields().getByRole('button', { name: 'Search', exact: true }).click()
    await fields().getByRole('alert').filter({ hasText: 'must be a date or a year, like 02/28/1980' }).waitFor()
    await fields()
      .getByLabel('DOB')
      .fill(bao.dob ?? '')
    await fields().getByLabel('Last Name').fill('nguyen')
    await t.page.keyboard.press('Enter')
    await t.page.waitForURL((url) => url.pathname === '/')
    await linkTo(t.page, bao).first().waitFor()
    await t.page.getByText('1 patient', { exact: true }).waitFor()
    await expect.poll(() => t.page.getByLabel('Last Name').inputValue()).toBe('nguyen')
    await t.page.getByRole('banner').getByRole('button', { name: 'Look up patient information' }).click()
    expect(await t.page.getByLabel('Name', { exact: true }).evaluate((input) => input === document.activeElement)).toBe(true)
  })
})
