import { storeInvoiceEndpoints } from '#contract/receiving/store-invoices.ts'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { transferEndpoints, transferTabs } from '#contract/stock/transfers.ts'
import { isOpen as isReturnOpen } from '#contract/returns/vendor-return-rules.ts'
import { isOpen as isInvoiceOpen } from '#contract/receiving/vendor-invoice-rules.ts'
import { vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keepAnswer, type KeptEndpoint, keptKey, readKept } from '#src/sync/device/kept-answers.ts'
import { questions } from '#src/domain/kept-stock/kept-stock.ts'

/** How many of each are kept: a store's open ones, and room for those that its users open. */
const mostKept = 40

class Stopped extends Error {}

/**
 * Fetches what a user needs to receive deliveries without a connection: the store's open transfers in both directions,
 * the open vendor invoices, and the lists that lead to them. Only changed ones are fetched again. It stops when the
 * server cannot be reached, or when `isOver`.
 */
export async function keepOpenStock(device: Pick<Device, 'call' | 'hot' | 'serverNow' | 'session'>, isOver: () => boolean): Promise<void> {
  const { home } = device.session.state.getState()
  if (!home) return
  const keeper = { id_user: home.id_user, store_id: home.store_id }
  const may = (permission: (typeof home.permissions)[number]) => home.permissions.includes(permission)

  /** @throws Stopped */
  async function fetch<E extends KeptEndpoint>(endpoint: E, request: RequestOf<E>): Promise<ResponseOf<E> | null> {
    if (isOver()) throw new Stopped()
    const at = new Date(device.serverNow()).toISOString()
    const answer = (await device.call<Endpoint>(endpoint, request as never)) as Outcome<ResponseOf<E>>
    if (isOver() || (!answer.ok && answer.failure.kind !== 'refused')) throw new Stopped()
    if (!answer.ok) return null
    await keepAnswer(device.hot, keeper, keptKey(keeper, endpoint, JSON.stringify(request)), { at, value: answer.value })
    return answer.value
  }

  /** Fetches each one that is not kept in this version. @throws Stopped */
  async function fetchChanged<E extends KeptEndpoint>(endpoint: E, wanted: readonly { request: RequestOf<E>; version: number }[]) {
    for (const { request, version } of wanted.slice(0, mostKept)) {
      const kept = await readKept(device.hot, keptKey(keeper, endpoint, JSON.stringify(request)), endpoint)
      if ((kept?.value as { version?: number } | undefined)?.version !== version) await fetch(endpoint, request)
    }
  }

  try {
    if (may('frame.look-up')) {
      const open = []
      for (const tab of transferTabs) {
        const list = await fetch(transferEndpoints.listTransfers, questions.transfers(tab))
        if (tab !== 'done') open.push(...(list?.transfers ?? []))
      }
      const wanted = open.map(({ id_transfer, version }) => ({ request: questions.transfer(id_transfer), version }))
      await fetchChanged(transferEndpoints.readTransfer, wanted)
    }
    if (may('vendor-invoice.read')) {
      const receipts = await fetch(storeInvoiceEndpoints.listReceipts, questions.receipts('vendors'))
      const invoices = (receipts?.vendor_invoices ?? []).filter(({ status }) => isInvoiceOpen(status))
      await fetchChanged(
        storeInvoiceEndpoints.readVendorInvoice,
        invoices.map(({ id_vendor_invoice, version }) => ({ request: questions.receipt(id_vendor_invoice), version })),
      )
      await fetch(storeInvoiceEndpoints.listReceipts, questions.receipts('stores'))
      const returns = await fetch(vendorReturnEndpoints.listVendorReturns, questions.vendorReturns('open'))
      await fetchChanged(
        vendorReturnEndpoints.readVendorReturn,
        (returns?.return_invoices ?? [])
          .filter(({ status }) => isReturnOpen(status))
          .map(({ return_id, version }) => ({ request: questions.vendorReturn(return_id), version })),
      )
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
  }
}
