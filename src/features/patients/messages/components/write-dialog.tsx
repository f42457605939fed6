import { useState } from 'react'
import {
  type Contact,
  filledText,
  messageTemplates,
  mostSegments,
  openPlaceholders,
  plainText,
  type SentChannel,
  smsSize,
} from '#contract/patients/messages.ts'
import { whyNotSent } from '#contract/patients/message-obstacles.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { DiscardButton } from '#src/ui/forms/discard-button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { sendMessage } from '../actions.ts'
import { type Draft, newDraft, useDraft } from '../model/drafts.ts'
import { addressWords, channelWords } from '../words.ts'

export type WriteDialogProps = {
  idPatient: string
  channel: SentChannel
  contact: Contact
  /** The message to write again. Null continues the draft. */
  beginning: Partial<Draft> | null
  onClose: () => void
  onSent: () => void
}

/** Writes a text or an email. The device keeps the typed text until it is sent. */
export function WriteDialog({ idPatient, channel, contact, beginning, onClose, onSent }: WriteDialogProps) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const { draft, former, change, forget } = useDraft(idPatient, channel, beginning)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [asked, setAsked] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [taken, setTaken] = useState<Pick<Draft, 'template' | 'subject' | 'text'> | null | 'brought-back'>(null)
  const replaced = taken === 'brought-back' ? null : (taken ?? former)
  const { one, aOne } = channelWords[channel]
  const reason = whyNotSent(contact, channel)
  const problems = draft ? problemsOf(draft, channel, contact) : {}

  function choose(key: string) {
    if (!draft) return
    const chosen = messageTemplates.find((template) => template.key === key)
    const { template, subject, text } = draft
    if (text.trim() !== '') setTaken({ template, subject, text })
    if (!chosen) return change({ template: null })
    const filled = channel === 'sms' ? chosen.sms : chosen.email.text
    change({
      template: chosen.key,
      text: filledText(filled, contact),
      ...(channel === 'email' && { subject: filledText(chosen.email.subject, contact) }),
    })
  }

  async function send() {
    setAsked(true)
    if (!draft || problems.subject || problems.text) return
    setBusy(true)
    setFailure(null)
    const answer = await sendMessage(device, idPatient, channel, draft)
    if (answer.ok) {
      await forget()
      onSent()
      return
    }
    setBusy(false)
    setFailure(answer.failure)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={`Write ${aOne}`}
      description={contact[channel].address === null ? undefined : `To ${addressWords(contact[channel].address)}`}
      footer={
        <>
          <DiscardButton forget={forget} onClose={onClose}>
            Discard
          </DiscardButton>
          <Button variant="primary" busy={isBusy} disabled={isOffline || reason !== null || !draft} onClick={() => void send()}>
            Send
          </Button>
        </>
      }
    >
      {draft ? (
        <div className="flex flex-col gap-4">
          {reason && (
            <Notice tone="warn" title={reason.title}>
              {reason.text}
            </Notice>
          )}
          {isOffline && (
            <Notice tone="warn" title="No connection">
              You can send this when you’re back online. What you type is kept on this device.
            </Notice>
          )}
          {failure && (
            <NotSent failure={failure} onNewMessage={() => (setFailure(null), change({ id: newDraft(device.serverNow()).id }))} />
          )}
          <SelectField
            label="Template"
            value={draft.template ?? 'none'}
            onChange={choose}
            options={[
              { value: 'none', label: 'None' },
              ...messageTemplates.map(({ key, title }) => ({ value: key as string, label: title })),
            ]}
          />
          {replaced && (
            <Notice
              tone="info"
              actions={
                <Button
                  onClick={() => {
                    change({ template: replaced.template, subject: replaced.subject, text: replaced.text })
                    setTaken('brought-back')
                  }}
                >
                  Restore it
                </Button>
              }
            >
              This replaced your earlier text.
            </Notice>
          )}
          {channel === 'email' && (
            <TextField
              label="Subject"
              required
              maxLength={150}
              value={draft.subject}
              onChange={(subject) => change({ subject })}
              error={asked ? problems.subject : undefined}
            />
          )}
          <TextArea
            label={one === 'Text' ? 'Text' : 'Message'}
            required
            rows={channel === 'sms' ? 5 : 10}
            maxLength={channel === 'sms' ? 1000 : 10_000}
            value={draft.text}
            onChange={(text) => change({ text })}
            error={asked ? problems.text : undefined}
          />
          {channel === 'sms' && <Size text={filledText(draft.text, contact)} onPlain={() => change({ text: plainText(draft.text) })} />}
        </div>
      ) : (
        <Skeleton lines={4} height="row" />
      )}
    </Dialog>
  )
}

function NotSent({ failure, onNewMessage }: { failure: Failure; onNewMessage: () => void }) {
  if (failure.kind === 'unreachable') {
    return (
      <Notice tone="bad" title="NO ANSWER">
        Couldn’t reach the server, but it may have received the message. Press Send again when you’re back online; it won’t be sent twice.
      </Notice>
    )
  }
  if (failure.kind === 'refused' && failure.code === 'key-reused') {
    return (
      <Notice
        tone="bad"
        title="An earlier version was already sent"
        actions={<Button onClick={onNewMessage}>Send as a new message</Button>}
      >
        Check the history before you send this one.
      </Notice>
    )
  }
  const fields = failure.kind === 'refused' ? failure.fields.map(({ message }) => message) : []
  return (
    <Notice tone="bad" title="NOT SENT">
      {fields.length > 0 ? `The message ${fields.join(', ')}.` : failure.message}
    </Notice>
  )
}

/** Shows how many segments the text takes, because networks charge for each. */
function Size({ text, onPlain }: { text: string; onPlain: () => void }) {
  const { segments, left, dear } = smsSize(text)
  const canBePlain = plainText(text) !== text
  return (
    <div className="flex flex-col gap-2 text-sm text-ink-2">
      <p role="status" className="figures">
        {segments === 0 ? 'Nothing written yet' : `${formatNumberOf(segments, 'text')} of ${mostSegments} max`},{' '}
        {formatNumberOf(left, 'character')} left{segments > 1 ? ' in the last' : ''}
      </p>
      {dear.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p>
            Fewer characters fit because of <span className="font-semibold text-ink">{dear.slice(0, 8).join(' ')}</span>
          </p>
          {canBePlain && <Button onClick={onPlain}>Replace them</Button>}
        </div>
      )}
    </div>
  )
}

function problemsOf({ subject, text }: Draft, channel: SentChannel, contact: Contact): { subject?: string; text?: string } {
  return {
    ...(channel === 'email' && problemOf('subject', subject, contact)),
    ...(problemOf('text', text, contact) ??
      (channel === 'sms' && smsSize(filledText(text, contact)).segments > mostSegments && { text: `Must fit in ${mostSegments} texts` })),
  }
}

function problemOf(field: 'subject' | 'text', written: string, contact: Contact): { subject?: string; text?: string } | null {
  if (written.trim() === '') return { [field]: 'This field is required' }
  const open = openPlaceholders(filledText(written, contact))
  return open.length === 0 ? null : { [field]: `Fill in ${open.join(', ')}` }
}
