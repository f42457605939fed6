import type { Locator, Page } from 'playwright-core'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { type Patient, patientInput } from '#contract/patients/patient.ts'
import { protocol } from '#contract/sync/sync.ts'
import { officeOf, openClinic, pageOf, type Office, type PulledFrame } from '#tests/e2e/clinic.ts'
import { openTablet, phoneView } from '#tests/support/browser.ts'

/** A clinic with data for every screen, and a tablet in it. */
export type Stage = {
  page: Page
  origin: string
  office: Office
  /** `counting` is open and has a scan of every kind. `closed` is closed. */
  counting: CountSheet
  closed: CountSheet
  frame: PulledFrame
  /** A patient with a prescription and an invoice. */
  known: { patient: Patient; rx: string }
  /** A patient with an empty record and a name that is written from right to left. */
  fresh: Patient
  isPhone(): boolean
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const server = await openClinic()
  const [office, tablet] = await Promise.all([officeOf(server), openTablet({ reducedMotion: 'reduce' })])
  const [frames, known, page] = await Promise.all([office.rows<PulledFrame>('frames'), knownPatient(office), pageOf(tablet)])
  const [frame] = frames
  if (!frame) throw new Error('The demo clinic has no frame')
  const counts = await countsOf(office, frames)
  const fresh = await registerPatient(office, known.patient)
  await reportTablet(office)
  return {
    page,
    origin: server.origin,
    office,
    ...counts,
    frame,
    known,
    fresh,
    isPhone: () => page.viewportSize()?.width === phoneView.width,
    async close() {
      await tablet.close()
      await server.remove()
    },
  }
}

async function countsOf(office: Office, frames: readonly PulledFrame[]) {
  const { count_sheets } = await office.get<{ count_sheets: CountSheet[] }>('/api/inventory/count_sheets')
  const [counting, closed] = [count_sheets.find(({ phase }) => phase === 'counting'), count_sheets.find(({ phase }) => phase === 'closed')]
  if (!counting || !closed) throw new Error('The demo clinic has no open or no closed count')
  const eastside = frames.find(({ store_id, status }) => store_id === 2 && status === 'Ready for Sale')
  for (const code of [eastside?.sku, 'NOBODY-KNOWS']) {
    await office.send('POST', '/api/inventory/count_sheets/items', { id_count_sheet: counting.id_count_sheet, code })
  }
  return { counting, closed }
}

type Lists = { rx_list: { id_rx: string }[]; invoices: unknown[] }

async function knownPatient(office: Office): Promise<Stage['known']> {
  const { patients } = await office.get<{ patients: Patient[] }>('/api/patient/lookup?last_name=a')
  for (const patient of patients.filter(({ store_id }) => store_id === 1)) {
    const of = <K extends keyof Lists>(call: string) => office.get<Pick<Lists, K>>(`/api/patient/${call}?id_patient=${patient.id}`)
    const [{ rx_list }, { invoices }] = await Promise.all([of<'rx_list'>('rx-list'), of<'invoices'>('invoice')])
    const rx = rx_list[0]?.id_rx
    if (rx !== undefined && invoices.length > 0) return { patient, rx }
  }
  throw new Error('The demo clinic has no patient with a prescription and an invoice')
}

/** Returns the fields of a patient that the app sends to the server. */
export function inputOf(patient: Patient) {
  return Object.fromEntries(Object.keys(patientInput.entries).map((field) => [field, Reflect.get(patient, field) ?? null]))
}

async function registerPatient(office: Office, like: Patient): Promise<Patient> {
  const named = { ...inputOf(like), first_name: 'נועה', last_name: 'שלום (בית)', middle_name: null, pref: null }
  const made = await office.send<Patient>('POST', '/api/patient/add', { ...named, phone: '5185550177', ssn: '123456789' })
  if (made.status !== 200) throw new Error(`The patient was not registered: ${made.status}`)
  return made.body
}

/** Reports a tablet that holds unsent work and runs another version of the app. */
async function reportTablet(office: Office): Promise<void> {
  const van = { device_id: '0199f0a0-0000-7000-8000-00000000beef', device_name: 'Van', holds: [{ lane: 'count:x', unsent: 3 }] }
  const report = { protocol, report: 1, commands: [], open_sheets: [], oldest_unsent_s: 7200, app_version: '0.0.9' }
  await office.send('POST', '/api/sync/push', { ...van, ...report })
}

export async function visit({ page, origin }: Stage, path: string): Promise<Page> {
  await page.goto(origin + path)
  return page
}

export const headingOn = (page: Page, name: string | RegExp): Locator => page.getByRole('heading', { name }).first()

const dialogs = (page: Page, name?: string | RegExp) => {
  const options = name === undefined ? {} : { name }
  return page.getByRole('dialog', options).or(page.getByRole('alertdialog', options))
}

/** The heading of the open dialog. */
export const dialogOn = (page: Page, name?: string | RegExp): Locator => dialogs(page, name).getByRole('heading').first()

export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).first().click()
}

export async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await dialogs(page).first().waitFor({ state: 'detached' })
}

/** The first row below the header. */
export const firstRow = (page: Page, table: string): Locator => page.getByRole('grid', { name: table, exact: true }).getByRole('row').nth(1)
