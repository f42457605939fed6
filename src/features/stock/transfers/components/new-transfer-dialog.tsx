import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { transferEndpoints, transferReasons } from '#contract/stock/transfers.ts'
import { KeptForm, type NotDone } from '#src/domain/forms/kept-form.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { recordTransferBegin } from '#src/domain/transfers/record-transfer.ts'
import { keepWritten, keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { reasonWords } from '../words.ts'

const shape = v.object({ id: v.string(), goal: v.string(), reason: v.picklist(transferReasons), note: v.string() })
type NewTransfer = v.InferOutput<typeof shape>
const readNewTransfer = readAs(shape)

/** Where to, and why. The pieces are put on it afterwards, by scanning. */
export function NewTransferDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const device = useDevice()
  const cutOff = useCutOff()
  const here = useSession((session) => session.home?.store_id)
  const stores = useStores().filter(({ store_id }) => store_id !== here)
  // Sent again after a lost answer, it is the same draft.
  const [fresh] = useState<NewTransfer>(() => ({ id: uuidv7(), goal: '', reason: 'rebalancing', note: '' }))
  const draft = useTyped('own: new transfer', fresh, readNewTransfer)

  async function begin({ id, goal, reason, note }: NewTransfer): Promise<NotDone | null> {
    const begun = { to_store_id: Number(goal), reason, note: note.trim() }
    const body = { id_transfer: id, ...begun, carrier: '', tracking: '', items: [] }
    const by = device.session.state.getState().home
    const answer = cutOff ? null : await device.call(transferEndpoints.createTransfer, { body })
    if (answer && (answer.ok || answer.failure.kind === 'refused')) {
      // A full disk only costs the offline copy.
      if (answer.ok) await keepWritten(device, keptNouns.transfer, answer.value).catch(() => undefined)
      return answer.ok ? null : { title: 'NOT SAVED', text: answer.failure.message }
    }
    // Whether or not the call arrived: under its id it is begun once.
    const goalName = stores.find(({ store_id }) => store_id === begun.to_store_id)?.store_name ?? 'another store'
    const message = await recordTransferBegin(device, id, begun, goalName, by)
    return message === null ? null : { title: 'NOT SAVED', text: message }
  }

  return (
    <KeptForm
      draft={draft}
      title="New transfer"
      description="Frames of this store that go to another one."
      size="sm"
      cancel="Cancel"
      save="Start"
      check={({ goal }) => (goal === '' ? { goal: 'This field is required' } : {})}
      send={begin}
      onDone={() => onMade(draft.typed?.id ?? fresh.id)}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {cutOff && (
            <Notice tone="info">
              {cutOff === 'offline' && 'The server cannot be reached. '}
              The transfer waits on this tablet and is sent {untilSent(cutOff)}.
            </Notice>
          )}
          <SelectField
            label="To"
            required
            error={problems['goal']}
            options={[
              { value: '', label: 'Choose' },
              ...stores.map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name })),
            ]}
            value={typed.goal}
            onChange={(goal) => change({ goal })}
          />
          <SelectField
            label="Reason"
            options={transferReasons.map((value) => ({ value, label: reasonWords[value] }))}
            value={typed.reason}
            onChange={(reason) => change({ reason })}
          />
          <TextArea label="Note" rows={2} maxLength={500} value={typed.note} onChange={(note) => change({ note })} />
        </>
      )}
    </KeptForm>
  )
}
