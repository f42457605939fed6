import { sql, type Transaction } from 'kysely'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { appointmentColumns, appointmentRows } from '#server/demo/demo-appointments.ts'
import { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { catalogFor, demoVendors } from '#server/demo/demo-catalog.ts'
import { demoPassword, demoPeople, doctorNumbers, demoStores } from '#server/demo/demo-clinic.ts'
import { type DemoCounts, demoCounts } from '#server/demo/demo-counts.ts'
import { insertDemoFiles } from '#server/demo/demo-files.ts'
import { type DemoFrame, frameColumns, frameRows, framesOfStore } from '#server/demo/demo-frames.ts'
import { historyColumns, historyRows } from '#server/demo/demo-history.ts'
import { demoBrandRows, demoLibrary, modelColumns, modelPriceColumns, productColumns } from '#server/demo/demo-library.ts'
import { demoLabelRequests } from '#server/demo/demo-labels.ts'
import { messageColumns, messageRows } from '#server/demo/demo-messages.ts'
import { demoInvoices, invoiceColumns, invoiceItemColumns, invoicePaymentColumns } from '#server/demo/demo-invoices.ts'
import { companyRows, demoPolicies, holderColumns, planRows, policyColumns } from '#server/demo/demo-insurance.ts'
import { patientColumns, patientRows } from '#server/demo/demo-patients.ts'
import { demoPatientReturns, insertDemoPatientReturns } from '#server/demo/demo-patient-returns.ts'
import { demoPcps, pcpColumns, withPcps } from '#server/demo/demo-pcps.ts'
import { demoPcpLetters, pcpLetterColumns } from '#server/demo/demo-pcp-letters.ts'
import { insertDemoPortal } from '#server/demo/demo-portal.ts'
import { prescribedTo, prescriptionColumns, prescriptionRows } from '#server/demo/demo-prescriptions.ts'
import { type DemoPunches, demoPunches } from '#server/demo/demo-punches.ts'
import { demoReceipts, insertDemoReceipts } from '#server/demo/demo-receipts.ts'
import { demoVendorReturns, insertDemoVendorReturns } from '#server/demo/demo-vendor-returns.ts'
import { demoTransfers, transferColumns, transferLineColumns } from '#server/demo/demo-transfers.ts'
import { continueIdentity, insertRows } from '#server/demo/insert-rows.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { continueDocumentNumbers } from '#server/platform/db/document-numbers.ts'
import { hashPassword, pinLookup } from '#server/domain/people/passwords.ts'
import { defaultStoreSettings } from '#server/domain/people/store-settings.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * `totalFrames` is spread over both stores and the warehouse. With `framesPerStore` the warehouse gets a fifth of that.
 */
export type DemoSize = { framesPerStore?: number; totalFrames?: number; patients?: number }

const filledTables = [
  'frames',
  'frame_history',
  'transfers',
  'transfer_lines',
  'vendor_invoice_lines',
  'products',
  'models',
  'model_prices',
  'patients',
  'pcps',
  'pcp_letters',
  'prescriptions',
  'appointments',
  'insurances',
  'insurance_holders',
  'messages',
  'invoices',
  'invoice_items',
  'invoice_payments',
  'count_items',
  'count_scans',
] as const

/**
 * Makes the demo clinic in an empty database, and does nothing when a clinic exists. It is one transaction, so a kill
 * in the middle leaves nothing. The same size on the same day gives the same rows, except for the salts of the
 * passwords.
 */
export async function seedDemo(services: Services, size: DemoSize = {}): Promise<void> {
  const { db, log } = services
  if (await hasClinic(db.pool)) return
  const calendar = new DemoCalendar(services.clock.now())
  const random = (part: string) => new SeededRandom(`lorgnette demo ${part}`)
  const counts = frameCounts(size)
  const total = counts.reduce((sum, count) => sum + count, 0)
  log.info({ frames: total, patients: size.patients ?? 2000 }, 'making the demo clinic')

  const catalog = catalogFor(total, random('catalogue'))
  const frames: DemoFrame[] = []
  demoStores.forEach((store, index) => {
    frames.push(...framesOfStore(store, counts[index] ?? 0, frames.length + 1, catalog, calendar, random(`frames ${store.tag}`)))
  })
  const sheets = demoCounts(frames, calendar, random('counts'))
  const punches = demoPunches(calendar, random('punches'))
  const passwords = await Promise.all(demoPeople.map(() => hashPassword(demoPassword)))

  const scopes = ['chain' as const, ...demoStores.flatMap(({ store_id }) => [`store:${store_id}`, `patients:${store_id}`] as const)]
  const made = await db.write([...scopes, ...demoPeople.map((person) => `user:${person.id_user}` as const)], async (writing) => {
    const { trx } = writing
    // Another server of the same chain may have made the clinic first.
    if (await hasClinic(trx)) return false
    await insertStoresAndPeople(services, trx, passwords)
    await insertLibrary(trx, demoLibrary(catalog, calendar, random('library')))
    const progress = (what: string, every: number) => (inserted: number) => {
      if (inserted % every === 0) log.info({ [what]: inserted }, 'demo clinic: rows written')
    }
    await insertRows(trx, 'frames', frameColumns, frameRows(frames, writing.revision('chain')), progress('frames', 20_000))
    await insertRows(trx, 'frame_history', historyColumns, historyRows(frames, calendar, random('history')), progress('history', 50_000))
    const between = demoTransfers(frames, calendar, random('transfers'))
    await insertRows(trx, 'transfers', transferColumns, between.transfers)
    await insertRows(trx, 'transfer_lines', transferLineColumns, between.lines)
    await trx
      .insertInto('label_request')
      .values(demoLabelRequests(frames, calendar, random('labels')))
      .execute()
    await insertDemoReceipts(trx, demoReceipts(frames, catalog, calendar, random('receipts')))
    await insertDemoVendorReturns(trx, demoVendorReturns(frames, calendar, random('vendor returns')))
    const revisionOf = (storeId: number) => writing.revision(`patients:${storeId}`)
    const pcps = demoPcps(calendar, random('pcps'))
    await insertRows(trx, 'pcps', pcpColumns, pcps)
    const registered = [...patientRows(size.patients ?? 2000, calendar, random('patients'), revisionOf)]
    const patients = withPcps(registered, pcps, calendar, random('pcps of patients'))
    await insertRows(trx, 'patients', patientColumns, patients, progress('patients', 20_000))
    await insertRows(trx, 'pcp_letters', pcpLetterColumns, demoPcpLetters(patients, calendar, random('pcp letters')))
    await insertRows(trx, 'prescriptions', prescriptionColumns, prescriptionRows(patients.slice(0, prescribedTo), random('prescriptions')))
    await insertRows(trx, 'appointments', appointmentColumns, appointmentRows(patients, calendar, random('appointments')))
    await insertRows(trx, 'messages', messageColumns, messageRows(patients, calendar, random('messages')), progress('messages', 20_000))
    await insertDemoPortal(trx, services.secrets, patients, calendar, random('portal'))
    const sales = demoInvoices(patients, frames, calendar, random('invoices'))
    await insertRows(trx, 'invoices', invoiceColumns, sales.invoices, progress('invoices', 20_000))
    await insertRows(trx, 'invoice_items', invoiceItemColumns, sales.items)
    await insertRows(trx, 'invoice_payments', invoicePaymentColumns, sales.payments)
    await insertDemoPatientReturns(trx, demoPatientReturns(sales, calendar, random('patient returns')))
    await insertDemoFiles(services, trx, calendar, random('files'), desk)
    await insertInsurance(trx, calendar, random('insurance'))
    await insertCounts(writing, sheets)
    await insertPunches(writing, punches)
    await continueIdentities(trx)
    await trx.updateTable('server_state').set({ is_demo: true }).execute()
    return true
  })
  if (!made) return
  // The planner has no statistics yet for tables that were filled a moment ago.
  for (const table of filledTables) {
    await sql`analyze ${sql.table(table)}`.execute(db.pool)
  }
  log.info({ frames: total }, 'the demo clinic is ready')
}

/** The users who record what patients bring. */
const desk = demoPeople
  .filter(({ roles }) => roles.some((role) => role === 'front_desk' || role === 'optician'))
  .map(({ id_user }) => id_user)

async function hasClinic(db: Services['db']['pool']): Promise<boolean> {
  return (await db.selectFrom('stores').select('store_id').limit(1).executeTakeFirst()) !== undefined
}

/** Downtown, Eastside, warehouse. */
function frameCounts(size: DemoSize): [number, number, number] {
  if (size.totalFrames !== undefined) {
    const warehouse = Math.floor(size.totalFrames / 11)
    const eastside = Math.floor((size.totalFrames - warehouse) / 2)
    return [size.totalFrames - warehouse - eastside, eastside, warehouse]
  }
  const perStore = size.framesPerStore ?? 1000
  return [perStore, perStore, Math.ceil(perStore / 5)]
}

async function insertStoresAndPeople(services: Services, trx: Transaction<Schema>, passwords: readonly string[]): Promise<void> {
  await trx
    .insertInto('stores')
    .values(
      demoStores.map(({ store_id, store_name, short_name, time_zone, is_warehouse, letterhead }) => ({
        store_id,
        store_name,
        short_name,
        time_zone,
        is_warehouse,
        settings: JSON.stringify({ ...defaultStoreSettings, letterhead }),
      })),
    )
    .execute()
  await trx
    .insertInto('users')
    .values(
      demoPeople.map(({ id_user, username, first_name, last_name, pin, roles }, index) => ({
        id_user,
        username,
        email: `${username}@lorgnette.example`,
        first_name,
        last_name,
        password_hash: passwords[index] ?? '',
        pin_lookup: pinLookup(services.secrets, pin),
        role_ids: [...roles],
        store_id: demoStores[0].store_id,
        disabled_at: null,
        ...(roles.some((role) => role === 'doctor') && doctorNumbers),
      })),
    )
    .execute()
  const memberships = demoPeople.flatMap(({ id_user }) => demoStores.map(({ store_id }) => ({ id_user, store_id })))
  await trx.insertInto('user_stores').values(memberships).execute()
}

async function insertLibrary(trx: Transaction<Schema>, { products, models, prices }: ReturnType<typeof demoLibrary>): Promise<void> {
  await trx.insertInto('vendors').values(demoVendors).execute()
  await trx.insertInto('brands').values(demoBrandRows).execute()
  await insertRows(trx, 'products', productColumns, products)
  await insertRows(trx, 'models', modelColumns, models)
  await insertRows(trx, 'model_prices', modelPriceColumns, prices)
}

async function insertInsurance(trx: Transaction<Schema>, calendar: DemoCalendar, random: SeededRandom): Promise<void> {
  await insertRows(trx, 'insurance_companies', { company_id: 'integer', name: 'text', name_words: 'text', payer_id: 'text' }, companyRows)
  const planColumns = { plan_id: 'integer', company_id: 'integer', coverage_type_id: 'integer', name: 'text', name_words: 'text' }
  await insertRows(trx, 'insurance_plans', { ...planColumns, benefits: 'jsonb' }, planRows)
  const patients = await trx.selectFrom('patients').select(['id', 'dob', 'last_exam_date']).orderBy('patient_no').execute()
  const { policies, holders } = demoPolicies(patients, calendar, random)
  await insertRows(trx, 'insurances', policyColumns, policies)
  await insertRows(trx, 'insurance_holders', holderColumns, holders)
}

async function insertCounts({ trx, revision }: Writing, counts: DemoCounts): Promise<void> {
  const inStore = <R extends { store_id: number }>(rows: R[]) =>
    rows.map((row) => ({ ...row, revision: revision(`store:${row.store_id}`) }))
  await trx.insertInto('count_sheets').values(inStore(counts.sheets)).execute()
  await insertRows(
    trx,
    'count_items',
    {
      id_count_sheet: 'uuid',
      id_inventory: 'integer',
      store_id: 'integer',
      sku: 'text',
      serial: 'text',
      upc: 'text',
      brand_id: 'integer',
      brand_name: 'text',
      title_product: 'text',
      title_variant: 'text',
      size_lens_width: 'double precision',
      size_bridge_width: 'double precision',
      size_temple_length: 'double precision',
      pb_selling_price: 'bigint',
      status: 'text',
      board_location: 'text',
      last_seen_at: 'timestamptz',
      revision: 'bigint',
    },
    inStore(counts.items),
  )
  await insertRows(
    trx,
    'count_scans',
    {
      id: 'uuid',
      id_count_sheet: 'uuid',
      store_id: 'integer',
      raw_code: 'text',
      id_inventory: 'integer',
      finding: 'text',
      via: 'text',
      walk: 'integer',
      captured_at: 'timestamptz',
      received_at: 'timestamptz',
      author_id: 'integer',
      deliverer_id: 'integer',
      device_id: 'uuid',
      revision: 'bigint',
    },
    inStore(counts.scans),
  )
  await trx.insertInto('count_decisions').values(inStore(counts.decisions)).execute()
  await insertRows(trx, 'count_lines', { id_count_sheet: 'uuid', position: 'integer', line: 'jsonb' }, counts.lines)
}

async function insertPunches({ trx, revision }: Writing, { punches, reviews }: DemoPunches): Promise<void> {
  const rows = punches.map((row) => ({ ...row, revision: revision(`user:${row.id_user}`) }))
  await trx.insertInto('punches').values(rows).execute()
  await trx.insertInto('punch_reviews').values(reviews).execute()
}

async function continueIdentities(trx: Transaction<Schema>): Promise<void> {
  await continueIdentity(trx, 'stores', 'store_id')
  await continueIdentity(trx, 'users', 'id_user')
  await continueIdentity(trx, 'vendors', 'vendor_id')
  await continueIdentity(trx, 'brands', 'brand_id')
  await continueIdentity(trx, 'products', 'id_product')
  await continueIdentity(trx, 'models', 'id_model')
  await continueIdentity(trx, 'frames', 'id_inventory')
  await continueIdentity(trx, 'frame_history', 'id')
  await continueIdentity(trx, 'patients', 'patient_no')
  await continueIdentity(trx, 'insurance_companies', 'company_id')
  await continueIdentity(trx, 'insurance_plans', 'plan_id')
  await continueDocumentNumbers(trx)
}
