import type { ResponseOf } from '#contract/core/endpoint.ts'
import { pageRequest } from '#contract/core/page.ts'
import { invoiceEndpoints, type ListedInvoice } from '#contract/money/invoices.ts'
import { useAnswer } from '#src/sync/react/use-kept.ts'
import { useMore } from '#src/sync/react/use-more.ts'

export type InvoiceList = ResponseOf<typeof invoiceEndpoints.listInvoices>

const timeoutMs = 15_000
const rowKey = ({ id_invoice }: ListedInvoice) => id_invoice

/** Returns a patient's invoices, and the balance of all. */
export function useInvoices(idPatient: string) {
  const query = { id_patient: idPatient, reason: 'invoices tab' }
  return useMore(invoiceEndpoints.listInvoices, query, 'invoices', { rowKey, timeoutMs })
}

/** Returns a patient's balance of all finalized invoices, or undefined until the server has answered. */
export function usePatientBalance(idPatient: string): InvoiceList['balance'] | undefined {
  const request = pageRequest({ id_patient: idPatient, reason: 'patient page' }, 1)
  return useAnswer(invoiceEndpoints.listInvoices, request, { timeoutMs }).value?.balance
}
