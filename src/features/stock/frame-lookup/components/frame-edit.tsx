import type { ControlPreset } from '#contract/stock/control-rules.ts'
import type { ControlFlag, Frame } from '#contract/stock/frames.ts'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import type { EditErrors, FieldChange } from '../form.ts'
import { controlOptions } from '../form.ts'

export type EditDraft = { action: ControlFlag | null; note: string }

/** The edit view: the seven actions and a note. The typed values survive every refusal. */
export function FrameEdit({
  frame,
  preset,
  draft,
  onDraft,
  errors,
  problem,
  changes,
}: {
  frame: Frame
  preset: ControlPreset
  draft: EditDraft
  onDraft: (draft: EditDraft) => void
  errors: EditErrors
  /** Why the last try failed. */
  problem: string | null
  /** Another user's changes meanwhile, or null when none are known. */
  changes: FieldChange[] | null
}) {
  return (
    <div className="flex flex-col gap-5">
      {problem && (
        <Notice tone="bad" title={problem}>
          {changes && changes.length > 0 && (
            <ul aria-label="What changed">
              {changes.map((change) => (
                <li key={change.label}>
                  {change.label}: {change.before} → <strong>{change.after}</strong>
                </li>
              ))}
            </ul>
          )}
          {changes && <p>Your changes are still here. Review them before you save.</p>}
        </Notice>
      )}
      <RadioGroup
        label="Inventory control"
        options={controlOptions(frame.status, preset)}
        value={draft.action}
        onChange={(action) => onDraft({ ...draft, action })}
        error={errors.action}
        columns={2}
      />
      <TextArea
        label="Note"
        rows={3}
        maxLength={1000}
        value={draft.note}
        onChange={(note) => onDraft({ ...draft, note })}
        error={errors.note}
        hint="Quotation marks are removed"
      />
    </div>
  )
}
