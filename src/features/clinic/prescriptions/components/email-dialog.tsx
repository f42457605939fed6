import { useCallback, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { whyNotSent } from '#contract/patients/message-obstacles.ts'
import { messageEndpoints } from '#contract/patients/messages.ts'
import type { Prescription } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { prescriberGap, rxText, type RxTextParts } from '../model/rx-text.ts'
import { notDone } from '../words.ts'

const timeoutMs = 15_000

const shape = v.object({ id: v.string(), subject: v.string(), message: v.string() })
const readSent = readAs(shape)

/** Emails the prescription to its patient, if they consented and the server can send. It shows the message first. */
export function EmailDialog({ rx, parts, onClose }: { rx: Prescription; parts: RxTextParts; onClose: () => void }) {
  const device = useDevice()
  // Keeps an email until the server answers, and sends the same one again. With the same id, it goes out once.
  const [fresh] = useState(() => ({ id: uuidv7(), subject: '', message: '' }))
  const draft = useTyped(`patient: rx email ${rx.id_rx}`, fresh, readSent)
  const load = useCallback(
    () => device.call(messageEndpoints.readContact, { params: { id: rx.id_patient } }, { timeoutMs }),
    [device, rx.id_patient],
  )
  const { value: contact, failure } = useLoaded(load)
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const obstacle = contact ? whyNotSent(contact, 'email') : null
  const gap = prescriberGap(rx)
  if (draft.typed === null) return null
  const text = `Hello ${contact?.first_name ?? ''},\n\nHere is your prescription.\n\n${rxText(rx, parts)}`
  const email = draft.typed.message
    ? draft.typed
    : { id: draft.typed.id, subject: `Your prescription from ${parts.storeName}`, message: text }

  async function send() {
    setBusy(true)
    draft.change(email)
    const request = { params: { id_patient: rx.id_patient }, body: email }
    const answer = await device.call(messageEndpoints.sendEmail, request, { timeoutMs })
    const isHeard = answer.ok || answer.failure.kind !== 'unreachable'
    if (isHeard) await draft.forget()
    if (answer.ok) {
      // The history has the message. This entry tells the access log about the copy.
      const body = { way: 'email' as const, reason: 'For the patient' }
      await device.call(prescriptionEndpoints.recordRxCopy, { params: { id: rx.id_rx }, body }, { timeoutMs })
      showToast({ title: 'Prescription is being emailed', tone: 'good' })
      return onClose()
    }
    setBusy(false)
    setProblem(
      isHeard
        ? notDone('NOT SENT', answer.failure)
        : 'NO ANSWER. The server may have received it. Press Send again when you’re back online; it won’t be sent twice.',
    )
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="Email the prescription"
      description={contact?.email.address ? `To ${contact.email.address}` : undefined}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={busy} disabled={!contact || obstacle !== null} onClick={() => void send()}>
            Send
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad">{problem}</Notice>}
        {draft.former && !problem && (
          <Notice tone="warn" title="This may not have been sent" actions={<Button onClick={draft.startOver}>Write a new one</Button>}>
            The server didn’t answer. Press Send; it won’t be sent twice.
          </Notice>
        )}
        {gap && <Notice tone="warn">{gap}</Notice>}
        {obstacle && (
          <Notice tone="warn" title={obstacle.title}>
            {obstacle.text}
          </Notice>
        )}
        {failure && !contact && <Notice tone="bad">{notDone('NOT READY', failure)}</Notice>}
        {contact ? (
          <pre
            aria-label="Message"
            className="figures overflow-x-auto rounded-md border border-line bg-sunken p-3 font-[inherit] whitespace-pre-wrap"
          >
            {email.message}
          </pre>
        ) : (
          !failure && <Skeleton lines={4} height="row" />
        )}
      </div>
    </Dialog>
  )
}
