import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import type { Prescription } from '#contract/rx/prescription.ts'
import { signIn, until } from '#tests/e2e/clinic.ts'
import {
  everythingSent,
  expectCounted,
  expectEachOnce,
  fullNames,
  openCountRoom,
  startCount,
  type CountRoom,
} from '#tests/e2e/count-room.ts'
import { feelNetwork, startsWithoutServer, toastSaid } from '#tests/e2e/screen.ts'
import { scan, scanAll } from '#tests/e2e/wedge-scanner.ts'
import { bringNewVersion, takeUpdate } from '#tests/e2e/worker.ts'
import type { Tablet } from '#tests/support/browser.ts'

// The journeys that must never break, each by its shortest path, on one server and in one browser. The files beside
// this folder test the same journeys with their edge cases.
let room: CountRoom
let tablet: Tablet
let page: Page

beforeAll(async () => {
  room = await openCountRoom()
  ;({ tablet, page } = await room.seat('ben', room.line))
})
afterEach(() => tablet.context.setOffline(false))
afterAll(() => room?.close())

const at = (path: string) => room.line.origin + path
const patientsNamed = async (name: string) =>
  (await room.office.get<{ patients: Patient[] }>(`/api/patient/lookup?last_name=${name}`)).patients.filter(
    ({ store_id }) => store_id === 1,
  )

test('Maya signs in and sees Today', async () => {
  await signIn(page, room.line, 'maya')
  await page.getByRole('heading', { name: 'Today' }).waitFor()
})

test('Ben counts without a connection, and each label arrives once', async () => {
  await signIn(page, room.line, 'ben')
  await tablet.context.setOffline(true)
  const id = await startCount(page, room.line.origin)
  await scanAll(page, room.labels(0, 10))
  await expectCounted(page, 10)
  await tablet.context.setOffline(false)
  await everythingSent(page)
  await expectEachOnce(room.office, id, room.labels(0, 10), fullNames.ben)
})

test('Ben receives a frame from another store', async () => {
  await page.goto(at('/transfer?tab=to-receive'))
  await page.getByRole('row').nth(1).click()
  const lines = page.getByRole('list', { name: 'Frames on this transfer' }).getByRole('listitem')
  const first = lines.filter({ hasText: 'In transit' }).first()
  const tag = (await first.getByText(/^[A-Z]+-\d+$/).innerText()).trim()
  await scan(page, tag)
  await lines.filter({ hasText: tag }).getByText('Received', { exact: true }).waitFor()
})

test('Ana changes a patient without a connection, and the change arrives', async () => {
  const [patient] = await patientsNamed('nguyen')
  if (!patient) throw new Error('The demo clinic has no patient of that name')
  await signIn(page, room.line, 'ana')
  await page.getByLabel('Name', { exact: true }).fill('nguyen')
  await page.getByRole('list', { name: 'Patients found' }).getByRole('link').first().waitFor()
  await startsWithoutServer(page)
  await page.goto(at(`/patient/${patient.id}`))
  await page.getByRole('button', { name: 'Edit' }).first().waitFor()
  await tablet.context.setOffline(true)
  await page.getByRole('button', { name: 'Edit' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Edit Patient' })
  await dialog.getByLabel('City *').fill('Larkspur')
  await dialog.getByRole('button', { name: 'Submit' }).click()
  await toastSaid(page, 'Patient information was successfully updated')
  await tablet.context.setOffline(false)
  await feelNetwork(page)
  await until(
    async () => (await room.office.get<Patient>(`/api/patient/${patient.id}`)).city,
    (city) => city === 'Larkspur',
    'The new city never arrived',
  )
})

test('Iris writes and signs a prescription', async () => {
  const [patient] = await patientsNamed('nguyen')
  if (!patient) throw new Error('The demo clinic has no patient of that name')
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format()
  await signIn(page, room.line, 'iris')
  await page.goto(at(`/patient/${patient.id}/rx`))
  await page.getByRole('link', { name: 'New for glasses' }).click()
  await page.getByRole('button', { name: 'Save draft' }).waitFor()
  const powers = page.getByRole('region', { name: 'Powers' })
  for (const eye of ['OD, right', 'OS, left']) {
    const row = powers.getByRole('group', { name: eye })
    for (const [field, value] of [
      ['Sphere', '200'],
      ['Cylinder', '-150'],
      ['Axis', '30'],
    ] as const)
      await row.getByLabel(field, { exact: true }).fill(value)
  }
  await page.getByLabel('Exam date').fill(today)
  await page.getByLabel('Issue date').fill(today)
  await page.getByRole('button', { name: 'Sign', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Sign the prescription' })
  await dialog.getByLabel('Or type your full name').fill('Iris Lindqvist')
  await dialog.getByRole('button', { name: 'Sign', exact: true }).click()
  await toastSaid(page, 'Prescription signed')
  const { rx_list } = await room.office.get<{ rx_list: Prescription[] }>(`/api/patient/rx-list?id_patient=${patient.id}`)
  expect(rx_list[0]).toMatchObject({ status: 'active', od: { sphere: 2000, cylinder: -1500, axis: 30 } })
})

test('the tablet takes a new version of the app and opens with it', async () => {
  await page.goto(room.line.origin)
  await bringNewVersion(page, room.line, (text) => `${text}\n// A new version.\n`)
  await takeUpdate(page)
  expect(await page.title()).toContain('Lorgnette')
})
