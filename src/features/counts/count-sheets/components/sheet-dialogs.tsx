import { useState } from 'react'
import * as v from 'valibot'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { deleteSheet } from '#src/features/counts/count-sheets/actions.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

/** `found`: the notes when the user began to type. */
const readNotes = readAs(v.object({ found: v.string(), notes: v.string() }))

/** The notes of a sheet. This tablet saves them at once, also offline. */
export function NotesDialog({ model, sheet, onClose }: { model: SheetModel; sheet: CountSheet; onClose: () => void }) {
  const device = useDevice()
  const [fresh] = useState({ found: sheet.notes, notes: sheet.notes })
  const draft = useTyped(`own: notes of count ${model.id}`, fresh, readNotes)
  async function save({ notes }: typeof fresh) {
    const notSaved = await model.record('count.note', { id_count_sheet: model.id, notes: notes.trim() }, `Notes for count ${nameOf(sheet)}`)
    if (notSaved) return { title: 'NOT SAVED', text: notSaved.message }
    void device.drain()
    return null
  }
  return (
    <KeptForm draft={draft} size="sm" title="Notes" cancel="Cancel" save="Save notes" send={save} onDone={onClose} onClose={onClose}>
      {({ typed: { found, notes }, change }) => (
        <>
          {sheet.notes !== found && sheet.notes !== notes && (
            <Notice
              tone="warn"
              title="Someone else edited these notes"
              actions={
                <Button
                  onClick={() => change({ notes: [sheet.notes, notes].filter(Boolean).join('\n').slice(0, 2000), found: sheet.notes })}
                >
                  Keep both
                </Button>
              }
            >
              They wrote: “{sheet.notes || 'nothing'}”. Saving yours replaces theirs.
            </Notice>
          )}
          <TextArea label="Notes for this count" rows={6} maxLength={2000} value={notes} onChange={(typed) => change({ notes: typed })} />
        </>
      )}
    </KeptForm>
  )
}

/** Starts another walk over the shelves. The log keeps the former scans, which no longer count. */
export function RecountDialog({ model, sheet, onClose }: { model: SheetModel; sheet: CountSheet; onClose: () => void }) {
  const device = useDevice()
  async function recount() {
    const notSaved = await model.record('count.recount', { id_count_sheet: model.id }, `Recount of ${nameOf(sheet)}`)
    if (notSaved) return { title: 'NOT SAVED', text: notSaved.message }
    void device.drain()
    onClose()
    return null
  }
  const counted = formatNumberOf(model.ledger.countedTotal, 'counted frame goes', 'counted frames go')
  return (
    <SureDialog
      title="Count everything again?"
      text={`${counted} back to the To find list on every tablet. Earlier scans stay in the log.`}
      yes={`Start walk ${sheet.walk + 1}`}
      no="Cancel"
      danger
      onYes={recount}
      onClose={onClose}
    />
  )
}

/** Deletes a count by name. If it has scans, the user must type the name. */
export function DeleteCountDialog({
  sheet,
  scans,
  onClose,
  onDeleted,
}: {
  sheet: CountSheet
  scans: number
  onClose: () => void
  onDeleted: () => void
}) {
  const device = useDevice()
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const name = nameOf(sheet)
  const mustType = scans > 0
  async function remove() {
    const notSaved = await deleteSheet(device, sheet)
    if (notSaved) return setProblem(notSaved.message)
    onDeleted()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      size="sm"
      role="alertdialog"
      closeOnOutside={false}
      title={`Delete ${name}?`}
      footer={
        <>
          <Button onClick={onClose}>Keep it</Button>
          <Button variant="danger" disabled={mustType && typed.trim().toLowerCase() !== name.toLowerCase()} onClick={() => void remove()}>
            Delete {name}
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
        <p>{scans > 0 ? `${formatNumberOf(scans, 'scan')} will be discarded. No frames change.` : 'It has no scans. No frames change.'}</p>
        {mustType && <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} autoComplete="off" />}
      </div>
    </Dialog>
  )
}

export function nameOf(sheet: CountSheet): string {
  return sheet.number === null ? 'new count' : `count #${sheet.number}`
}
