import { useState } from 'react'
import { KeptForm, type NotDone } from '#src/domain/forms/kept-form.tsx'
import { readTexts } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { DateField, incompleteDate } from '#src/ui/forms/date-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

type Props = {
  idInvoice: string
  today: string
  onPay: (paid: { paid_on: string; paid_reference: string }) => Promise<NotDone | null>
  onClose: () => void
}

/** Asks for the day of a payment and the reference to find it. */
export function PayDialog({ idInvoice, today, onPay, onClose }: Props) {
  const [fresh] = useState<Record<string, string>>({ day: today, reference: '' })
  const draft = useTyped(`own: payment of ${idInvoice}`, fresh, readTexts)
  const { day = '', reference = '' } = draft.typed ?? {}
  return (
    <KeptForm
      draft={draft}
      size="sm"
      title="Mark invoice as paid"
      cancel="Not yet"
      save="Mark paid"
      disabled={day === '' || day === incompleteDate}
      send={() => onPay({ paid_on: day, paid_reference: reference.trim() })}
      onDone={() => undefined}
      onClose={onClose}
    >
      {({ change }) => (
        <>
          <DateField label="Paid on" required value={day} onChange={(value) => change({ day: value })} />
          <TextField
            label="Reference"
            placeholder="Check or transfer number"
            maxLength={120}
            value={reference}
            onChange={(value) => change({ reference: value })}
          />
        </>
      )}
    </KeptForm>
  )
}
