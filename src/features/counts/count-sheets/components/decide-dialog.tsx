import * as v from 'valibot'
import { exceptionKey } from '#contract/counts/counting.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import { decide } from '#src/features/counts/count-sheets/actions.ts'
import { decisionReasons } from '#src/features/counts/count-sheets/form.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { recordLabelRequests } from '#src/domain/labels/record-label-requests.ts'
import { formatNumberOf } from '#src/ui/format.ts'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

/** Scans that are exceptions for the same reason. */
export type ExceptionGroup = { name: string; scans: readonly LedgerScan[] }

/** Explains `apply` for a kind of exception. */
function applyHint(kind: string): string | undefined {
  if (kind === 'Removed from stock') return 'Closing puts it back in stock.'
  if (kind === 'In transit') return 'Closing receives it into this store.'
  if (kind === 'Was Missing') return 'Closing returns it to stock.'
  if (kind.startsWith('Belongs to')) return 'Send it back or create a transfer. Closing never moves a frame between stores.'
  if (kind === 'Unknown code') return 'For example, you printed a new label.'
  return undefined
}

const shape = v.object({ decision: v.picklist(['apply', 'skip']), reason: v.string(), words: v.string() })
type Decided = v.InferOutput<typeof shape>
const readDecided = readAs(shape)

/** Decides one kind of exception: apply or skip, and why. */
export function DecideDialog({ model, kind, onClose }: { model: SheetModel; kind: ExceptionGroup; onClose: () => void }) {
  const device = useDevice()
  const first = kind.scans[0]
  const known = first && kind.scans.length === 1 ? model.ledger.decisions.rowOn(exceptionKey(first)) : null
  const listed = decisionReasons.find((reason) => reason === known?.reason)
  const before: Decided = {
    decision: known?.decision === 'skip' ? 'skip' : 'apply',
    reason: listed ?? (known?.reason ? 'Other' : ''),
    words: listed ? '' : (known?.reason ?? ''),
  }
  const draft = useTyped(`own: decision in ${model.id} on ${kind.scans.length === 1 ? first?.id : kind.name}`, before, readDecided)

  const pieces = kind.scans.flatMap((scan) => model.pieceOf(scan.id_inventory) ?? [])
  const needsLabels = draft.typed?.reason === 'Label unreadable' && pieces.length > 0

  async function save({ decision, reason, words }: Decided) {
    const notSaved = await decide(model, kind.scans, decision, reason === 'Other' ? words.trim() || 'Other' : reason)
    const problem = notSaved?.message ?? (needsLabels ? await recordLabelRequests(device, pieces) : null)
    return problem === null ? null : { title: 'NOT SAVED', text: problem }
  }

  return (
    <KeptForm
      draft={draft}
      size="sm"
      title={kind.scans.length === 1 ? `Decide: ${first?.raw_code ?? ''}` : `Decide ${formatNumberOf(kind.scans.length, 'exception')}`}
      description={kind.name}
      cancel="Cancel"
      save="Save decision"
      send={save}
      onDone={onClose}
      onClose={onClose}
    >
      {({ typed: { decision, reason, words }, change }) => (
        <>
          <RadioGroup
            label="What happens"
            hideLabel
            look="cards"
            value={decision}
            onChange={(chosen) => change({ decision: chosen })}
            options={[
              { value: 'apply', label: 'Handled', hint: applyHint(kind.name) },
              { value: 'skip', label: 'Leave for next count' },
            ]}
          />
          <SelectField
            label="Reason (optional)"
            value={reason}
            onChange={(chosen) => change({ reason: chosen })}
            options={[{ value: '', label: 'No reason' }, ...decisionReasons.map((each) => ({ value: each as string, label: each }))]}
          />
          {needsLabels && <p className="text-sm text-ink-2">{pieces.length === 1 ? 'A new label' : 'New labels'} will be requested.</p>}
          {reason === 'Other' && (
            <TextField label="Describe it" value={words} onChange={(typed) => change({ words: typed })} maxLength={500} />
          )}
        </>
      )}
    </KeptForm>
  )
}
