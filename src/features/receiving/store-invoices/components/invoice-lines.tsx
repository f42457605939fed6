import { PackageCheck, Pencil, X } from 'lucide-react'
import { sizeOf } from '#contract/stock/frame.ts'
import type { VendorInvoice } from '#contract/receiving/store-invoices.ts'
import type { WaitingReceived } from '#src/domain/receiving/record-received-piece.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatCount, formatMoney } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { waitingOf } from '../model/waiting-receipt.ts'

export type Line = VendorInvoice['lines'][number]
type Props = {
  lines: readonly Line[]
  /** The unsent pieces on this tablet. */
  waiting: readonly WaitingReceived[]
  busy: boolean
  /** Null when nothing can be received. The other two are null when the lines cannot change. */
  onReceive: ((line: Line, quantity: number) => void) | null
  onChange: ((line: Line) => void) | null
  onRemove: ((line: Line) => void) | null
}

/** The most pieces that the server accepts in one request. */
const mostAtOnce = 100

/** The lines of the vendor's invoice with the received counts. Lines with missing pieces come first. */
export function InvoiceLines({ lines, waiting, busy, onReceive, onChange, onRemove }: Props) {
  const sorted = [...lines].sort((a, b) => Number(missing(b) > 0) - Number(missing(a) > 0))
  return (
    <ul aria-label="Invoice lines" className="divide-y divide-line rounded-lg border border-line bg-surface">
      {sorted.map((line) => {
        const name = `${line.brand_name} ${line.title_product}`
        const rest = Math.min(Math.max(0, missing(line) - waitingOf(line, waiting)), mostAtOnce)
        return (
          <li key={line.id_model} className="flex min-h-16 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2">
            <div className="min-w-0 flex-[1_1_14rem]">
              <p className="truncate font-medium">{name}</p>
              <p className="truncate text-sm text-ink-2">{[line.title_variant, sizeOf(line), line.upc].filter(Boolean).join(' · ')}</p>
            </div>
            <p className="figures text-sm text-ink-2">
              {[
                line.costs && (line.costs.net_cost === null ? 'no cost' : `${formatMoney(line.costs.net_cost)} net`),
                line.selling_price === null ? 'no price' : formatMoney(line.selling_price),
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <Received line={line} waits={waitingOf(line, waiting)} />
            <div className="ml-auto flex items-center gap-1">
              {onReceive && rest > 0 && (
                <Button
                  icon={<PackageCheck size={18} aria-hidden />}
                  disabled={busy}
                  aria-label={`Receive ${formatCount(rest)} of ${name}`}
                  onClick={() => onReceive(line, rest)}
                >
                  {formatCount(rest)}
                </Button>
              )}
              {onChange && (
                <IconButton label={`Edit ${name}`} icon={<Pencil size={18} aria-hidden />} disabled={busy} onClick={() => onChange(line)} />
              )}
              {onRemove && line.qty_received === 0 && (
                <IconButton
                  label={`Remove line ${name}`}
                  icon={<X size={20} aria-hidden />}
                  disabled={busy}
                  onClick={() => onRemove(line)}
                />
              )}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

const missing = ({ qty_invoiced, qty_received }: Line) => Math.max(0, (qty_invoiced ?? 0) - qty_received)

function Received({ line: { qty_invoiced, qty_received }, waits }: { line: Line; waits: number }) {
  const here = waits === 0 ? formatCount(qty_received) : `${formatCount(qty_received)} + ${formatCount(waits)} waiting`
  if (qty_invoiced === null) return <Badge tone="neutral">{here} here</Badge>
  const all = qty_received + waits
  const tone = all > qty_invoiced || waits > 0 ? 'warn' : all === qty_invoiced ? 'good' : 'neutral'
  return (
    <Badge tone={tone}>
      {here} of {formatCount(qty_invoiced)}
      {all > qty_invoiced && ` · ${formatCount(all - qty_invoiced)} extra`}
    </Badge>
  )
}
