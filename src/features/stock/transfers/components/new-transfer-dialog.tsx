import { useId, useState, type FormEvent } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { transferEndpoints, type TransferReason, transferReasons } from '#contract/stock/transfers.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { keepTransferBegin } from '#src/domain/transfers/keep-transfer.ts'
import { keepWritten, keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { reasonWords } from '../words.ts'

/** Where to, and why. The pieces are put on it afterwards, by scanning. */
export function NewTransferDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const device = useDevice()
  const cutOff = useCutOff()
  const here = useSession((session) => session.home?.store_id)
  const stores = useStores().filter(({ store_id }) => store_id !== here)
  // Pressed again after an answer that was lost, it is the same draft.
  const [id] = useState(() => uuidv7())
  const [goal, setGoal] = useState('')
  const [reason, setReason] = useState<TransferReason>('rebalancing')
  const [note, setNote] = useState('')
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const formId = useId()

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (busy) return
    if (goal === '') return setError('This field is required')
    setBusy(true)
    const draft = { to_store_id: Number(goal), reason, note: note.trim() }
    const body = { id_transfer: id, ...draft, carrier: '', tracking: '', items: [] }
    const by = device.session.state.getState().home
    const answer = cutOff ? null : await device.call(transferEndpoints.createTransfer, { body })
    if (answer && (answer.ok || answer.failure.kind === 'refused')) {
      // On a full disk it is only not there without a connection.
      if (answer.ok) await keepWritten(device, keptNouns.transfer, answer.value).catch(() => undefined)
      setBusy(false)
      return answer.ok ? onMade(id) : setProblem(answer.failure.message)
    }
    // Whether or not the call arrived: under its id it is begun once.
    const goalName = stores.find(({ store_id }) => store_id === draft.to_store_id)?.store_name ?? 'another store'
    const message = await keepTransferBegin(device, id, draft, goalName, by)
    setBusy(false)
    if (message === null) onMade(id)
    else setProblem(message)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="New transfer"
      description="Send frames to another store."
      size="sm"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={busy}>
            Start
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {cutOff && (
          <Notice tone="info">
            {cutOff === 'offline' && 'You’re offline. '}
            The transfer is saved on this tablet and will be sent {untilSent(cutOff)}.
          </Notice>
        )}
        {problem !== null && (
          <Notice tone="bad" title="NOT SAVED">
            {problem}
          </Notice>
        )}
        <SelectField
          label="To"
          required
          error={error}
          options={[
            { value: '', label: 'Select' },
            ...stores.map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name })),
          ]}
          value={goal}
          onChange={(value) => {
            setGoal(value)
            setError(undefined)
          }}
        />
        <SelectField
          label="Reason"
          options={transferReasons.map((value) => ({ value, label: reasonWords[value] }))}
          value={reason}
          onChange={setReason}
        />
        <TextArea label="Note" rows={2} maxLength={500} value={note} onChange={setNote} />
      </form>
    </Dialog>
  )
}
