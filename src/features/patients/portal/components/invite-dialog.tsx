import { useState, type ReactNode } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { type InvitationPreview, type InvitationWay, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { usePreview } from '../queries.ts'
import { mailProblemWords, offlineWords } from '../words.ts'

type Purpose = 'invite' | 'resend' | 'preview'
type InviteDialogProps = { idPatient: string; purpose: Purpose; onClose: (isChanged: boolean) => void }

const titles: Record<Purpose, string> = {
  invite: 'Invite to the portal',
  resend: 'Resend the invitation',
  preview: 'What the patient receives',
}

/** Shows the invitation that the patient will get. Sends it, except in a preview. */
export function InviteDialog({ idPatient, purpose, onClose }: InviteDialogProps) {
  const { value, failure, reload } = usePreview(idPatient)
  const [link, setLink] = useState<string | null>(null)
  // A patient who already has an invitation gets the same one again.
  const isAgain = purpose === 'resend' || (purpose === 'invite' && value?.invitation !== null)
  const title = value ? (
    <>
      {titles[isAgain && purpose === 'invite' ? 'resend' : purpose]}: <bdi>{value.patient_name}</bdi>
    </>
  ) : (
    titles[purpose]
  )
  if (link !== null) return <LinkDialog link={link} onClose={() => onClose(true)} />
  if (!value) {
    return (
      <Dialog open onClose={() => onClose(false)} title={title}>
        {failure ? (
          <NotLoaded failure={failure} offline={offlineWords} onRetry={() => void reload()} />
        ) : (
          <Skeleton lines={4} height="row" />
        )}
      </Dialog>
    )
  }
  return purpose === 'preview' ? (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={title}
      description="Previewing doesn’t send anything."
      footer={<Button onClick={() => onClose(false)}>Close</Button>}
    >
      <Shown preview={value} />
    </Dialog>
  ) : (
    <SendDialog
      idPatient={idPatient}
      preview={value}
      title={title}
      onClose={onClose}
      onSent={(made) => {
        if (made === null) {
          showToast({ title: 'Invitation sent', description: value.email ?? undefined, tone: 'good' })
          onClose(true)
        } else setLink(made)
      }}
    />
  )
}

type SendDialogProps = {
  idPatient: string
  preview: InvitationPreview
  title: ReactNode
  onClose: (isChanged: boolean) => void
  /** Gets the link to hand over, or null when an email was sent. */
  onSent: (link: string | null) => void
}

function SendDialog({ idPatient, preview, title, onClose, onSent }: SendDialogProps) {
  const device = useDevice()
  const { email_problem: mailProblem, invitation } = preview
  const [way, setWay] = useState<InvitationWay>(mailProblem === null ? 'email' : 'link')
  // A retry after a lost answer uses the same ids, so that nothing is sent twice.
  const [ids, setIds] = useState(newIds)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function send() {
    setBusy(true)
    setProblem(null)
    const body = { id: ids[way], way }
    const answer =
      invitation === null
        ? await device.call(portalEndpoints.inviteToPortal, { body: { ...body, id_patient: idPatient } })
        : await device.call(portalEndpoints.resendInvitation, { params: { id: invitation.id }, body })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.failure.message)
    setIds(newIds())
    onSent(answer.value.link)
  }

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      closeOnOutside={false}
      title={title}
      description={invitation === null ? 'They’ll confirm their date of birth.' : 'The earlier link stops working.'}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={!preview.has_dob} onClick={() => void send()}>
            {way === 'link' ? 'Create link' : invitation === null ? 'Send invitation' : 'Resend'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {problem !== null && <Notice tone="bad" title={`NOT SENT. ${problem}`} />}
        {!preview.has_dob && (
          <Notice tone="warn" title="No date of birth on file">
            The patient needs it to open the portal. Add it to their record first.
          </Notice>
        )}
        <RadioGroup
          label="Send by"
          look="cards"
          value={way}
          onChange={setWay}
          options={[
            {
              value: 'email',
              label: 'By email',
              hint: mailProblem === null ? `To ${preview.email}` : mailProblemWords[mailProblem],
              disabled: mailProblem !== null,
            },
            { value: 'link', label: 'A link to give in person', hint: 'Shown once, to copy. Give it to the patient yourself.' },
          ]}
        />
        {way === 'email' && <Shown preview={preview} />}
      </div>
    </Dialog>
  )
}

const newIds = () => ({ email: uuidv7(), link: uuidv7() })

function LinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const whole = location.origin + link

  async function copy() {
    try {
      await navigator.clipboard.writeText(whole)
      setCopied(true)
    } catch {
      // Some browsers forbid copying. The user can select the text.
      setCopied(false)
    }
  }

  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title="The link is ready"
      description="It’s shown only once. Resending creates a new link, and this one stops working."
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={() => void copy()}>
            {isCopied ? 'Copied' : 'Copy link'}
          </Button>
        </>
      }
    >
      <TextField
        label="Personal link"
        readOnly
        value={whole}
        onChange={() => undefined}
        onFocus={(event) => event.currentTarget.select()}
      />
      <p role="status" className="mt-2 text-sm text-ink-2">
        {isCopied ? 'Link copied.' : 'Give it only to the patient. With their date of birth, it opens the portal.'}
      </p>
    </Dialog>
  )
}

function Shown({ preview }: { preview: InvitationPreview }) {
  return (
    <div className="flex flex-col gap-4">
      <section aria-label="The email" className="rounded-lg border border-line bg-sunken px-4 py-3">
        <p className="text-sm text-ink-2">Subject</p>
        <p className="mb-2 font-semibold wrap-anywhere">{preview.subject}</p>
        <p className="wrap-anywhere whitespace-pre-line">{preview.text}</p>
      </section>
      <section aria-label="The page behind the link">
        <p className="mb-1 text-sm font-medium text-ink-2">The page behind the link</p>
        <ol className="list-decimal pl-5">
          <li>asks for the date of birth; after five wrong dates the link locks,</li>
          <li>
            greets them: “Hello <bdi>{preview.first_name}</bdi>”, {preview.clinic_name}, and asks about text messages, emails and the
            privacy notice,
          </li>
          <li>then shows the form and messages. It shows nothing from the record.</li>
        </ol>
      </section>
    </div>
  )
}
