import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { type PortalMessage, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'

/** `id` is of this answer: pressed again after a lost one, also on a page that was loaded anew, it is not sent twice. */
const readTyped = readAs(v.object({ id: v.string(), way: v.picklist(['portal', 'email']), text: v.string() }))

/** Answering a patient where they can read it: in the portal, as long as their link opens, or by e-mail. What is typed is kept until it is sent. */
export function AnswerDialog({ message, onClose }: { message: PortalMessage; onClose: (isSent: boolean) => void }) {
  const device = useDevice()
  const isOpen = message.link === 'open'
  const [fresh] = useState(() => ({ id: uuidv7(), way: isOpen ? ('portal' as const) : ('email' as const), text: '' }))
  const draft = useTyped(`portal answer ${message.id}`, fresh, readTyped, { isWritten: ({ text }) => text.trim() !== '' })
  const [error, setError] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  if (draft.typed === null) return null
  const { id, text, way } = draft.typed
  const change = (changes: Partial<typeof draft.typed>) => draft.change({ way, text, ...changes, id: uuidv7() })

  async function send() {
    setProblem(null)
    setError(text.trim() === '' ? 'This field is required' : undefined)
    if (text.trim() === '') return
    setBusy(true)
    const answer = await device.call(portalEndpoints.answerPortalMessage, { params: { id: message.id }, body: { id, way, text } })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.failure.message)
    const title = (
      <>
        Answered <bdi>{message.patient_name}</bdi>
      </>
    )
    showToast({ title, tone: 'good' })
    await draft.forget()
    onClose(true)
  }

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      closeOnOutside={false}
      title={
        <>
          Answer <bdi>{message.patient_name}</bdi>
        </>
      }
      footer={
        <>
          <DiscardButton forget={draft.forget} onClose={() => onClose(false)}>
            Cancel
          </DiscardButton>
          <Button variant="primary" busy={isBusy} onClick={() => void send()}>
            Send
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <TypedNotice of={draft} />
        {problem !== null && <Notice tone="bad" title={`NOT SENT. ${problem}`} />}
        <blockquote className="border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-line text-ink-2">{message.text}</blockquote>
        <RadioGroup
          label="Send by"
          look="cards"
          columns={2}
          value={way}
          onChange={(chosen) => change({ way: chosen })}
          options={[
            {
              value: 'portal',
              label: 'In the portal',
              hint: isOpen ? 'They’ll see it the next time they open their link.' : 'Their link doesn’t work right now.',
              disabled: !isOpen,
            },
            { value: 'email', label: 'By email', hint: 'If they consented to emails. Don’t include health information.' },
          ]}
        />
        <TextArea label="Answer" rows={6} maxLength={4000} value={text} onChange={(next) => change({ text: next })} error={error} />
      </div>
    </Dialog>
  )
}
