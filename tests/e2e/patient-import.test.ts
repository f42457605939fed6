import { expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { signIn } from '#tests/e2e/clinic.ts'
import { e2eTablet } from '#tests/e2e/e2e-tablet.ts'

const t = e2eTablet()

const file = {
  name: 'old-system.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(
    [
      'MRN,First,Last,Birthdate,Sex,Lives at,City,State,Zip,Mobile',
      'A-1,Zdzisława,Przybyszewska,5/25/1989,F,4 Depot Rd,Millbrook Falls,NY,12847,(518) 555-0123',
      'A-2,"=HYPERLINK(""x"")",Przybyszewska,1971-02-03,M,9 Quarry Ln,Millbrook Falls,NY,12847,518.555.0124',
      'A-3,Nameless,Przybyszewska,31/31/1971,M,9 Quarry Ln,Millbrook Falls,NY,12847,',
    ].join('\r\n'),
  ),
}

const atServer = async () => (await t.office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=przybyszewska')).patients

async function check() {
  await t.page.goto(`${t.server.origin}/patients/import`)
  await t.page.getByLabel('CSV file').setInputFiles(file)
  const street = t.page.getByLabel('Lives at →')
  await street.waitFor()
  if ((await street.inputValue()) === '') await street.selectOption({ label: 'Street Address' })
  await t.page.getByRole('button', { name: 'Check 3 rows' }).click()
}

test('a file of another system is checked and imported, its patients are found, and no row adds a patient twice', async () => {
  await signIn(t.page, t.server, 'maya')
  await check()
  await t.page.getByText('2 patients ready to import').waitFor()
  await t.page.getByRole('region', { name: '1 row with a problem, skipped' }).getByText('Line 4').waitFor()
  expect(await atServer()).toEqual([])

  await t.page.getByRole('button', { name: 'Import 2 patients' }).click()
  await t.page.getByText('2 patients imported').waitFor()
  const names = (await atServer()).map(({ first_name }) => first_name).sort()
  expect(names).toEqual(['=HYPERLINK("x")', 'Zdzisława'])

  // The app remembers the columns.
  await check()
  await t.page.getByRole('region', { name: '2 rows already on file' }).waitFor()
  expect(await t.page.getByRole('button', { name: 'Import 0 patients' }).isDisabled()).toBe(true)
  expect(await atServer()).toHaveLength(2)

  // The tablet gets the new patients without a reload, and finds them without accents.
  await t.page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await t.page.getByLabel('Name', { exact: true }).fill('zdzislawa przy')
  await t.page.getByRole('link', { name: /Zdzisława Przybyszewska/ }).waitFor()
})
