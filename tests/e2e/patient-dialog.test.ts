import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Patient, patientInput } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, until, type Office } from '#tests/e2e/clinic.ts'
import { feelNetwork, startsWithoutServer, tellWhatShowed, toastSays } from '#tests/e2e/screen.ts'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  tablet = await openTablet()
  page = await pageOf(tablet)
  await signIn(page, server, 'ana')
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

const named = async (lastName: string) => (await office.get<{ patients: Patient[] }>(`/api/patient/lookup?last_name=${lastName}`)).patients
const dialog = () => page.getByRole('dialog')
const found = (name: RegExp) => page.getByRole('list', { name: 'Patients found' }).getByRole('link', { name })

test('who is registered without the server is there after a restart, is told to be known already, and arrives once', async () => {
  // The tablet has its patients, so that it can tell who is known.
  await page.getByLabel('Name', { exact: true }).fill('nguyen')
  await found(/Nguy/).first().waitFor()
  await startsWithoutServer(page)
  // With its patients come those who look after them, though nobody has looked at one yet.
  await until(
    () => page.evaluate(async () => (await caches.match('/api/pcp/cards', { ignoreVary: true }))?.status),
    (status) => status === 200,
    'the tablet has the list of primary care providers',
  )
  await server.kill()

  await page.getByLabel('Name', { exact: true }).fill('Zdenka Wąsowska')
  await page.getByRole('button', { name: 'New patient' }).click()
  await dialog().getByLabel('Address *').fill('7 Depot Rd')
  await dialog().getByLabel('City *').fill('Millbrook Falls')
  await dialog().getByLabel('State *').selectOption('NY')
  await dialog().getByLabel('Zip *').fill('12847')
  await dialog().getByLabel('DOB').fill('1980-02-28')
  await dialog().getByLabel('First *').fill('Zdenka')
  await dialog().getByLabel('Last *').fill('Wąsowska')
  await dialog().getByRole('radio', { name: 'Female' }).click()
  await dialog().getByRole('button', { name: 'More fields' }).click()
  await dialog().getByRole('combobox', { name: 'Primary care provider' }).fill('helen marsh')
  await page.getByRole('option', { name: /Helen Marsh, MD/ }).click()
  await dialog().getByText('Helen Marsh, MD').waitFor()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await toastSays(page, 'Patient created successfully', 'Saved')

  await page.reload()
  await page.getByLabel('Name', { exact: true }).fill('wasowska')
  await found(/Zdenka Wąsowska.*Not sent yet/).waitFor()
  // Whoever registers the same person again is told, also without the server.
  await page.getByRole('button', { name: 'New patient' }).click()
  await dialog().getByLabel('First *').fill('Zdenka')
  await dialog().getByLabel('Last *').fill('Wasowska')
  // Key by key, as people do: the year is one of the first century for a while.
  await dialog().getByLabel('DOB').pressSequentially('02281980')
  await dialog()
    .getByText(/Zdenka Wąsowska/)
    .first()
    .waitFor()
  await dialog().getByRole('button', { name: 'Close' }).last().click()

  await server.start()
  await feelNetwork(page)
  await until(
    () => named('wasowska'),
    (rows) => rows.length === 1,
    'the patient arrives',
  )
  await page.getByLabel('Name', { exact: true }).fill('zdenka wasowska')
  await found(/Zdenka Wąsowska/)
    .filter({ hasNotText: 'Not sent yet' })
    .waitFor()
  const [arrived, ...more] = await named('wasowska')
  expect(more).toEqual([])
  const { pcps } = await office.get<{ pcps: { id_pcp: string }[] }>('/api/pcp?query=helen marsh')
  expect(arrived?.pcp_id).toBe(pcps[0]?.id_pcp)
})

test('a birth date that is typed half is told at its field, and nobody is registered without it', async () => {
  await page.goto(server.origin)
  await page.getByLabel('Name', { exact: true }).fill('Halfdan Tveit')
  await page.getByRole('button', { name: 'New patient' }).click()
  // Whom one had begun to register before is here again.
  await dialog().getByRole('button', { name: 'Start over' }).click()
  await expect.poll(() => dialog().getByLabel('First *').inputValue()).toBe('Halfdan')
  await dialog().getByLabel('Address *').fill('7 Depot Rd')
  await dialog().getByLabel('City *').fill('Millbrook Falls')
  await dialog().getByLabel('State *').selectOption('NY')
  await dialog().getByLabel('Zip *').fill('12847')
  await dialog().getByRole('radio', { name: 'Male', exact: true }).click()
  await dialog().getByLabel('DOB').pressSequentially('0228')
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await dialog().getByText('Enter a full date').waitFor()
  expect(await dialog().getByLabel('DOB').getAttribute('aria-invalid')).toBe('true')
  expect(await named('tveit')).toEqual([])
  await dialog().getByLabel('DOB').pressSequentially('02281980')
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await toastSays(page, 'Patient created successfully', 'Saved')
  await until(
    () => named('tveit'),
    ([row]) => row?.dob === '1980-02-28',
    'the patient arrives with the birth date',
  )
})

test('two people change the same field: both values are shown, and nobody is overwritten unseen', async () => {
  const [known] = await named('wasowska')
  if (!known) throw new Error('Nobody was registered')
  await page.goto(`${server.origin}/patient/${known.id}`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog().getByLabel('City *').fill('Larkspur')

  const theirs = Object.fromEntries(Object.keys(patientInput.entries).map((field) => [field, Reflect.get(known, field) ?? null]))
  const put = await office.send('PUT', `/api/patient/${known.id}`, { ...theirs, city: 'Oakdale', version: known.version })
  expect(put.status).toBe(200)

  await dialog().getByRole('button', { name: 'Submit' }).click()
  await page.getByText('Someone else edited this too').waitFor()
  expect((await named('wasowska'))[0]?.city).toBe('Oakdale')

  await page.getByRole('button', { name: 'Resolve…' }).click()
  const choice = dialog().getByRole('group', { name: /City.*: which one holds\?/ })
  await choice.getByRole('radio', { name: /Oakdale/ }).waitFor()
  await choice.getByRole('radio', { name: /Larkspur/ }).click()
  await dialog().getByRole('button', { name: 'Save and send' }).click()
  await until(
    () => named('wasowska'),
    ([row]) => row?.city === 'Larkspur',
    'what was chosen holds',
  )
})
