import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import type { Pcp } from '#contract/patients/pcp.ts'
import type { Patient } from '#contract/patients/patient.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'
import { expectAccessibleAtEveryWidth } from '#tests/e2e/accessibility.ts'
import { feelNetwork, startsWithoutServer, toastSaid } from '#tests/e2e/screen.ts'

const t = e2eTablet({ as: 'maya' })

beforeAll(async () => {
  await t.page.goto(`${t.server.origin}/pcp-list`)
  await rows().waitFor()
})

const rows = () => t.page.getByRole('list', { name: 'Primary care providers' })
const row = (name: string) => rows().getByRole('button', { name: new RegExp(name) })
const dialog = () => t.page.getByRole('dialog')
const search = (line: string) => t.page.getByRole('search').getByLabel('Search').fill(line)
const listed = async (query: string) => (await t.office.get<{ pcps: Pcp[] }>(`/api/pcp?query=${encodeURIComponent(query)}`)).pcps

test('a new provider gets each error at its field, keeps markup as plain characters, and is found by phone', async () => {
  await t.page.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog().getByLabel('NPI').fill('1234567890')
  await dialog().getByLabel('Phone').fill('12')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().locator('[aria-invalid=true]').nth(2).waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  await dialog().getByLabel('Last name').fill('Zembla <i>')
  await dialog().getByLabel('First name').fill('شارلوت')
  await dialog().getByLabel('NPI').fill('1234567893')
  await dialog().getByLabel('Phone').fill('(518) 555-0177')
  await dialog().getByLabel('City').fill('Larkspur')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toastSaid(t.page, /added$/)
  await search('555 0177')
  await t.page.getByText('1 provider', { exact: true }).waitFor()
  await row('Zembla <i>').waitFor()
  expect(await listed('zembla')).toMatchObject([{ npi: '1234567893', phone: '5185550177', patients: 0 }])
})

