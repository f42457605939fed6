import { useState } from 'react'
import { exceptionKey } from '#contract/counts/counting.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import { decide } from '#src/features/counts/count-sheets/actions.ts'
import { decisionReasons } from '#src/features/counts/count-sheets/form.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { keepLabelRequests } from '#src/domain/labels/keep-label-request.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

/** Scans that are exceptions for the same reason. */
export type ExceptionGroup = { name: string; scans: readonly LedgerScan[] }

/** What `apply` means for a kind, in words. */
function applyHint(kind: string): string | undefined {
  if (kind === 'Removed from stock') return 'Closing puts it back in stock.'
  if (kind === 'In transit') return 'Closing receives it into this store.'
  if (kind === 'Was Missing') return 'Closing returns it to stock.'
  if (kind.startsWith('Belongs to')) return 'Send it back or create a transfer. Closing never moves a frame between stores.'
  if (kind === 'Unknown code') return 'For example, you printed a new label.'
  return undefined
}

/** One word for a kind of exception: what happens to it, and why. */
export function DecideDialog({ model, kind, onClose }: { model: SheetModel; kind: ExceptionGroup; onClose: () => void }) {
  const device = useDevice()
  const first = kind.scans[0]
  const known = first && kind.scans.length === 1 ? model.ledger.decisions.rowOn(exceptionKey(first)) : null
  const listed = decisionReasons.find((reason) => reason === known?.reason)
  const [decision, setDecision] = useState<'apply' | 'skip'>(known?.decision === 'skip' ? 'skip' : 'apply')
  const [reason, setReason] = useState<string>(listed ?? (known?.reason ? 'Other' : ''))
  const [words, setWords] = useState(listed ? '' : (known?.reason ?? ''))
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const pieces = kind.scans.flatMap((scan) => model.pieceOf(scan.id_inventory) ?? [])
  const needsLabels = reason === 'Label unreadable' && pieces.length > 0

  async function save() {
    setBusy(true)
    const notSaved = await decide(model, kind.scans, decision, reason === 'Other' ? words.trim() || 'Other' : reason)
    const problem = notSaved?.message ?? (needsLabels ? await keepLabelRequests(device, pieces) : null)
    setBusy(false)
    if (problem !== null) setProblem(problem)
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
            { value: 'apply', label: 'Handled', hint: applyHint(kind.name) },
            { value: 'skip', label: 'Leave for next count' },
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
        {needsLabels && <p className="text-sm text-ink-2">{pieces.length === 1 ? 'A new label was' : 'New labels were'} requested.</p>}
        {reason === 'Other' && <TextField label="Describe it" value={words} onChange={setWords} maxLength={500} />}
      </div>
    </Dialog>
  )
}
