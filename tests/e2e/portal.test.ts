import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, type Office } from '#tests/e2e/clinic.ts'
import { expectAccessible, expectAccessibleAtEveryWidth } from '#tests/e2e/accessibility.ts'
import { toastSays } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
/** The patient's own phone. It holds nothing of the clinic. */
let phone: Tablet
let theirs: Page
let patient: Patient

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const added = await office.send<Patient>('POST', '/api/patient/add', {
    first_name: 'Wilhelmina',
    last_name: 'Portalova',
    dob: '1984-05-17',
    gender: 'Female',
    street_address: '7 Depot Rd',
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12847',
    phone: '5185550101',
  })
  expect(added.status).toBe(200)
  patient = added.body
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
  phone = await openTablet({ reducedMotion: 'reduce', viewport: phoneView })
  theirs = await pageOf(phone)
  await signIn(page, server, 'maya')
})
afterAll(async () => {
  await tablet?.close()
  await phone?.close()
  await server?.remove()
})

const dialog = () => page.getByRole('dialog')
const onFile = () => office.get<Patient>(`/api/patient/${patient.id}?reason=test`)

test('a user invites a patient with a link, the patient sends the form, and the user accepts it field by field', async () => {
  await page.goto(`${server.origin}/pt-portal`)
  await page.getByRole('tab', { name: /^Invitations/ }).waitFor()
  await expectAccessibleAtEveryWidth(page)

  await page.getByRole('button', { name: 'Invite a patient' }).click()
  await dialog().getByLabel('Name, date of birth or phone').fill('portalova')
  await dialog().getByRole('button', { name: 'Search' }).click()
  await dialog()
    .getByRole('button', { name: /Portalova/ })
    .waitFor()
  await expectAccessible(page)
  await dialog()
    .getByRole('button', { name: /Portalova/ })
    .click()
  await dialog()
    .getByRole('radio', { name: /A link to give in person/ })
    .click()
  await expectAccessible(page)
  await dialog().getByRole('button', { name: 'Create link' }).click()
  await dialog().getByLabel('Personal link').waitFor()
  await expectAccessible(page)
  const link = await dialog().getByLabel('Personal link').inputValue()
  expect(link.startsWith(`${server.origin}/portal#`)).toBe(true)
  await dialog().getByRole('button', { name: 'Close' }).last().click()

  await theirs.goto(link)
  await theirs.getByLabel('Date of birth').fill('1984-05-18')
  await expectAccessible(theirs)
  await theirs.getByRole('button', { name: 'Open the portal' }).click()
  await theirs.getByRole('alert').waitFor()
  await expectAccessible(theirs)
  expect(await theirs.getByText('Wilhelmina').count()).toBe(0)
  await theirs.getByLabel('Date of birth').fill('1984-05-17')
  await theirs.getByRole('button', { name: 'Open the portal' }).click()
  await theirs.getByRole('heading', { name: 'Hello Wilhelmina' }).waitFor()
  await expectAccessible(theirs)
  await theirs.getByRole('checkbox', { name: /Text messages/ }).click()
  await theirs.getByRole('button', { name: 'Accept the invitation' }).click()
  await theirs.getByText('We may send you text messages.').waitFor()
  await expectAccessible(theirs)

  await theirs.getByRole('button', { name: 'Fill out the form' }).click()
  await theirs.getByLabel('City').fill('Larkspur')
  await theirs.getByLabel('Cell phone').fill('12')
  await theirs.getByLabel('Allergies').fill('Penicillin')
  await theirs.getByLabel('Your insurance').fill('Clear Harbour Vision, ZX8841')
  await theirs.getByRole('button', { name: 'Send to the clinic' }).click()
  await theirs.getByText('Please check the highlighted fields.').waitFor()
  await expectAccessible(theirs)
  await theirs.getByLabel('Cell phone').fill('(518) 555-0199')
  await theirs.getByRole('button', { name: 'Send to the clinic' }).click()
  await theirs.getByText(/waiting for the clinic/).waitFor()
  await theirs.getByLabel('Write to the clinic').fill('May I come a day earlier?')
  await theirs.getByRole('button', { name: 'Send', exact: true }).click()
  await theirs.getByText(/^Sent\. The clinic will reply/).waitFor()
  await expectAccessible(theirs)
  // The record has none of the answers before a user reviews them.
  expect(await onFile()).toMatchObject({ city: 'Millbrook Falls', phone: '5185550101', allergies: null })

  await page.reload()
  await page.getByRole('tab', { name: /^Unread messages \(\d+\)$/ }).click()
  await page.getByText('May I come a day earlier?').waitFor()
  await expectAccessibleAtEveryWidth(page)
  await page.getByRole('tab', { name: /^Forms/ }).click()
  await page.getByRole('button', { name: /^Review the form from .*Portalova/ }).waitFor()
  await expectAccessibleAtEveryWidth(page)
  await page.getByRole('button', { name: /^Review the form from .*Portalova/ }).click()
  await dialog().getByText('Clear Harbour Vision, ZX8841').waitFor()
  await expectAccessibleAtEveryWidth(page)
  const choose = (field: string, value: RegExp) =>
    dialog()
      .getByRole('group', { name: `${field}: which version should we keep?` })
      .getByRole('radio', { name: value })
      .click()
  const save = dialog().getByRole('button', { name: 'Save review' })
  await choose('City', /Keep what’s on file/)
  await choose('Cell', /Use the patient’s answer/)
  // The user has chosen two of three answers: the app assumes nothing for the third.
  expect(await save.getAttribute('aria-disabled')).toBe('true')
  await choose('Allergies', /Use the patient’s answer/)
  await save.click()
  await toastSays(page, 'Patient information was successfully updated')
  expect(await onFile()).toMatchObject({ city: 'Millbrook Falls', phone: '5185550199', allergies: 'Penicillin' })

  await theirs.goto('about:blank')
  await theirs.goto(link)
  await theirs.getByLabel('Date of birth').fill('1984-05-17')
  await theirs.getByRole('button', { name: 'Open the portal' }).click()
  await theirs.getByText(/reviewed by the clinic/).waitFor()
})
