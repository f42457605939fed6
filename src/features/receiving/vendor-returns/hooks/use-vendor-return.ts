import { type VendorReturn, vendorReturnEndpoints, type VendorReturnStepInput } from '#contract/returns/vendor-returns.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { useRecord } from '#src/domain/kept-stock/use-record.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'

const timeoutMs = 20_000

/** A return to a vendor, and the calls that change it. */
export function useVendorReturn(id: string) {
  const device = useDevice()
  const { show: _, run, remove, ...record } = useRecord(keptNouns.vendorReturn, id, { timeoutMs })
  const params = { id }
  return {
    ...record,
    /** Replaces the pieces of the return with these. */
    change({ reason, note, version }: VendorReturn, items: number[]): Promise<Outcome<VendorReturn>> {
      const body = { reason, note, items, version }
      return run(() => device.call(vendorReturnEndpoints.changeVendorReturn, { params, body }, { timeoutMs }))
    },
    /** Takes the next step. The dialog shows why it was refused. */
    step(version: number, given: VendorReturnStepInput): Promise<Outcome<VendorReturn>> {
      const body = { version, do: given }
      return run(() => device.call(vendorReturnEndpoints.stepVendorReturn, { params, body }, { timeoutMs }), { quiet: true })
    },
    remove: (version: number) =>
      remove(() => device.call(vendorReturnEndpoints.deleteVendorReturn, { params, query: { version: String(version) } }, { timeoutMs })),
  }
}
export type OpenReturn = ReturnType<typeof useVendorReturn>
