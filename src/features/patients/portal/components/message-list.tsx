import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type PortalMessage, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { Switch } from '#src/ui/forms/switch.tsx'
import { useInbox } from '../queries.ts'
import { AnswerDialog } from './answer-dialog.tsx'
import { PagedList } from './paged-list.tsx'

type Mark = { read?: boolean; mine?: boolean; done?: boolean }

/** The patients' messages, with their state: unread, in work, answered or done. */
export function MessageList({ onChanged }: { onChanged: () => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const [isDone, setDone] = useState(false)
  const [answering, setAnswering] = useState<PortalMessage | null>(null)
  const [marking, setMarking] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const list = useInbox(isDone)

  async function changed() {
    await list.reload()
    onChanged()
  }

  async function mark(id: string, body: Mark) {
    if (marking !== null) return
    setMarking(id)
    setProblem(null)
    const answer = await device.call(portalEndpoints.markPortalMessage, { params: { id }, body })
    if (answer.ok) await changed()
    else setProblem(answer.failure.message)
    setMarking(null)
  }

  return (
    <div className="flex flex-col gap-4">
      <Switch label="Show completed messages" checked={isDone} onChange={setDone} />
      {problem !== null && <Notice tone="bad" title={`NOT SAVED. ${problem}`} />}
      <PagedList list={list} label="Messages from patients" empty={isDone ? 'No completed messages yet.' : 'No messages waiting.'}>
        {(message) => (
          <Row
            message={message}
            idUser={home?.id_user ?? null}
            timeZone={home?.locations.find((store) => store.store_id === home.store_id)?.time_zone}
            isBusy={marking === message.id}
            onMark={(body) => void mark(message.id, body)}
            onAnswer={() => setAnswering(message)}
          />
        )}
      </PagedList>
      {answering && (
        <AnswerDialog
          message={answering}
          onClose={(isSent) => {
            setAnswering(null)
            if (isSent) void changed()
          }}
        />
      )}
    </div>
  )
}

type RowProps = {
  message: PortalMessage
  idUser: number | null
  timeZone: string | undefined
  isBusy: boolean
  onMark: (body: Mark) => void
  onAnswer: () => void
}

function Row({ message, idUser, timeZone, isBusy, onMark, onAnswer }: RowProps) {
  const { patient_name: name, read_at, done_at, assigned_to, assigned_rep, answers } = message
  const isMine = assigned_to !== null && assigned_to === idUser
  return (
    <article aria-label={`Message from ${name}`} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Link
          to="/patient/$id_patient"
          params={{ id_patient: message.id_patient }}
          className="inline-flex min-h-target items-center font-semibold wrap-anywhere underline decoration-line-strong underline-offset-4"
        >
          <bdi>{name}</bdi>
        </Link>
        {read_at === null && <Badge tone="accent">Unread</Badge>}
        {assigned_to !== null && (
          <Badge tone="info">
            {isMine ? (
              'Yours'
            ) : (
              <>
                Assigned to <bdi>{assigned_rep}</bdi>
              </>
            )}
          </Badge>
        )}
        {done_at !== null && <Badge tone="good">Done</Badge>}
        <span className="text-sm text-ink-2">{formatDateTime(message.at, timeZone)}</span>
      </div>
      <p className="wrap-anywhere whitespace-pre-line">{message.text}</p>
      {answers.map((answer) => (
        <div key={answer.id} className="border-l-2 border-line-strong pl-3">
          <p className="text-sm text-ink-2">
            <bdi>{answer.by}</bdi>, {answer.way === 'email' ? 'by email' : 'in the portal'}, {formatDateTime(answer.at, timeZone)}
          </p>
          <p className="wrap-anywhere whitespace-pre-line">{answer.text}</p>
        </div>
      ))}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onAnswer} aria-label={`Answer ${name}`}>
          Answer
        </Button>
        <Button busy={isBusy} onClick={() => onMark({ read: read_at === null })}>
          {read_at === null ? 'Mark as read' : 'Mark as unread'}
        </Button>
        <Button busy={isBusy} onClick={() => onMark({ mine: !isMine })}>
          {isMine ? 'Unassign' : assigned_to === null ? 'Assign to me' : 'Reassign to me'}
        </Button>
        <Button busy={isBusy} onClick={() => onMark(done_at === null ? { done: true, read: true } : { done: false })}>
          {done_at === null ? 'Done' : 'Reopen'}
        </Button>
      </div>
    </article>
  )
}
