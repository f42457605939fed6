/** The addresses of receipts, below those of the specification. The parser ignores anything after the invoice's id. */

export type VendorPlace = { invoice_id: string; id_vendor_invoice: string }

/** Returns the address of a store invoice, below /receipts. */
export const storePlace = (invoiceId: string) => ({ to: '/receipts/$', params: { _splat: `store/invoice/${invoiceId}` } }) as const

/** Returns the address of a vendor invoice, below /inventory/receipts. */
export const vendorPlace = ({ invoice_id, id_vendor_invoice }: VendorPlace) =>
  ({ to: '/inventory/receipts/$', params: { _splat: `vendors/invoice/${invoice_id}/${id_vendor_invoice}` } }) as const

export const storeIn = (splat = '') => /^store\/invoice\/([^/]+)/.exec(splat)?.[1]
export const vendorIn = (splat = '') => /^vendors\/invoice\/[^/]+\/([^/]+)/.exec(splat)?.[1]
