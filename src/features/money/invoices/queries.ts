import { useCallback, useEffect, useEffectEvent } from 'react'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { invoiceEndpoints } from '#contract/money/invoices.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { type Loaded, useLoaded } from '#src/sync/react/use-loaded.ts'

export type InvoiceList = ResponseOf<typeof invoiceEndpoints.listInvoices>

const timeoutMs = 15_000

/** A page of a patient’s invoices, and what is owed on all of them. Asked again when the connection is back. */
export function useInvoices(idPatient: string, page = 1, reason = 'invoices tab'): Loaded<InvoiceList> {
  const device = useDevice()
  const isOnline = useConnection((connection) => connection.online) !== false
  const load = useCallback(
    () => device.call(invoiceEndpoints.listInvoices, { query: { id_patient: idPatient, page: String(page), reason } }, { timeoutMs }),
    [device, idPatient, page, reason],
  )
  const list = useLoaded(load)
  const askAgain = useEffectEvent(() => {
    if (list.failure?.kind === 'unreachable') void list.reload()
  })
  useEffect(() => {
    if (isOnline) askAgain()
  }, [isOnline])
  return list
}

/** What a patient owes on all finalized invoices; undefined as long as the server has not told. */
export function usePatientBalance(idPatient: string): InvoiceList['balance'] | undefined {
  return useInvoices(idPatient, 1, 'patient page').value?.balance
}