test('a change by another user shows, and neither edit replaces the other without a question', async () => {
  await row('Zembla').click()
  await dialog().getByRole('button', { name: 'Edit' }).click()
  await dialog().getByLabel('Practice').fill('Mine')
  const [theirs] = await listed('zembla')
  if (!theirs) throw new Error('The provider is gone')
  const { id_pcp, version, last_letter: _letter, patients: _patients, changed_at: _at, changed_by: _by, ...fields } = theirs
  const changed = await t.office.send<Pcp>('PUT', `/api/pcp/${id_pcp}`, { ...fields, version, practice: 'Theirs' })
  expect(changed.status).toBe(200)
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('Someone else edited this provider too').waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  expect(await listed('zembla')).toMatchObject([{ practice: 'Theirs' }])
  await dialog().getByRole('button', { name: 'Keep mine' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toastSaid(t.page, /updated$/)
  expect(await listed('zembla')).toMatchObject([{ practice: 'Mine' }])
})

test('two providers become one, with the patients and letters of both', async () => {
  const [zembla] = await listed('zembla')
  const added = await t.office.send<Pcp>('POST', '/api/pcp', { last_name: 'Zembla', first_name: 'C.', fax: '5185550178' })
  expect(added.status).toBe(200)
  const patient = await t.office.send<Patient>('POST', '/api/patient/add', {
    first_name: 'Wilhelmina',
    last_name: 'Twinova',
    gender: 'Female',
    street_address: '7 Depot Rd',
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12847',
    pcp_id: added.body.id_pcp,
  })
  expect(patient.status).toBe(200)
  const letter = { id_letter: uuidv7(), id_pcp: added.body.id_pcp, sent_on: '2024-01-05', way: 'fax', about: 'Yearly exam' }
  expect((await t.office.send('POST', `/api/patient/${patient.body.id}/pcp-letter`, letter)).status).toBe(200)
  await search('zembla')
  await row('Zembla <i>').click()
  await dialog().getByRole('button', { name: 'Merge' }).click()
  await dialog().getByLabel('Find the duplicate').fill('zembla')
  await dialog()
    .getByRole('button', { name: /C\. Zembla/ })
    .click()
  await dialog()
    .getByRole('radio', { name: /Zembla <i>/ })
    .click()
  await expectAccessibleAtEveryWidth(t.page)
  await dialog().getByRole('button', { name: 'Merge' }).click()
  await toastSaid(t.page, /merged/)
  expect(await listed('zembla')).toMatchObject([{ id_pcp: zembla?.id_pcp, fax: '5185550178', patients: 1, last_letter: '2024-01-05' }])
  await row('Zembla <i>').click()
  await dialog()
    .getByRole('region', { name: 'Patients' })
    .getByRole('link', { name: /Twinova/ })
    .waitFor()
  await dialog()
    .getByRole('link', { name: /01\/05\/2024.*Twinova.*Fax, Maya/ })
    .waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  await t.page.keyboard.press('Escape')
})

test('a letter is logged on the patient’s page, its draft survives a reload, and the list shows its day', async () => {
  const { patients } = await t.office.get<{ patients: Patient[] }>('/api/home/patient/search?query=twinova')
  const letters = t.page.getByRole('region', { name: 'Letters' })
  await t.page.goto(`${t.server.origin}/patient/${patients[0]?.id}`)
  await letters.getByText('Yearly exam').waitFor()
  await letters.getByRole('button', { name: 'Log a letter' }).click()
  await dialog().getByLabel('Date sent').fill('2099-01-01')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('can’t be in the future').waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  await dialog().getByLabel('Date sent').fill('2024-02-29')
  await dialog().getByRole('radio', { name: 'Email' }).click()
  await dialog().getByLabel('About').fill('Cataract <i>')
  await t.page.keyboard.press('Escape')
  const goOn = letters.getByRole('button', { name: 'Continue the letter' })
  await goOn.waitFor()
  await t.page.reload()
  await goOn.click()
  await dialog().getByText('We restored your unsaved changes').waitFor()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await toastSaid(t.page, /^Letter logged/)
  await letters.getByText('Cataract <i>').waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  await t.page.goto(`${t.server.origin}/pcp-list`)
  await search('zembla')
  await row('Zembla <i>.*Last letter 02/29/2024').click()
  await dialog()
    .getByRole('link', { name: /02\/29\/2024.*Twinova.*Email, Maya/ })
    .waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  await t.page.keyboard.press('Escape')
})

test('an import shows each bad row first, and adds no provider twice', async () => {
  const file = {
    name: 'providers.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'Name,Practice,Phone,NPI',
        '"Okonkwo-Ferris, Adaeze, MD",Harbour Clinic,(518) 555-0181,1245319599',
        '"=cmd|x, Nobody",Harbour Clinic,518.555.0182,',
        'Wrong Number,Harbour Clinic,12,1',
      ].join('\r\n'),
    ),
  }
  const check = async () => {
    await t.page.goto(`${t.server.origin}/pcp-list/import`)
    await t.page.getByLabel('CSV file').setInputFiles(file)
    await t.page.getByRole('button', { name: 'Check 3 rows' }).click()
  }
  await check()
  await t.page.getByText('2 providers ready to import').waitFor()
  await t.page.getByRole('region', { name: '1 row with a problem, skipped' }).getByText('Line 4: NPI').waitFor()
  await expectAccessibleAtEveryWidth(t.page)
  expect(await listed('harbour clinic')).toEqual([])
  await t.page.getByRole('button', { name: 'Import 2 providers' }).click()
  await t.page.getByText('2 providers imported').waitFor()
  await check()
  await t.page.getByRole('region', { name: '2 rows already on file' }).waitFor()
  expect(await t.page.getByRole('button', { name: 'Import 0 providers' }).isDisabled()).toBe(true)
  expect(await listed('harbour clinic')).toHaveLength(2)
})

test('without the server it says what works, and the list returns with the server', async () => {
  await startsWithoutServer(t.page)
  await t.page.goto(`${t.server.origin}/pcp-list`)
  await rows().waitFor()
  await t.server.kill()
  await t.page.reload()
  await t.page.getByText('This needs a connection').waitFor()
  expect(await t.page.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true)
  await expectAccessibleAtEveryWidth(t.page)
  await t.server.start()
  await feelNetwork(t.page)
  await rows().waitFor()
})
