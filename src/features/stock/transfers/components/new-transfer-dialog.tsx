import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { transferEndpoints, transferReasons } from '#contract/stock/transfers.ts'
import { KeptForm, type NotDone } from '#src/domain/forms/kept-form.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { recordTransferBegin } from '#src/domain/transfers/record-transfer.ts'
import { keepWritten, keptNouns } from '#src/domain/kept-stock/kept-stock.ts'
import { act } from '#src/sync/device/act.ts'
import { untilSent, useCutOff } from '#src/sync/react/use-cut-off.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { useStores } from '#src/domain/stores/use-stores.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { reasonWords } from '../words.ts'

const shape = v.object({ id: v.string(), destination: v.string(), reason: v.picklist(transferReasons), note: v.string() })
type NewTransfer = v.InferOutput<typeof shape>
const readNewTransfer = readAs(shape)

/** Asks for the destination and the reason. The user scans the pieces afterwards. */
export function NewTransferDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const device = useDevice()
  const cutOff = useCutOff()
  const here = useSession((session) => session.home?.store_id)
  const stores = useStores().filter(({ store_id }) => store_id !== here)
  // A retry after a lost answer uses the same id, so that one draft is made.
  const [fresh] = useState<NewTransfer>(() => ({ id: uuidv7(), destination: '', reason: 'rebalancing', note: '' }))
  const draft = useTyped('own: new transfer', fresh, readNewTransfer)

  async function begin({ id, destination, reason, note }: NewTransfer): Promise<NotDone | null> {
    const begun = { to_store_id: Number(destination), reason, note: note.trim() }
    const body = { id_transfer: id, ...begun, carrier: '', tracking: '', items: [] }
    const destinationName = stores.find(({ store_id }) => store_id === begun.to_store_id)?.store_name ?? 'another store'
    const acted = await act(device, {
      live: () => device.call(transferEndpoints.createTransfer, { body }),
      record: (by) => recordTransferBegin(device, id, begun, destinationName, by),
      isOnce: true,
    })
    // With a full disk only the offline copy is missing.
    if (acted.ok && 'value' in acted) await keepWritten(device, keptNouns.transfer, acted.value).catch(() => undefined)
    return acted.ok ? null : { title: 'NOT SAVED', text: acted.failure.message }
  }

  return (
    <KeptForm
      draft={draft}
      title="New transfer"
      description="Send frames to another store."
      size="sm"
      cancel="Cancel"
      save="Start"
      check={({ destination }) => (destination === '' ? { destination: 'This field is required' } : {})}
      send={begin}
      onDone={() => onMade(draft.typed?.id ?? fresh.id)}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {cutOff && (
            <Notice tone="info">
              {cutOff === 'offline' && 'You’re offline. '}
              The transfer is saved on this tablet and will be sent {untilSent(cutOff)}.
            </Notice>
          )}
          <SelectField
            label="To"
            required
            error={problems['destination']}
            options={[
              { value: '', label: 'Select' },
              ...stores.map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name })),
            ]}
            value={typed.destination}
            onChange={(destination) => change({ destination })}
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
