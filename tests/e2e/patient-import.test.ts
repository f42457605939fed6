import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Patient } from '#contract/patients/patient.ts'
import { officeOf, openClinic, pageOf, signIn, type Office } from '#tests/e2e/clinic.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
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
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

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

const atServer = async () => (await office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=przybyszewska')).patients

async function check() {
  await page.goto(`${server.origin}/patients/import`)
  await page.getByLabel('CSV file').setInputFiles(file)
  const street = page.getByLabel('Lives at →')
  await street.waitFor()
  if ((await street.inputValue()) === '') await street.selectOption({ label: 'Street Address' })
  await page.getByRole('button', { name: 'Check 3 rows' }).click()
}

test('a file of another system is looked through, imported, found, and brings nobody twice', async () => {
  await signIn(page, server, 'maya')
  await check()
  await page.getByText('2 patients ready to import').waitFor()
  await page.getByRole('region', { name: '1 row with a problem, skipped' }).getByText('Line 4').waitFor()
  expect(await atServer()).toEqual([])

  await page.getByRole('button', { name: 'Import 2 patients' }).click()
  await page.getByText('2 patients imported').waitFor()
  const names = (await atServer()).map(({ first_name }) => first_name).sort()
  expect(names).toEqual(['=HYPERLINK("x")', 'Zdzisława'])

  // The columns are known by now.
  await check()
  await page.getByRole('region', { name: '2 rows already on file' }).waitFor()
  expect(await page.getByRole('button', { name: 'Import 0 patients' }).isDisabled()).toBe(true)
  expect(await atServer()).toHaveLength(2)

  // The tablet has them by itself, and finds them without accents.
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('zdzislawa przy')
  await page.getByRole('link', { name: /Zdzisława Przybyszewska/ }).waitFor()
})
