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

test('who is registered without the server is there after a restart, is told to be known already, and arrives once', async () => {
  // The tablet has its patients, so that it can tell who is known.
  await t.page.getByLabel('Name', { exact: true }).fill('nguyen')
  await found(/Nguy/).first().waitFor()
  await startsWithoutServer(t.page)
  // With its patients come those who look after them, though nobody has looked at one yet.
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
  await toastSays(t.page, 'Patient created successfully', 'Saved')

  await t.page.reload()
  await t.page.getByLabel('Name', { exact: true }).fill('wasowska')
  await found(/Zdenka Wąsowska.*Not sent yet/).waitFor()
  // Whoever registers the same person again is told, also without the server.
  await t.page.getByRole('button', { name: 'New patient' }).click()
  await dialog().getByLabel('First *').fill('Zdenka')
  await dialog().getByLabel('Last *').fill('Wasowska')
  // Key by key, as people do: the year is one of the first century for a while.
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

test('a birth date that is typed half is told at its field, and nobody is registered without it', async () => {
  await t.page.goto(t.server.origin)
  await t.page.getByLabel('Name', { exact: true }).fill('Halfdan Tveit')
  await t.page.getByRole('button', { name: 'New patient' }).click()
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
  await toastSays(t.page, 'Patient created successfully', 'Saved')
  await until(
    () => named('tveit'),
    ([row]) => row?.dob === '1980-02-28',
    'the patient arrives with the birth date',
  )
})

test('two people change the same field: both values are shown, and nobody is overwritten unseen', async () => {
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
