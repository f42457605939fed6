import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, until, type Office } from '#tests/e2e/clinic.ts'
import { feelNetwork, startsWithoutServer, tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
/** One of the store’s patients, whose name no page shows by itself. */
let bao: Patient

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const { patients } = await office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=nguyen')
  const found = patients.find(({ store_id }) => store_id === 1)
  if (!found) throw new Error('The demo clinic has nobody of this name')
  bao = found
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

const linkTo = (on: Page, { id }: Patient) => on.locator(`a[href="/patient/${id}"]`)

/** Types a name on the home page and waits for whom the tablet itself knows. */
async function find(on: Page, patient: Patient) {
  await on.getByLabel('Name', { exact: true }).fill(`${patient.first_name} nguyen`)
  await linkTo(on, patient).first().waitFor()
}

const audit = async () =>
  (await office.get<{ entries: { action: string; rep: string; offline: boolean }[] }>(`/api/patient/${bao.id}/audit`)).entries

describe('a patient’s page', () => {
  test('opens from the search, and its other addresses lead to it', async () => {
    await signIn(page, server, 'maya')
    await find(page, bao)
    await linkTo(page, bao).first().click()
    await page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    await page.getByText('•••-••-').or(page.getByText('not known').first()).first().waitFor()
    for (const spelling of ['patient_details', 'patient-details']) {
      await page.goto(`${server.origin}/${spelling}/${bao.id}/`)
      await page.waitForURL((url) => url.pathname === `/patient/${bao.id}`)
      await page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    }
  })

  test('opens with the server gone, and the look is told when it is back', async () => {
    // Somebody who has not looked yet: a second look within a quarter of an hour is the same one.
    await signIn(page, server, 'ana')
    await find(page, bao)
    await startsWithoutServer(page)
    await server.kill()
    await page.goto(`${server.origin}/patient/${bao.id}`)
    await page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    await page.getByText('From this tablet').waitFor()
    await server.start()
    await feelNetwork(page)
    await until(
      audit,
      (entries) => entries.some(({ action, rep, offline }) => action === 'patient.view' && rep === 'Ana Teixeira' && offline),
      'the look is told',
    )
    await signIn(page, server, 'maya')
    await page.goto(`${server.origin}/patient/${bao.id}/history`)
    await page.getByRole('region', { name: 'Access log' }).getByText('Offline').waitFor()
  })
})

describe('the search in the header', () => {
  const fields = () => page.getByRole('dialog', { name: 'Look up a patient' })
  const opener = () => page.getByRole('button', { name: 'Search by all fields' })
  const found = () => fields().getByRole('list', { name: 'Patients found' }).getByRole('link')

  test('has all fields on every page, and the tablet answers as one types with the server gone', async () => {
    await signIn(page, server, 'maya')
    await find(page, bao)
    await startsWithoutServer(page)
    await server.kill()
    await page.goto(`${server.origin}/inventory`)
    await opener().click()
    await fields().getByText('You’re offline. Searching only this store’s patients on this device.').waitFor()
    // What was looked for on the home page went with that page.
    await page.keyboard.type('nguyen')
    await fields()
      .getByLabel('DOB')
      .fill(bao.dob ?? '')
    // All are read, and both fields are looked for: before, there may be one who is gone in the next moment.
    await fields().getByText('1 patient on this device').waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => found().evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape')
    await fields().waitFor({ state: 'detached' })
    expect(await opener().evaluate((button) => button === document.activeElement)).toBe(true)
    await opener().click()
    await found().click()
    await page.getByRole('heading', { level: 1, name: bao.first_name }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
    // The look at the record waits to be told, which the header says; the line beside it stays wide enough for a name.
    const chip = page.getByRole('link', { name: /^Offline, \d+ to send/ })
    // It tells the age of what has waited for a second when the page is opened, and else by the half minute.
    const told = async () => (await page.reload(), await chip.getAttribute('aria-label'))
    await expect.poll(told).toMatch(/oldest/)
    expect((await page.getByRole('textbox', { name: 'Patient' }).boundingBox())?.width).toBeGreaterThan(100)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  })

  test('shows on the home page whom the server found', async () => {
    await server.start()
    await feelNetwork(page)
    await page.goto(`${server.origin}/inventory`)
    await opener().click()
    await fields().getByLabel('DOB').fill('yesterday')
    await fields().getByRole('button', { name: 'More fields' }).click()
    await fields().getByLabel('City').fill(bao.city)
    await fields().getByRole('button', { name: 'Search', exact: true }).click()
    await fields().getByRole('alert').filter({ hasText: 'must be a date, like 02/28/1980' }).waitFor()
    await fields()
      .getByLabel('DOB')
      .fill(bao.dob ?? '')
    await fields().getByLabel('Last Name').fill('nguyen')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname === '/')
    await linkTo(page, bao).first().waitFor()
    await page.getByText('1 patient', { exact: true }).waitFor()
    expect(await page.getByLabel('Last Name').inputValue()).toBe('nguyen')
    await page.getByRole('banner').getByRole('button', { name: 'Look up patient information' }).click()
    expect(await page.getByLabel('Name', { exact: true }).evaluate((input) => input === document.activeElement)).toBe(true)
  })
})
