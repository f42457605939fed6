import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { type VendorReturnReason, vendorReturnReasons } from '#contract/returns/vendor-return-rules.ts'
import { vendorReturnEndpoints } from '#contract/returns/vendor-returns.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'
import { FormDialog } from '#src/domain/forms/form-dialog.tsx'
import { reasonWords } from '../model/vendor-words.ts'

type Form = { vendor_id: string; reason: string; note: string }
type Body = { vendor_id: number; reason: VendorReturnReason; note: string }

/** Asks for the vendor and the reason. The user scans the frames afterwards. */
export function NewReturnDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  // A retry after a lost answer uses the same id, so that one return is made.
  const [ids] = useState(() => ({ return_id: uuidv7() }))
  const vendors = useReference(inventoryEndpoints.vendors)
  return (
    <FormDialog<Form, Body, string, typeof ids>
      place="own: new vendor return"
      ids={ids}
      title="New return"
      description="Return frames from this store to a vendor."
      offline={isOffline ? 'You’re offline. You need a connection to start a return.' : null}
      first={{ vendor_id: '', reason: 'defective', note: '' }}
      saveLabel="Start"
      read={({ vendor_id, reason, note }) => {
        const known = vendorReturnReasons.find((one) => one === reason)
        if (vendor_id === '' || !known) return { ok: false, problems: { vendor_id: 'This field is required' } }
        return { ok: true, body: { vendor_id: Number(vendor_id), reason: known, note } }
      }}
      send={async (body, { return_id }) => {
        const answer = await device.call(vendorReturnEndpoints.createVendorReturn, { body: { return_id, items: [], ...body } })
        return answer.ok ? { ok: true, value: return_id } : answer
      }}
      onSaved={onMade}
      onClose={onClose}
    >
      {({ text, choice }) => (
        <>
          {choice(
            'vendor_id',
            'Vendor',
            (vendors.value?.vendors ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            'Select',
          )}
          {choice(
            'reason',
            'Reason',
            vendorReturnReasons.map((value) => ({ value, label: reasonWords[value] })),
          )}
          {text('note', 'Note', { maxLength: 500 })}
        </>
      )}
    </FormDialog>
  )
}
