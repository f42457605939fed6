import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Patient, patientInput, patientName } from '#contract/patients/patient.ts'
import { officeOf, type Office, openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { expectOpenToAll, namesThatTurn } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed, toastSaid } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let office: Office
let tablet: Tablet
let page: Page
/** Somebody of whom there is something of everything. */
let known: { patient: Patient; rx: string }

/** Somebody of whom there is nothing but the record, with a name that is written from right to left. */
let fresh: Patient

type Lists = { rx_list: { id_rx: string }[]; invoices: unknown[]; insurances: unknown[] }

beforeAll(async () => {
  server = await openClinic()
  office = await officeOf(server)
  const { patients } = await office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=a')
  for (const patient of patients.filter(({ store_id }) => store_id === 1)) {
    const of = <K extends keyof Lists>(call: string) => office.get<Pick<Lists, K>>(`/api/patient/${call}?id_patient=${patient.id}`)
    const [{ rx_list }, { invoices }] = await Promise.all([of<'rx_list'>('rx-list'), of<'invoices'>('invoice')])
    const rx = rx_list[0]?.id_rx
    if (rx === undefined || invoices.length === 0) continue
    known = { patient, rx }
    break
  }
  if (!known) throw new Error('The demo clinic has nobody with a prescription and an invoice')
  const registered = { ...inputOf(known.patient), first_name: 'נועה', last_name: 'שלום (בית)', middle_name: null, pref: null }
  const made = await office.send<Patient>('POST', '/api/patient/add', { ...registered, phone: '5185550177', ssn: '123456789' })
  if (made.status !== 200) throw new Error(`Nobody was registered: ${made.status}`)
  fresh = made.body
  tablet = await openTablet({ reducedMotion: 'reduce' })
  page = await pageOf(tablet)
})
afterAll(async () => {
  await tablet?.close()
  await server?.remove()
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await tellWhatShowed(page)
})

function inputOf(patient: Patient) {
  return Object.fromEntries(Object.keys(patientInput.entries).map((field) => [field, Reflect.get(patient, field) ?? null]))
}

const part =
  (name: string, of: () => Patient = () => known.patient) =>
  async () => {
    await page.goto(`${server.origin}/patient/${of().id}${name}`)
    await page.getByRole('navigation', { name: 'Parts of the record' }).waitFor()
    await page.locator('main .animate-breathe').first().waitFor({ state: 'detached' })
  }

async function dialog(button: string | RegExp, title: string | RegExp) {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog', { name: title }).getByRole('heading').first().waitFor()
}

/** Beside the quick line where there is room for one, else alone. */
async function openHeaderSearch() {
  const name = page.viewportSize()?.width === phoneView.width ? 'Look up patient information' : 'Search by all fields'
  await dialog(name, 'Look up a patient')
}

