import type { VendorInvoice } from '#contract/receiving/store-invoices.ts'
import { netCost } from '#contract/stock/stock-money.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { FormDialog } from '#src/domain/forms/form-dialog.tsx'
import { formatMoney } from '#src/ui/format.ts'
import { centsOf, typedMoney } from '#src/ui/forms/typed-money.ts'
import { type LineBody, readLine } from '../model/invoice-form.ts'

type Props = {
  place: DraftPlace
  name: string
  line: VendorInvoice['lines'][number] | null
  offline: string | null
  seesCosts: boolean
  send: (body: LineBody) => Promise<Outcome<VendorInvoice>>
  onSaved: (invoice: VendorInvoice) => void
  onClose: () => void
}

/** The line of one model on the vendor's invoice. */
export function LineDialog({ place, name, line, offline, seesCosts, send, onSaved, onClose }: Props) {
  return (
    <FormDialog
      place={place}
      title={name}
      description={seesCosts ? 'Enter it as on the invoice. Frames already received keep the same cost.' : 'Enter it as on the invoice.'}
      offline={offline}
      first={{
        qty_invoiced: line?.qty_invoiced === null || line === null ? '' : String(line.qty_invoiced),
        list_cost: typedMoney(line?.costs?.list_cost ?? null),
        discount_pct: line?.costs?.discount_pct === null || !line?.costs ? '' : String(line.costs.discount_pct),
      }}
      read={readLine}
      send={send}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ form, text }) => {
        const net = netCost(centsOf(form.list_cost) ?? null, Number(form.discount_pct) || 0)
        return (
          <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
            {text('qty_invoiced', 'Pieces', { inputMode: 'numeric', figures: true })}
            {seesCosts && text('list_cost', 'List cost', { inputMode: 'decimal', figures: true })}
            {seesCosts &&
              text('discount_pct', 'Discount, %', {
                inputMode: 'decimal',
                figures: true,
                hint: net === null ? undefined : `Net ${formatMoney(net)}`,
              })}
          </div>
        )
      }}
    </FormDialog>
  )
}
