import { sql, type Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { VendorContact } from '#contract/receiving/store-invoices.ts'
import type { Schema } from '#server/platform/db/schema.ts'

/** Says where a vendor invoice with this number already exists. Null when nowhere. A void one does not count. */
export async function takenNumber(
  db: Kysely<Schema>,
  { vendor_id, vendor_invoice_no }: { vendor_id: number; vendor_invoice_no: string },
  except: string | null,
): Promise<string | null> {
  const found = await db
    .selectFrom('vendor_invoices as invoice')
    .innerJoin('store_invoices as receipt', 'receipt.invoice_id', 'invoice.invoice_id')
    .innerJoin('stores', 'stores.store_id', 'receipt.store_id')
    .select(['receipt.number', 'stores.store_name', 'invoice.id_vendor_invoice'])
    .where('invoice.vendor_id', '=', vendor_id)
    .where(sql`lower(invoice.vendor_invoice_no)`, '=', sql`lower(${vendor_invoice_no})`)
    .where('invoice.deleted_at', 'is', null)
    .where('invoice.status', '<>', 'void')
    .executeTakeFirst()
  return !found || found.id_vendor_invoice === except?.toLowerCase()
    ? null
    : `This number is already on receipt ${found.number} at ${found.store_name}`
}

export async function invoiceVendors(db: Kysely<Schema>) {
  return await db.selectFrom('vendors').select(['vendor_id', 'name', 'account_no', 'terms']).orderBy('name').orderBy('vendor_id').execute()
}

export async function vendorContacts(db: Kysely<Schema>, vendorId: number | undefined): Promise<VendorContact[]> {
  return await db
    .selectFrom('vendor_contacts')
    .selectAll()
    .$if(vendorId !== undefined, (query) => query.where('vendor_id', '=', vendorId ?? 0))
    .orderBy('name')
    .orderBy('id_vendor_contact')
    .execute()
}

/** @throws Refusal vendor-unknown, key-reused */
export async function saveVendorContact(db: Kysely<Schema>, contact: VendorContact): Promise<VendorContact> {
  return await db.transaction().execute(async (trx) => {
    const vendor = await trx.selectFrom('vendors').select('vendor_id').where('vendor_id', '=', contact.vendor_id).executeTakeFirst()
    if (!vendor) throw new Refusal('vendor-unknown', { fields: [{ path: 'body.vendor_id', message: 'Vendor not found' }] })
    const { id_vendor_contact, vendor_id, ...words } = contact
    const saved = await trx
      .insertInto('vendor_contacts')
      .values({ ...contact, id_vendor_contact: id_vendor_contact.toLowerCase() })
      .onConflict((conflict) => conflict.column('id_vendor_contact').doUpdateSet(words).where('vendor_contacts.vendor_id', '=', vendor_id))
      .returningAll()
      .executeTakeFirst()
    if (!saved) throw new Refusal('key-reused')
    return saved
  })
}

export async function removeVendorContact(db: Kysely<Schema>, id: string): Promise<void> {
  await db.deleteFrom('vendor_contacts').where('id_vendor_contact', '=', id.toLowerCase()).execute()
}
