import * as v from 'valibot'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { correct } from '../actions.ts'
import { correctionOf } from '../model/refusals.ts'

const readText = readAs(v.object({ text: v.string() }))

/** Corrects the text of one command and sends it again. */
export function CorrectDialog({ command, onClose }: { command: OutboxCommand; onClose: () => void }) {
  const device = useDevice()
  const part = correctionOf(command)
  const draft = useTyped(`own: correction of ${command.id}`, { text: part?.text ?? '' }, readText)
  if (!part) return null
  const { label, max } = part

  async function save({ text }: { text: string }) {
    try {
      await correct(device, command, text)
    } catch {
      return { title: 'NOT SAVED. Couldn’t write to this device’s storage. Try again.' }
    }
    showToast({ title: 'Fixed', description: command.title, tone: 'good' })
    return null
  }

  return (
    <KeptForm
      draft={draft}
      title={`Fix “${command.title}”`}
      cancel="Cancel"
      save="Save and send"
      check={({ text }) => (text.length > max ? { text: `must be ${max} characters or fewer` } : {})}
      send={save}
      onDone={onClose}
      onClose={onClose}
    >
      {({ typed: { text }, problems, change }) => (
        <TextArea
          label={label}
          value={text}
          onChange={(typed) => change({ text: typed })}
          error={problems['text']}
          hint={`${text.length} of ${max} characters`}
        />
      )}
    </KeptForm>
  )
}
