import { expect, test } from 'vitest'
import { type Patient, patientInput } from '#contract/patients/patient.ts'
import { until } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { feelNetwork, startsWithoutServer, toastSays } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'ana' })

const named = async (lastName: string) =>
  (await t.office.get<{ patients: Patient[] }>(`/api/patient/lookup?last_name=${lastName}`)).patients
const dialog = () => t.page.getByRole('dialog')
const found = (name: RegExp) => t.page.getByRole('list', { name: 'Patients found' }).getByRole('link', { name })

test('a patient who is registered without the server survives a restart, counts as known, and arrives once', async () => {
  // The tablet has its patients, so it can recognize a known one.
  await t.page.getByLabel('Name', { exact: true }).fill('nguyen')
  await found(/Nguy/).first().waitFor()
  await startsWithoutServer(t.page)
  // The primary care providers come with the patients, though nobody has opened the list yet.
  await until(
    () => t.page.evaluate(async () => (await caches.match('/api/pcp/cards', { ignoreVary: true }))?.status),
    (status) => status === 200,
    'the tablet has the list of primary care providers',
  )
  await t.server.kill()

  await t.page.getByLabel('Name', { exact: true }).fill('Zdenka Wąsowska')
  await t.page.getByRole('button', { name: 'New patient' }).click()
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
  await t.page.getByRole('option', { name: /Helen Marsh, MD/ }).click()
  await dialog().getByText('Helen Marsh, MD').waitFor()
  await dialog().getByRole('button', { name: 'Submit' }).click()
  await toastSays(t.page, 'Patient created successfully')

  // The new record opens, also from this device alone.
  await t.page
    .getByRole('heading', { name: /Zdenka Wąsowska/ })
    .first()
    .waitFor()
  await t.page.reload()
  await t.page
    .getByRole('heading', { name: /Zdenka Wąsowska/ })
    .first()
    .waitFor()
  await t.page.goto(t.server.origin)
  await t.page.getByLabel('Name', { exact: true }).fill('wasowska')
  await found(/Zdenka Wąsowska.*Not sent yet/).waitFor()
  // A second registration of the same person gets a warning, also without the server.
  await t.page.getByRole('button', { name: 'New patient' }).click()
  await dialog().getByLabel('First *').fill('Zdenka')
  await dialog().getByLabel('Last *').fill('Wasowska')
  // Key by key, as people type: for a while the year is in the first century.
  await dialog().getByLabel('DOB').pressSequentially('02281980')
  await dialog()
    .getByText(/Zdenka Wąsowska/)
    .first()
    .waitFor()
  await dialog().getByRole('button', { name: 'Close' }).last().click()

  await t.server.start()
  await feelNetwork(t.page)
  await until(
    () => named('wasowska'),
    (rows) => rows.length === 1,
    'the patient arrives',
  )
  await t.page.getByLabel('Name', { exact: true }).fill('zdenka wasowska')
  await found(/Zdenka Wąsowska/)
    .filter({ hasNotText: 'Not sent yet' })
    .waitFor()
  const [arrived, ...more] = await named('wasowska')
  expect(more).toEqual([])
  const { pcps } = await t.office.get<{ pcps: { id_pcp: string }[] }>('/api/pcp?query=helen marsh')
  expect(arrived?.pcp_id).toBe(pcps[0]?.id_pcp)
})

test('half a birth date gets an error at its field, and nobody is registered without it', async () => {
  await t.page.goto(t.server.origin)
  await t.page.getByLabel('Name', { exact: true }).fill('Halfdan Tveit')
  await t.page.getByRole('button', { name: 'New patient' }).click()
  // The dialog still holds the patient of the test before.
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
  await toastSays(t.page, 'Patient created successfully')
  await until(
    () => named('tveit'),
    ([row]) => row?.dob === '1980-02-28',
    'the patient arrives with the birth date',
  )
})

test('two people change the same field: the user sees both values, and neither replaces the other unseen', async () => {
  const [known] = await named('wasowska')
  if (!known) throw new Error('Nobody was registered')
  await t.page.goto(`${t.server.origin}/patient/${known.id}`)
  await t.page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog().getByLabel('City *').fill('Larkspur')

  const theirs = Object.fromEntries(Object.keys(patientInput.entries).map((field) => [field, Reflect.get(known, field) ?? null]))
  const put = await t.office.send('PUT', `/api/patient/${known.id}`, { ...theirs, city: 'Oakdale', version: known.version })
  expect(put.status).toBe(200)

  await dialog().getByRole('button', { name: 'Submit' }).click()
  await t.page.getByText('Someone else edited this too').waitFor()
  expect((await named('wasowska'))[0]?.city).toBe('Oakdale')

  await t.page.getByRole('button', { name: 'Resolve…' }).click()
  const choice = dialog().getByRole('group', { name: /City.*: which version should we keep\?/ })
  await choice.getByRole('radio', { name: /Oakdale/ }).waitFor()
  await choice.getByRole('radio', { name: /Larkspur/ }).click()
  await dialog().getByRole('button', { name: 'Save and send' }).click()
  await until(
    () => named('wasowska'),
    ([row]) => row?.city === 'Larkspur',
    'what was chosen holds',
  )
})
