import { ListX, PackageSearch, ScrollText, Tag, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Frame } from '#contract/stock/frame.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import type { SortedList } from '#contract/core/sorted-list.ts'
import { outcomeLooks } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useRows, useSheet, useTimeZone } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import type { Device } from '#src/sync/device/device.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useWaiting } from '#src/sync/react/use-waiting.ts'
import { labelRequests, recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import { Badge } from '#src/ui/badge.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import { DeliveryMark } from './delivery-mark.tsx'
import { Neighbours } from './last-scan-card.tsx'
import { PieceLine } from './piece-line.tsx'

export function CountedList({ model }: { model: SheetModel }) {
  return (
    <ScanList
      model={model}
      label="Counted frames"
      scans={model.scans().counted}
      withLabels
      empty={
        <EmptyState icon={<PackageSearch aria-hidden />} title="Nothing counted yet">
          Scan the first frame and it appears here.
        </EmptyState>
      }
    />
  )
}

export function UnknownList({ model }: { model: SheetModel }) {
  return (
    <ScanList
      model={model}
      label="Unknown codes"
      scans={model.scans().unknown}
      under={(scan) => <Neighbours model={model} event={scan} />}
      empty={
        <EmptyState icon={<ListX aria-hidden />} title="No unknown codes">
          Codes that match no frame appear here, with the frames scanned before and after, so you can find them on the board.
        </EmptyState>
      }
    />
  )
}

export function LogList({ model }: { model: SheetModel }) {
  return (
    <ScanList
      model={model}
      label="Count log"
      scans={model.scans().log}
      withOutcome
      empty={
        <EmptyState icon={<ScrollText aria-hidden />} title="The log is empty">
          Every scan and undo from every tablet is listed here, newest first. Nothing is ever deleted.
        </EmptyState>
      }
    />
  )
}

/** Scans, newest first. */
function ScanList({
  model,
  label,
  scans,
  empty,
  under,
  withOutcome = false,
  withLabels = false,
}: {
  model: SheetModel
  label: string
  scans: SortedList<LedgerScan>
  empty: ReactNode
  under?: (scan: LedgerScan) => ReactNode
  withOutcome?: boolean
  /** Offers a new label for a code entered by hand, because no scanner could read its label. */
  withLabels?: boolean
}) {
  useSheet(model, (state) => state.version)
  const timeZone = useTimeZone()
  const device = useDevice()
  const mayLabel = useSession(({ home }) => home?.permissions.includes('frame.label') ?? false)
  const labels = useWaiting(labelRequests)
  const rows = useRows(scans, 'newest first')
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-2">
      <VirtualList
        label={label}
        rows={rows}
        rowKey={keyOf}
        rowHeight={86}
        empty={empty}
        renderRow={(scan) => {
          const piece = model.pieceOf(scan.id_inventory)
          const look = outcomeLooks[model.ledger.outcomeOf(scan)]
          const Icon = look.icon
          return (
            <PieceLine
              piece={piece}
              code={scan.raw_code}
              under={
                <>
                  {under?.(scan)}
                  <span className="flex flex-wrap items-center gap-x-2">
                    <span>
                      {scan.negates !== null && 'Undo by '}
                      <bdi>{scan.author_name.split(' ')[0]}</bdi> <span className="figures">{formatTime(scan.captured_at, timeZone)}</span>
                    </span>
                    <DeliveryMark delivery={model.deliveryOf(scan.id)} />
                  </span>
                </>
              }
            >
              {withOutcome && (
                <Badge tone={look.tone} icon={<Icon aria-hidden />}>
                  {look.word}
                </Badge>
              )}
              {withLabels && mayLabel && piece && isByHand(scan) && (
                <IconButton
                  label={`Request a new label for ${piece.sku}`}
                  tooltip={false}
                  icon={<Tag size={20} aria-hidden />}
                  disabled={labels?.some(({ body }) => body.id_inventory === piece.id_inventory) ?? true}
                  onClick={() => void askForLabel(device, piece)}
                />
              )}
              {model.mayUndo(scan) ? (
                <IconButton
                  label={`Undo the scan of ${scan.raw_code}`}
                  tooltip={false}
                  icon={<Undo2 size={20} aria-hidden />}
                  onClick={() => void model.undo(scan.id)}
                />
              ) : (
                <span className="w-12" />
              )}
            </PieceLine>
          )
        }}
      />
    </div>
  )
}

function keyOf(scan: LedgerScan): string {
  return scan.id
}

const isByHand = ({ via }: LedgerScan) => via === 'typed' || via === 'picked'

async function askForLabel(device: Device, piece: Pick<Frame, 'id_inventory' | 'sku'>) {
  const problem = await recordLabelRequests(device, [piece])
  if (problem === null) showToast({ title: `New label requested for ${piece.sku}`, tone: 'good' })
  else showToast({ title: 'NOT SAVED', description: problem, tone: 'bad' })
}
