import { useEffect, useState } from 'react'
import { controlActions } from '#contract/stock/control-rules.ts'
import type { ControlFlag, Frame } from '#contract/stock/frames.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { fetchHistory } from '../queries.ts'

/** Asks once more before a frame that belongs to an invoice is changed, and names the invoice as soon as it is known. */
export function SoldConfirmation({
  open,
  frame,
  action,
  onCancel,
  onConfirm,
}: {
  open: boolean
  frame: Frame
  action: ControlFlag
  onCancel: () => void
  onConfirm: () => void
}) {
  const device = useDevice()
  const [invoice, setInvoice] = useState<string | null>(null)
  useEffect(() => {
    if (!open) return
    const asked = new AbortController()
    void fetchHistory(device, frame.sku, asked.signal).then((history) => {
      if (!asked.signal.aborted) setInvoice(history?.general_info.patient?.patient_invoice ?? null)
    })
    return () => asked.abort()
  }, [device, frame.sku, open])
  const { label, to } = controlActions[action]
  return (
    <Dialog
      open={open}
      onClose={onCancel}
      role="alertdialog"
      size="sm"
      title={`${frame.sku} is ${frame.status}`}
      footer={
        <>
          <Button onClick={onCancel}>Keep it</Button>
          <Button variant="danger" onClick={onConfirm}>
            {label}
          </Button>
        </>
      }
    >
      <p>
        This frame is on {invoice ? `invoice ${invoice}` : 'an invoice'}. “{label}” changes it to {to}. The invoice still lists it.
      </p>
    </Dialog>
  )
}
