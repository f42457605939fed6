import { useEffect, useState } from 'react'
import { controlActions } from '#contract/stock/control-rules.ts'
import type { ControlFlag, Frame } from '#contract/stock/frames.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { fetchHistory } from '../queries.ts'

/** Asks again before the change of a frame on an invoice. Names the invoice once it is loaded. */
export function SoldConfirmation({
  frame,
  action,
  onCancel,
  onConfirm,
}: {
  frame: Frame
  action: ControlFlag
  onCancel: () => void
  onConfirm: () => Promise<void>
}) {
  const device = useDevice()
  const [invoice, setInvoice] = useState<string | null>(null)
  useEffect(() => {
    const asked = new AbortController()
    void fetchHistory(device, frame.sku, asked.signal).then((history) => {
      if (!asked.signal.aborted) setInvoice(history?.general_info.patient?.patient_invoice ?? null)
    })
    return () => asked.abort()
  }, [device, frame.sku])
  const { label, to } = controlActions[action]
  return (
    <SureDialog
      title={`${frame.sku} is ${frame.status}`}
      text={
        <p>
          This frame is on {invoice ? `invoice ${invoice}` : 'an invoice'}. “{label}” changes it to {to}. The invoice still lists it.
        </p>
      }
      yes={label}
      no="Keep it"
      danger
      onYes={onConfirm}
      onClose={onCancel}
    />
  )
}
