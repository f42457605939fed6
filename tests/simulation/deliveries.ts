import { gtinCheckDigit } from '#contract/core/codes.ts'
import type { Services } from '#server/platform/services.ts'

/** The deliveries of vendors before the day. Only histories with work in the stockroom use them. */
export type Deliveries = {
  invoices: { id: string; store: number }[]
  /** Models of the library, each with its UPC. */
  models: { id_model: number; upc: string }[]
}

/** UPCs without a model, until a user matches them. */
export const unknownUpcs = ['03600099901', '03600099902', '03600099903'].map((digits) => `${digits}${gtinCheckDigit(digits)}`)

/** Brings two invoices to each of two stores. The second one of the first store is posted, and takes no more pieces. */
export async function bringDeliveries({ db, clock }: Services): Promise<Deliveries> {
  const at = new Date(clock.now()).toISOString()
  const invoices = [1, 2].flatMap((store) =>
    [1, 2].map((nth) => ({ id: `0198c2f4-0000-7000-9000-${String(100 * store + nth).padStart(12, '0')}`, store, nth })),
  )
  const made = { created_by: 'Maya Okonjo', created_at: at }
  await db.write([], async ({ trx }) => {
    await trx
      .insertInto('store_invoices')
      .values([1, 2].map((store) => ({ invoice_id: invoiceIdOf(store), store_id: store, ...made })))
      .execute()
    const rows = invoices.map(({ id, store, nth }) => ({
      id_vendor_invoice: id,
      invoice_id: invoiceIdOf(store),
      vendor_id: 1,
      vendor_invoice_no: `NL-${store}-${nth}`,
      po_no: '',
      terms: '',
      note: '',
      status: store === 1 && nth === 2 ? ('posted' as const) : ('draft' as const),
      ...made,
    }))
    await trx.insertInto('vendor_invoices').values(rows).execute()
  })
  const models = await db.pool.selectFrom('models').select(['id_model', 'upc']).orderBy('id_model').limit(4).execute()
  return { invoices, models: models.map(({ id_model, upc }) => ({ id_model, upc: upc ?? '' })) }
}

const invoiceIdOf = (store: number) => `0198c2f4-0000-7000-a000-${String(store).padStart(12, '0')}`
