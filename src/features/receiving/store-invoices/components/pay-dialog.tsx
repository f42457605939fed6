import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

type Props = {
  today: string
  busy: boolean
  onPay: (paid: { paid_on: string; paid_reference: string }) => void
  onClose: () => void
}

/** When an invoice was paid, and how one finds the payment again. */
export function PayDialog({ today, busy, onPay, onClose }: Props) {
  const [day, setDay] = useState(today)
  const [reference, setReference] = useState('')
  return (
    <Dialog
      open
      size="sm"
      title="Mark invoice as paid"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Not yet</Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={day === '' || day === incompleteDate}
            onClick={() => onPay({ paid_on: day, paid_reference: reference.trim() })}
          >
            Mark paid
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <DateField label="Paid on" required value={day} onChange={setDay} />
        <TextField label="Reference" placeholder="Check or transfer number" maxLength={120} value={reference} onChange={setReference} />
      </div>
    </Dialog>
  )
}
