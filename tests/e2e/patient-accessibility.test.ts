import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import type { Patient } from '#contract/patient.ts'
import { officeOf, openClinic, pageOf, signIn } from '#tests/e2e/clinic.ts'
import { expectOpenToAll } from '#tests/e2e/open-to-all.ts'
import { tellWhatShowed } from '#tests/e2e/screen.ts'
import { openTablet, phoneView, tabletView, type Tablet } from '#tests/support/browser.ts'
import type { LorgnetteServer } from '#tests/support/lorgnette-server.ts'

let server: LorgnetteServer
let tablet: Tablet
let page: Page
/** Somebody of whom there is something of everything. */
let known: { patient: Patient; rx: string }

type Lists = { rx_list: { id_rx: string }[]; invoices: unknown[]; insurances: unknown[] }

beforeAll(async () => {
  server = await openClinic()
  const office = await officeOf(server)
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

const part = (name: string) => async () => {
  await page.goto(`${server.origin}/patient/${known.patient.id}${name}`)
  await page.getByRole('navigation', { name: 'Parts of the record' }).waitFor()
  await page.locator('main .animate-breathe').first().waitFor({ state: 'detached' })
}

async function dialog(button: string | RegExp, title: string | RegExp) {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByRole('dialog', { name: title }).getByRole('heading').first().waitFor()
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
    name: 'a new patient',
    open: async () => {
      await page.goto(server.origin)
      await dialog('New patient', 'Add New Patient')
    },
  },
  { name: 'details', open: part('') },
  {
    name: 'the patient dialog',
    open: async () => {
      await part('')()
      await dialog('Edit', 'Edit Patient')
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
  })
})
