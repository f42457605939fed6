import { expect } from 'vitest'
import { type Patient, patientName } from '#contract/patients/patient.ts'
import { unisolatedNames } from '#tests/e2e/accessibility.ts'
import type { Screen } from '#tests/e2e/accessibility/screen.ts'
import { dialogOn, inputOf, press, type Stage, visit } from '#tests/e2e/accessibility/stage.ts'
import { toastSaid } from '#tests/e2e/screen.ts'

/** Expects that a name keeps its text direction in a line with other text. */
export async function expectNamesKeepDirection({ page, known, fresh }: Stage): Promise<void> {
  expect(await unisolatedNames(page, [patientName(known.patient), patientName(fresh), 'Helen Marsh, MD'])).toEqual([])
}

async function openPart(stage: Stage, part: string, of: Patient = stage.known.patient) {
  const page = await visit(stage, `/patient/${of.id}${part}`)
  await page.getByRole('navigation', { name: 'Parts of the record' }).waitFor()
  await page.locator('main .animate-breathe').first().waitFor({ state: 'detached' })
  return page
}

const part = (name: string, path: string | ((stage: Stage) => string)): Screen => ({
  name,
  as: 'maya',
  open: async (stage) =>
    (await openPart(stage, typeof path === 'string' ? path : path(stage))).getByRole('navigation', { name: 'Parts of the record' }),
})

/** A tablet has this search beside the quick line. A phone has no room for the quick line. */
async function openHeaderSearch(stage: Stage, path: string) {
  const page = await visit(stage, path)
  await press(page, stage.isPhone() ? 'Look up patient information' : 'Search by all fields')
  await dialogOn(page, 'Look up a patient').waitFor()
  return page.getByRole('dialog')
}

async function openNewPatient(stage: Stage) {
  const page = await visit(stage, '/')
  await press(page, 'New patient')
  return dialogOn(page, 'Add New Patient')
}

async function openPatientDialog(stage: Stage) {
  const page = await openPart(stage, '')
  await press(page, 'Edit')
  return dialogOn(page, 'Edit Patient')
}

const patients: Screen[] = [
  {
    name: 'the search with a patient found',
    as: 'maya',
    async open(stage) {
      const page = await visit(stage, '/')
      await press(page, 'More fields')
      await page.getByLabel('Name', { exact: true }).fill('a')
      return page.getByRole('list', { name: 'Patients found' })
    },
  },
  {
    name: 'the search in the header with a patient found',
    as: 'maya',
    isOpenedOnPhone: true,
    async open(stage) {
      const opened = await openHeaderSearch(stage, '/inventory')
      await opened.getByLabel('DOB').fill('yesterday')
      await opened.getByLabel('Name', { exact: true }).fill('a')
      await opened.getByRole('list', { name: 'Patients found' }).waitFor()
      await opened.getByRole('button', { name: 'Search', exact: true }).click()
      return opened.getByRole('alert')
    },
  },
  {
    name: 'everything of the search in the header',
    as: 'maya',
    isOpenedOnPhone: true,
    async open(stage) {
      const opened = await openHeaderSearch(stage, '/pcp-list')
      await opened.getByRole('button', { name: 'More fields' }).click()
      return opened.getByLabel('Preferred Provider')
    },
  },
  {
    name: 'a new patient',
    as: 'maya',
    open: openNewPatient,
    states: [
      {
        name: 'who may be known already',
        async go({ page, known: { patient } }) {
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel('First *').fill(patient.first_name ?? '')
          await dialog.getByLabel('Last *').fill(patient.last_name ?? '')
          await dialog.getByLabel('DOB').fill(patient.dob ?? '')
          return page.getByRole('list', { name: 'Possible duplicate patients' })
        },
      },
      {
        name: 'who shares the phone number',
        async go({ page }) {
          const dialog = page.getByRole('dialog')
          await dialog.getByLabel('First *').fill('Otto')
          await dialog.getByLabel('Cell').fill('(518) 555-0177')
          await dialog.getByRole('button', { name: 'Show', exact: true }).click()
          return page.getByRole('list', { name: 'Patients with this phone number' })
        },
      },
    ],
  },
  part('details', ''),
  {
    name: 'a patient with nothing on file',
    as: 'maya',
    open: async (stage) => (await openPart(stage, '', stage.fresh)).getByText('New patient - add insurance or book an exam.'),
  },
  {
    name: 'the patient dialog',
    as: 'maya',
    open: openPatientDialog,
    states: [
      {
        name: 'everything of it, with people to choose from',
        async go({ page }) {
          const opened = page.getByRole('dialog')
          await opened.getByRole('button', { name: 'More fields' }).click()
          await opened.getByRole('combobox', { name: 'Responsible person' }).fill('נועה')
          return page.getByRole('option', { name: /נועה/ })
        },
      },
    ],
  },
  {
    name: 'the reason for a social security number',
    as: 'maya',
    async open(stage) {
      const page = await openPart(stage, '', stage.fresh)
      await page.getByRole('button', { name: /^Show/ }).first().click()
      return dialogOn(page, 'Show the social security number')
    },
  },
  {
    name: 'two edits of the same field',
    as: 'maya',
    async open(stage) {
      const { office, fresh } = stage
      const page = await openPart(stage, '', fresh)
      await press(page, 'Edit')
      await dialogOn(page, 'Edit Patient').waitFor()
      await page.getByRole('dialog').getByLabel('City *').fill('Larkspur')
      const { status } = await office.send('PUT', `/api/patient/${fresh.id}`, { ...inputOf(fresh), city: 'Oakdale' })
      expect(status).toBe(200)
      await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
      await toastSaid(page, 'Patient information was successfully updated')
      await press(page, 'Resolve…')
      return page.getByRole('dialog').getByRole('radio', { name: /Oakdale/ })
    },
  },
  part('prescriptions', '/rx'),
  part('a prescription', ({ known }) => `/rx/${known.rx}`),
  part('insurance', '/insurance'),
  part('files', '/file'),
  {
    ...part('messages', '/messages'),
    states: [
      {
        name: 'a call that is logged',
        async go({ page }) {
          await press(page, 'Log a call')
          return dialogOn(page, /call/i)
        },
      },
    ],
  },
  part('invoices', '/invoices'),
  part('appointments', '/appointments'),
  part('the access log', '/history'),
  {
    name: 'the import',
    as: 'maya',
    open: async (stage) => (await visit(stage, '/patients/import')).locator('main h1').first(),
    states: [
      {
        name: 'a file that was checked',
        async go({ page, fresh }) {
          const { first_name, last_name, dob } = fresh
          const rest = 'F,4 Depot Rd,Millbrook Falls,NY,12847'
          const rows = [
            'First,Last,DOB,Gender,Address,City,State,Zip',
            `${first_name},${last_name},${dob},${rest}`,
            `Nadja,Neumann,1971-02-03,${rest}`,
            `Nadja,Neumann,1971-02-03,${rest}`,
            `Nobody,Neumann,31/31/1971,${rest}`,
          ]
          const file = { name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) }
          await page.getByLabel('CSV file').setInputFiles(file)
          await press(page, 'Check 4 rows')
          await page.getByRole('region', { name: '1 row for patients already on file' }).waitFor()
          await page.getByRole('region', { name: '1 row with a problem, skipped' }).waitFor()
          return page.getByRole('region', { name: '1 row duplicated in this file' })
        },
      },
    ],
  },
]

export const patientScreens: Screen[] = patients.map((screen) => ({ ...screen, also: expectNamesKeepDirection }))
