import { useNavigate } from '@tanstack/react-router'
import { Calculator, Copy, Download, Mail, Printer, Undo2 } from 'lucide-react'
import { useState } from 'react'
import * as v from 'valibot'
import { type Prescription, rxInput } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { toFhir } from '#contract/rx/rx-fhir.ts'
import { withoutForeign } from '#contract/rx/rx-kind-fields.ts'
import { withdrawalsOf } from '#contract/rx/rx-rules.ts'
import { usePrinting } from '#src/domain/print/use-printing.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { downloadFile } from '../model/download-file.ts'
import type { RxTextParts } from '../model/rx-text.ts'
import { useSameId } from '../hooks/use-same-id.ts'
import { notDone } from '../words.ts'
import { Calculators } from './calculators.tsx'
import { CopyDialog } from './copy-dialog.tsx'
import { EmailDialog } from './email-dialog.tsx'
import { WithdrawDialog } from './withdraw-dialog.tsx'

const timeoutMs = 15_000

export type RxActionsProps = {
  rx: Prescription
  /** The other text of a print or an email. Null until the patient is loaded. */
  parts: RxTextParts | null
  /** For the calculators. Null for a draft in the form, which has its own. */
  vertexDistance: number | null
  onChanged: () => Promise<void>
}

/** The buttons for a stored prescription. */
export function RxActions({ rx, parts, vertexDistance, onChanged }: RxActionsProps) {
  const device = useDevice()
  const navigate = useNavigate()
  const permissions = useSession((session) => session.home?.permissions) ?? []
  const [dialog, setDialog] = useState<'print' | 'export' | 'email' | 'calculators' | 'withdraw' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { idOf, taken } = useSameId()
  const close = () => setDialog(null)
  const isInForce = rx.status === 'active'

  // The audit entry of a copy that the browser's own menu prints follows without a guarantee.
  const { print } = usePrinting(() => {
    const body = { way: 'print' as const, reason: 'From the browser’s menu' }
    void device.call(prescriptionEndpoints.recordRxCopy, { params: { id: rx.id_rx }, body }, { timeoutMs })
  })

  function save() {
    downloadFile(`prescription-${rx.issue_date ?? 'draft'}.json`, JSON.stringify(toFhir(rx, parts?.providerName ?? null), null, 2))
  }

  async function duplicate() {
    setBusy(true)
    // The new draft gets no dates. The user who signs it chooses them.
    const dates = { exam_date: null, issue_date: null, expiry_date: null, expiry_reason: null }
    const copy = { ...withoutForeign(v.parse(rxInput, rx)), ...dates, id_patient: rx.id_patient }
    const answer = await device.call(prescriptionEndpoints.addRx, { body: { ...copy, id_rx: idOf(copy) } }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(notDone('NOT COPIED', answer.failure))
    taken()
    showToast({ title: 'Copied into a new draft', tone: 'good' })
    await navigate({ to: '/patient/$id_patient/rx/$id_rx', params: { id_patient: rx.id_patient, id_rx: answer.value.id_rx } })
  }

  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Printer size={18} aria-hidden />} onClick={() => setDialog('print')} disabled={!parts}>
          Print
        </Button>
        {isInForce && permissions.includes('message.write') && (
          <Button icon={<Mail size={18} aria-hidden />} onClick={() => setDialog('email')} disabled={!parts}>
            Email
          </Button>
        )}
        <Button icon={<Download size={18} aria-hidden />} onClick={() => setDialog('export')}>
          Export (FHIR)
        </Button>
        {rx.status !== 'draft' && permissions.includes('rx.enter') && (
          <Button icon={<Copy size={18} aria-hidden />} busy={isBusy} onClick={() => void duplicate()}>
            Duplicate
          </Button>
        )}
        {vertexDistance !== null && (
          <Button icon={<Calculator size={18} aria-hidden />} onClick={() => setDialog('calculators')}>
            Calculators
          </Button>
        )}
        {permissions.includes('rx.sign') && withdrawalsOf(rx.status).length > 0 && (
          <Button icon={<Undo2 size={18} aria-hidden />} onClick={() => setDialog('withdraw')}>
            Withdraw
          </Button>
        )}
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {dialog === 'print' && <CopyDialog rx={rx} way="print" onCopy={print} onClose={close} />}
      {dialog === 'export' && <CopyDialog rx={rx} way="export" onCopy={save} onClose={close} />}
      {dialog === 'email' && parts && <EmailDialog rx={rx} parts={parts} onClose={close} />}
      {dialog === 'calculators' && vertexDistance !== null && <Calculators rx={rx} vertexDistance={vertexDistance} onClose={close} />}
      {dialog === 'withdraw' && <WithdrawDialog rx={rx} onDone={onChanged} onClose={close} />}
    </>
  )
}
