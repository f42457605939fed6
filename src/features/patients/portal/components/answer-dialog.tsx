import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { type PortalMessage, portalEndpoints } from '#contract/patients/portal.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { showToast } from '#src/ui/toast-store.ts'

/** `id` is the id of the answer: a retry after a lost answer or a reload uses it, so that nothing is sent twice. */
const shape = v.object({ id: v.string(), way: v.picklist(['portal', 'email']), text: v.string() })
type Typed = v.InferOutput<typeof shape>
const readTyped = readAs(shape)

/** Answers a patient in the portal while their link opens, or by email. The typed text stays until it is sent. */
export function AnswerDialog({ message, onClose }: { message: PortalMessage; onClose: (isSent: boolean) => void }) {
  const device = useDevice()
  const isOpen = message.link === 'open'
  const [fresh] = useState<Typed>(() => ({ id: uuidv7(), way: isOpen ? 'portal' : 'email', text: '' }))
  const draft = useTyped(`patient: portal answer ${message.id}`, fresh, readTyped, { isWritten: ({ text }) => text.trim() !== '' })

  async function send(body: Typed) {
    const answer = await device.call(portalEndpoints.answerPortalMessage, { params: { id: message.id }, body })
    if (!answer.ok) return { title: `NOT SENT. ${answer.failure.message}` }
    const title = (
      <>
        Answered <bdi>{message.patient_name}</bdi>
      </>
    )
    showToast({ title, tone: 'good' })
    return null
  }

  return (
    <KeptForm
      draft={draft}
      title={
        <>
          Answer <bdi>{message.patient_name}</bdi>
        </>
      }
      cancel="Cancel"
      save="Send"
      check={({ text }) => (text.trim() === '' ? { text: 'This field is required' } : {})}
      send={send}
      onDone={() => onClose(true)}
      onClose={() => onClose(false)}
    >
      {({ typed, problems, change }) => (
        <>
          <blockquote className="border-l-2 border-line-strong pl-3 wrap-anywhere whitespace-pre-line text-ink-2">
            {message.text}
          </blockquote>
          <RadioGroup
            label="Send by"
            look="cards"
            columns={2}
            value={typed.way}
            onChange={(way) => change({ way, id: uuidv7() })}
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
          <TextArea
            label="Answer"
            rows={6}
            maxLength={4000}
            value={typed.text}
            onChange={(text) => change({ text, id: uuidv7() })}
            error={problems['text']}
          />
        </>
      )}
    </KeptForm>
  )
}
