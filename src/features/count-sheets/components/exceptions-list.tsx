import { PackageCheck } from 'lucide-react'
import { useState } from 'react'
import type { LedgerScan } from '#contract/count-ledger.ts'
import { exceptionKey } from '#contract/counting.ts'
import { decide } from '#src/features/count-sheets/actions.ts'
import { decisionReasons } from '#src/features/count-sheets/form.ts'
import { useSheet, useTimeZone } from '#src/features/count-sheets/queries.ts'
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

type Kind = { name: string; scans: LedgerScan[] }

/** What is set aside or unknown, grouped by why: one word for each, or one for all equal ones. */
export function ExceptionsList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const timeZone = useTimeZone()
  const [deciding, setDeciding] = useState<Kind | null>(null)
  const kinds = kindsOf(model)
  const rows = kinds.flatMap((kind) => kind.scans.map((scan) => ({ scan, kind })))
  return (
    <div className="flex min-h-0 flex-1 flex-col pt-2">
      <VirtualList
        label="Exceptions"
        rows={rows}
        rowKey={({ scan }) => scan.id}
        rowHeight={72}
        empty={
          <EmptyState icon={<PackageCheck aria-hidden />} title="No exceptions">
            Frames of other stores, sold or removed ones are collected here, to be decided before the count is closed.
          </EmptyState>
        }
        renderRow={({ scan, kind }, index) => {
          const decision = model.ledger.decisionRowOn(exceptionKey(scan))
          const decided = decision !== null && decision.decision !== 'undecided'
          const isFirst = rows[index - 1]?.kind !== kind
          const open = kind.scans.filter((each) => model.ledger.decisionOn(exceptionKey(each)) === 'undecided')
          return (
            <>
              {isFirst && (
                <div className="flex min-h-12 items-center justify-between gap-2 border-b border-line bg-sunken pl-3 md:pl-4">
                  <p className="engraved">
                    {kind.name} ({kind.scans.length})
                  </p>
                  {open.length > 1 && (
                    <Button variant="quiet" onClick={() => setDeciding({ name: kind.name, scans: open })}>
                      Decide all {open.length}
                    </Button>
                  )}
                </div>
              )}
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
                <Button variant={decided ? 'quiet' : 'secondary'} onClick={() => setDeciding({ name: kind.name, scans: [scan] })}>
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

/** Exceptions by why they are exceptions, the unknown codes last. */
export function kindsOf(model: SheetModel): Kind[] {
  const kinds = new Map<string, LedgerScan[]>()
  for (const scan of model.ledger.exceptions()) {
    const name = scan.finding_detail ?? 'Set aside'
    kinds.set(name, [...(kinds.get(name) ?? []), scan])
  }
  const unknown = model.ledger.unknown()
  const sorted = [...kinds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, scans]) => ({ name, scans }))
  return unknown.length > 0 ? [...sorted, { name: 'Unknown code', scans: unknown }] : sorted
}

export function undecidedOf(model: SheetModel): LedgerScan[] {
  return kindsOf(model)
    .flatMap((kind) => kind.scans)
    .filter((scan) => model.ledger.decisionOn(exceptionKey(scan)) === 'undecided')
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
  const known = first && kind.scans.length === 1 ? model.ledger.decisionRowOn(exceptionKey(first)) : null
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
