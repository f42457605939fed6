/** Where receipts are, below the addresses that the specification gives them; whatever follows an invoice is the invoice. */

export type VendorPlace = { invoice_id: string; id_vendor_invoice: string }

/** Below /receipts. */
export const storePlace = (invoiceId: string) => ({ to: '/receipts/$', params: { _splat: `store/invoice/${invoiceId}` } }) as const

/** Below /inventory/receipts. */
export const vendorPlace = ({ invoice_id, id_vendor_invoice }: VendorPlace) =>
  ({ to: '/inventory/receipts/$', params: { _splat: `vendors/invoice/${invoice_id}/${id_vendor_invoice}` } }) as const

export const storeIn = (splat = '') => /^store\/invoice\/([^/]+)/.exec(splat)?.[1]
export const vendorIn = (splat = '') => /^vendors\/invoice\/[^/]+\/([^/]+)/.exec(splat)?.[1]
