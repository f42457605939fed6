import { PackageCheck } from 'lucide-react'
import { useState } from 'react'
import { exceptionKey } from '#contract/counts/counting.ts'
import { exceptionKind, type LedgerScan } from '#contract/counts/scan-lists.ts'
import type { Rows } from '#contract/core/sorted-list.ts'
import { useRows, useSheet, useTimeZone } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { fetchedDialog } from '#src/ui/fetched-dialog.tsx'
import { formatTime } from '#src/ui/format.ts'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import type { ExceptionGroup } from './decide-dialog.tsx'
import { Neighbours } from './last-scan-card.tsx'
import { PieceLine } from './piece-line.tsx'

const DecideDialog = fetchedDialog(async () => (await import('./decide-dialog.tsx')).DecideDialog)

/** Lists exceptions by kind. A user decides one, or all of a kind. */
export function ExceptionsList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const timeZone = useTimeZone()
  const [deciding, setDeciding] = useState<ExceptionGroup | null>(null)
  const { toDecide } = model.scans()
  const rows = useRows(toDecide)
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-2">
      <VirtualList
        label="Exceptions"
        rows={rows}
        rowKey={keyOf}
        rowHeight={72}
        empty={
          <EmptyState icon={<PackageCheck aria-hidden />} title="No exceptions">
            Sold frames, removed frames and frames from other stores appear here. Decide each one before you close the count.
          </EmptyState>
        }
        renderRow={(scan, index) => {
          const decision = model.ledger.decisions.rowOn(exceptionKey(scan))
          const decided = decision !== null && decision.decision !== 'undecided'
          const name = exceptionKind(scan)
          const former = rows.at(index - 1)
          const isFirst = !former || exceptionKind(former) !== name
          return (
            <>
              {isFirst && <KindHead model={model} kind={kindFrom(rows, index)} onDecide={setDeciding} />}
              <PieceLine
                piece={model.pieceOf(scan.id_inventory)}
                code={scan.raw_code}
                under={
                  <>
                    {scan.id_inventory === null && <Neighbours model={model} event={scan} />}
                    <bdi>{scan.author_name.split(' ')[0]}</bdi> <span className="figures">{formatTime(scan.captured_at, timeZone)}</span>
                    {decision?.reason && ` · ${decision.reason}`}
                  </>
                }
              >
                {decided && (
                  <Badge tone={decision.decision === 'apply' ? 'good' : 'neutral'}>
                    {decision.decision === 'apply' ? 'Handled' : 'Leave for next count'}
                  </Badge>
                )}
                <Button variant={decided ? 'quiet' : 'secondary'} onClick={() => setDeciding({ name, scans: [scan] })}>
                  {decided ? 'Change' : 'Decide'}
                </Button>
              </PieceLine>
            </>
          )
        }}
      />
      {deciding && <DecideDialog model={model} kind={deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

function KindHead({ model, kind, onDecide }: { model: SheetModel; kind: ExceptionGroup; onDecide: (kind: ExceptionGroup) => void }) {
  const open = kind.scans.filter((scan) => isUndecided(model, scan))
  return (
    <div className="flex min-h-row items-center justify-between gap-2 border-b border-line bg-sunken pl-3 md:pl-4">
      <p className="engraved">
        {kind.name} ({kind.scans.length})
      </p>
      {open.length > 1 && (
        <Button variant="quiet" onClick={() => onDecide({ name: kind.name, scans: open })}>
          Decide all {open.length}
        </Button>
      )}
    </div>
  )
}

function keyOf(scan: LedgerScan): string {
  return scan.id
}

/** Returns the exceptions of one kind, from its first row on. */
function kindFrom(rows: Rows<LedgerScan>, first: number): ExceptionGroup {
  const scans: LedgerScan[] = []
  for (let place = first; ; place++) {
    const scan = rows.at(place)
    if (!scan || (scans[0] && exceptionKind(scan) !== exceptionKind(scans[0]))) break
    scans.push(scan)
  }
  return { name: scans[0] ? exceptionKind(scans[0]) : '', scans }
}

function isUndecided(model: SheetModel, scan: LedgerScan): boolean {
  return model.ledger.decisions.on(exceptionKey(scan)) === 'undecided'
}

export function undecidedOf(model: SheetModel): LedgerScan[] {
  return model.ledger.scans.toDecide.toArray().filter((scan) => isUndecided(model, scan))
}