const screens: { name: string; open: () => Promise<void> }[] = [
  {
    name: 'the search with somebody found',
    open: async () => {
      await page.goto(server.origin)
      await page.getByRole('button', { name: 'More fields' }).click()
      await page.getByLabel('Name', { exact: true }).fill('a')
      await page.getByRole('list', { name: 'Patients found' }).waitFor()
    },
  },
  {
    name: 'the search in the header with somebody found',
    open: async () => {
      await page.goto(`${server.origin}/inventory`)
      await openHeaderSearch()
      const opened = page.getByRole('dialog')
      await opened.getByLabel('DOB').fill('yesterday')
      await opened.getByLabel('Name', { exact: true }).fill('a')
      await opened.getByRole('list', { name: 'Patients found' }).waitFor()
      await opened.getByRole('button', { name: 'Search', exact: true }).click()
      await opened.getByRole('alert').waitFor()
    },
  },
  {
    name: 'everything of the search in the header',
    open: async () => {
      await page.goto(`${server.origin}/pcp-list`)
      await openHeaderSearch()
      await page.getByRole('dialog').getByRole('button', { name: 'More fields' }).click()
      await page.getByRole('dialog').getByLabel('Preferred Provider').waitFor()
    },
  },
  {
    name: 'a new patient',
    open: async () => {
      await page.goto(server.origin)
      await dialog('New patient', 'Add New Patient')
    },
  },
  {
    name: 'somebody who may be known already',
    open: async () => {
      await page.goto(server.origin)
      await dialog('New patient', 'Add New Patient')
      await page.getByRole('dialog').getByLabel('Cell').fill('(518) 555-0177')
      await page.getByRole('list', { name: 'Possible duplicate patients' }).waitFor()
    },
  },
  { name: 'details', open: part('') },
  {
    name: 'a patient of whom nothing is on file',
    open: async () => {
      await part('', () => fresh)()
      await page.getByText('New patient - add insurance or book an exam.').waitFor()
    },
  },
  {
    name: 'the patient dialog',
    open: async () => {
      await part('')()
      await dialog('Edit', 'Edit Patient')
    },
  },
  {
    name: 'everything of the patient dialog, with people to choose from',
    open: async () => {
      await part('')()
      await dialog('Edit', 'Edit Patient')
      const opened = page.getByRole('dialog')
      await opened.getByRole('button', { name: 'More fields' }).click()
      await opened.getByRole('combobox', { name: 'Responsible person' }).fill('נועה')
      await page.getByRole('option', { name: /נועה/ }).waitFor()
    },
  },
  {
    name: 'the reason for a social security number',
    open: async () => {
      await part('', () => fresh)()
      await dialog(/^Show/, 'Show the social security number')
    },
  },
  {
    name: 'two edits of the same field',
    open: async () => {
      await part('', () => fresh)()
      const choose = page.getByRole('button', { name: 'Resolve…' })
      if ((await office.get<Patient>(`/api/patient/${fresh.id}`)).city !== 'Oakdale') {
        await dialog('Edit', 'Edit Patient')
        await page.getByRole('dialog').getByLabel('City *').fill('Larkspur')
        const { status } = await office.send('PUT', `/api/patient/${fresh.id}`, { ...inputOf(fresh), city: 'Oakdale' })
        expect(status).toBe(200)
        await page.getByRole('dialog').getByRole('button', { name: 'Submit' }).click()
        await toastSaid(page, 'Patient information was successfully updated')
      }
      await choose.click()
      await page
        .getByRole('dialog')
        .getByRole('radio', { name: /Oakdale/ })
        .waitFor()
    },
  },
  { name: 'prescriptions', open: part('/rx') },
  { name: 'a prescription', open: () => part(`/rx/${known.rx}`)() },
  { name: 'insurance', open: part('/insurance') },
  { name: 'files', open: part('/file') },
  { name: 'messages', open: part('/messages') },
  {
    name: 'a call that is logged',
    open: async () => {
      await part('/messages')()
      await dialog('Log a call', /call/i)
    },
  },
  { name: 'invoices', open: part('/invoices') },
  { name: 'appointments', open: part('/appointments') },
  { name: 'the access log', open: part('/history') },
  {
    name: 'the import',
    open: async () => {
      await page.goto(`${server.origin}/patients/import`)
      await page.locator('main h1').first().waitFor()
    },
  },
  {
    name: 'an import that was looked through',
    open: async () => {
      await page.goto(`${server.origin}/patients/import`)
      const { first_name, last_name, dob } = fresh
      const rest = 'F,4 Depot Rd,Millbrook Falls,NY,12847'
      const rows = [
        'First,Last,DOB,Gender,Address,City,State,Zip',
        `${first_name},${last_name},${dob},${rest}`,
        `Nadja,Neumann,1971-02-03,${rest}`,
        `Nadja,Neumann,1971-02-03,${rest}`,
        `Nobody,Neumann,31/31/1971,${rest}`,
      ]
      await page.getByLabel('CSV file').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\r\n')) })
      await page.getByRole('button', { name: 'Check 4 rows' }).click()
      await page.getByRole('region', { name: '1 row for patients already on file' }).waitFor()
      // The result scrolls into view, which can leave half of a field below the sticky header. All of it is looked at from the top.
      await page.evaluate(() => scrollTo(0, 0))
      await page.getByRole('region', { name: '1 row with a problem, skipped' }).waitFor()
      await page.getByRole('region', { name: '1 row duplicated in this file' }).waitFor()
    },
  },
  {
    name: 'primary care providers',
    open: async () => {
      await page.goto(`${server.origin}/pcp-list`)
      await page.getByRole('list', { name: 'Primary care providers' }).waitFor()
    },
  },
  {
    name: 'a primary care provider',
    open: async () => {
      await page.goto(`${server.origin}/pcp-list`)
      await page.getByRole('button', { name: /Helen Marsh, MD/ }).click()
      await page.getByRole('dialog', { name: 'Helen Marsh, MD' }).getByRole('link').first().waitFor()
    },
  },
  {
    name: 'primary care providers who become one',
    open: async () => {
      await page.goto(`${server.origin}/pcp-list`)
      await page.getByRole('button', { name: /Helen Marsh, MD/ }).click()
      await page.getByRole('dialog', { name: 'Helen Marsh, MD' }).getByRole('button', { name: 'Merge' }).click()
      await page.getByRole('dialog', { name: 'Merge Helen Marsh, MD' }).getByRole('heading').first().waitFor()
    },
  },
]

describe.each([
  ['tablet', tabletView],
  ['phone', phoneView],
])('patients on a %s, in both themes', (_, viewport) => {
  beforeAll(async () => {
    await page.setViewportSize(viewport)
    await signIn(page, server, 'maya')
  })

  test.each(screens.map(({ name, open }): [string, () => Promise<void>] => [name, open]))('%s', async (_name, open) => {
    await open()
    await expectOpenToAll(page)
    expect(await namesThatTurn(page, [patientName(known.patient), patientName(fresh), 'Helen Marsh, MD'])).toEqual([])
  })
})
