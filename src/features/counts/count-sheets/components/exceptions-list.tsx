import { Ellipsis, PackageCheck } from 'lucide-react'
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
import { formatNumberOf, formatTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import { useExceptionActions, type ExceptionActions } from '../hooks/use-exception-actions.ts'
import type { ExceptionGroup } from './decide-dialog.tsx'
import { Neighbours } from './last-scan-card.tsx'
import { PieceLine } from './piece-line.tsx'

const DecideDialog = fetchedDialog(async () => (await import('./decide-dialog.tsx')).DecideDialog)

/** Lists exceptions by kind. A user acts on one, on all of a kind, or on all of them. */
export function ExceptionsList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const timeZone = useTimeZone()
  const [deciding, setDeciding] = useState<ExceptionGroup | null>(null)
  const { toDecide } = model.scans()
  const rows = useRows(toDecide)
  const actions = useExceptionActions(model)
  const ready = groupsOf(undecidedOf(model)).filter(({ name }) => actions.verbFor(name) !== null)
  const readyCount = ready.reduce((sum, { scans }) => sum + scans.length, 0)
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-2">
      {actions.problem && (
        <Notice tone="bad" title={`${actions.problem.kind}: not done`}>
          {actions.problem.text}
        </Notice>
      )}
      {ready.length > 1 && (
        <p className="flex flex-wrap items-center justify-between gap-2 px-3 pb-2 md:px-4">
          <span>{formatNumberOf(readyCount, 'exception')} can be handled as the buttons say.</span>
          <Button busy={actions.busy !== null} onClick={() => void actions.act(ready)}>
            Handle all {readyCount}
          </Button>
        </p>
      )}
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
              {isFirst && <KindHead model={model} kind={kindFrom(rows, index)} actions={actions} onDecide={setDeciding} />}
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
                <RowButtons
                  actions={actions}
                  group={{ name, scans: [scan] }}
                  decided={decided}
                  onDecide={() => setDeciding({ name, scans: [scan] })}
                />
              </PieceLine>
            </>
          )
        }}
      />
      {deciding && <DecideDialog model={model} kind={deciding} onClose={() => setDeciding(null)} />}
    </div>
  )
}

/** One press does the usual thing. The other button asks for another decision or a reason. */
function RowButtons({
  actions,
  group,
  decided,
  onDecide,
}: {
  actions: ExceptionActions
  group: ExceptionGroup
  decided: boolean
  onDecide: () => void
}) {
  const verb = actions.verbFor(group.name)
  if (decided || !verb) {
    return (
      <Button variant={decided ? 'quiet' : 'secondary'} onClick={onDecide}>
        {decided ? 'Change' : 'Decide'}
      </Button>
    )
  }
  return (
    <>
      <Button busy={actions.busy === group.name} onClick={() => void actions.act([group])}>
        {verb.label}
      </Button>
      <IconButton label="Decide" icon={<Ellipsis size={20} aria-hidden />} onClick={onDecide} />
    </>
  )
}

function KindHead({
  model,
  kind,
  actions,
  onDecide,
}: {
  model: SheetModel
  kind: ExceptionGroup
  actions: ExceptionActions
  onDecide: (kind: ExceptionGroup) => void
}) {
  const open = { name: kind.name, scans: kind.scans.filter((scan) => isUndecided(model, scan)) }
  const verb = actions.verbFor(kind.name)
  return (
    <div className="flex min-h-row flex-wrap items-center justify-between gap-x-2 border-b border-line bg-sunken pl-3 md:pl-4">
      <p className="engraved">
        {kind.name} ({kind.scans.length})
      </p>
      {open.scans.length > 1 && (
        <span className="flex flex-wrap">
          {verb && (
            <Button variant="quiet" busy={actions.busy === kind.name} onClick={() => void actions.act([open])}>
              {verb.label}: all {open.scans.length}
            </Button>
          )}
          <Button variant="quiet" onClick={() => onDecide(open)}>
            Decide all {open.scans.length}
          </Button>
        </span>
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

function groupsOf(scans: readonly LedgerScan[]): ExceptionGroup[] {
  const names = new Set(scans.map(exceptionKind))
  return [...names].map((name) => ({ name, scans: scans.filter((scan) => exceptionKind(scan) === name) }))
}

function isUndecided(model: SheetModel, scan: LedgerScan): boolean {
  return model.ledger.decisions.on(exceptionKey(scan)) === 'undecided'
}

export function undecidedOf(model: SheetModel): LedgerScan[] {
  return model.ledger.scans.toDecide.toArray().filter((scan) => isUndecided(model, scan))
}
