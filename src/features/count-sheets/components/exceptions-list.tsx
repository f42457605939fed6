import { PackageCheck } from 'lucide-react'
import { useState } from 'react'
import { exceptionKey } from '#contract/counting.ts'
import { exceptionKind, type LedgerScan } from '#contract/scan-lists.ts'
import type { Rows } from '#contract/sorted-list.ts'
import { decide } from '#src/features/count-sheets/actions.ts'
import { decisionReasons } from '#src/features/count-sheets/form.ts'
import { useRows, useSheet, useTimeZone } from '#src/features/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/count-sheets/sheet-model.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatNumberOf, formatTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/radio-group.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { VirtualList } from '#src/ui/virtual-list.tsx'
import { Neighbours } from './last-scan-card.tsx'
import { PieceLine } from './piece-line.tsx'

/** Scans that are exceptions for the same reason. */
type Kind = { name: string; scans: readonly LedgerScan[] }

/** What is set aside or unknown, grouped by why: one word for each, or one for all equal ones. */
export function ExceptionsList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const timeZone = useTimeZone()
  const [deciding, setDeciding] = useState<Kind | null>(null)
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
            Frames of other stores, sold or removed ones are collected here, to be decided before the count is closed.
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
                    {scan.author_name.split(' ')[0]} <span className="figures">{formatTime(scan.captured_at, timeZone)}</span>
                    {decision?.reason && ` · ${decision.reason}`}
                  </>
                }
              >
                {decided && (
                  <Badge tone={decision.decision === 'apply' ? 'good' : 'neutral'}>
                    {decision.decision === 'apply' ? 'Apply' : 'Skip'}
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

function KindHead({ model, kind, onDecide }: { model: SheetModel; kind: Kind; onDecide: (kind: Kind) => void }) {
  const open = kind.scans.filter((scan) => isUndecided(model, scan))
  return (
    <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line bg-sunken pl-3 md:pl-4">
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

/** The exceptions of the same kind, from the first one of it. */
function kindFrom(rows: Rows<LedgerScan>, first: number): Kind {
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

/** What `apply` means for a kind, in words. */
function applyHint(kind: string): string {
  if (kind === 'Removed from stock') return 'Closing places it back into stock.'
  if (kind === 'In transit') return 'Closing receives it into this store.'
  if (kind === 'Was Missing') return 'Closing returns it to stock.'
  if (kind.startsWith('Belongs to')) return 'You send it back or make a transfer. Closing never moves a frame between stores.'
  if (kind === 'Unknown code') return 'You have dealt with the piece, for example with a new label.'
  return 'You have dealt with it.'
}

export function DecideDialog({ model, kind, onClose }: { model: SheetModel; kind: Kind; onClose: () => void }) {
  const first = kind.scans[0]
  const known = first && kind.scans.length === 1 ? model.ledger.decisions.rowOn(exceptionKey(first)) : null
  const listed = decisionReasons.find((reason) => reason === known?.reason)
  const [decision, setDecision] = useState<'apply' | 'skip'>(known?.decision === 'skip' ? 'skip' : 'apply')
  const [reason, setReason] = useState<string>(listed ?? (known?.reason ? 'Other' : ''))
  const [words, setWords] = useState(listed ? '' : (known?.reason ?? ''))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    const notSaved = await decide(model, kind.scans, decision, reason === 'Other' ? words.trim() || 'Other' : reason)
    setBusy(false)
    if (notSaved) setProblem(notSaved.message)
    else onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      title={kind.scans.length === 1 ? `Decide: ${first?.raw_code ?? ''}` : `Decide ${formatNumberOf(kind.scans.length, 'exception')}`}
      description={kind.name}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save decision
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        <RadioGroup
          label="What happens"
          hideLabel
          look="cards"
          value={decision}
          onChange={setDecision}
          options={[
            { value: 'apply', label: 'Apply', hint: applyHint(kind.name) },
            { value: 'skip', label: 'Skip', hint: 'Leave it as it is, for the next count.' },
          ]}
        />
        <SelectField
          label="Reason (optional)"
          value={reason}
          onChange={setReason}
          options={[{ value: 'none', label: 'No reason' }, ...decisionReasons.map((each) => ({ value: each, label: each }))].map((option) =>
            option.value === 'none' ? { ...option, value: '' } : option,
          )}
        />
        {reason === 'Other' && <TextField label="In your words" value={words} onChange={setWords} maxLength={500} />}
      </div>
    </Dialog>
  )
}
