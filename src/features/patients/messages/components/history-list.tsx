import { CircleCheck, CircleHelp, CircleX, Clock, Mail, MessageSquare, PhoneIncoming, PhoneOutgoing } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageTemplates, type Message, type MessageStatus } from '#contract/patients/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime, formatMinutes } from '#src/ui/format.ts'
import { headWords, outcomeWords, problemWords, statusWords } from '../words.ts'

const icons: Record<MessageStatus, ReactNode> = {
  queued: <Clock aria-hidden />,
  sent: <CircleCheck aria-hidden />,
  delivered: <CircleCheck aria-hidden />,
  failed: <CircleX aria-hidden />,
  unknown: <CircleHelp aria-hidden />,
}

/** A list of messages. `onAgain` is offered for a message that was not sent or may not have been. */
export function HistoryList({
  messages,
  timeZone,
  onAgain,
}: {
  messages: readonly Message[]
  timeZone: string | undefined
  onAgain: ((message: Message) => void) | null
}) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {messages.map((message) => (
        <li key={message.id} className="flex gap-3 px-4 py-4">
          <span className="mt-0.5 shrink-0 text-ink-3 [&_svg]:size-5">{iconOf(message)}</span>
          <article className="min-w-0 flex-1" aria-label={headWords(message)}>
            <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <h3 className="font-semibold wrap-anywhere">{headWords(message)}</h3>
              <What message={message} />
            </div>
            <p className="mt-0.5 text-sm text-ink-2">
              <span className="figures">{formatDateTime(message.at, timeZone)}</span> · <bdi>{message.by}</bdi>
              {message.duration_s !== null && ` · ${formatMinutes(message.duration_s / 60)}`}
              {message.template !== null && ` · ${titleOf(message.template)}`}
            </p>
            {message.subject !== null && <p className="mt-2 font-medium wrap-anywhere">{message.subject}</p>}
            {message.body !== '' && <p className="mt-2 max-w-prose whitespace-pre-line wrap-anywhere">{message.body}</p>}
            {message.problem !== null && <p className="mt-2 text-sm text-ink-2">{problemWords[message.problem]}</p>}
            {onAgain && (message.status === 'failed' || message.status === 'unknown') && (
              <div className="mt-2">
                <Button onClick={() => onAgain(message)} aria-label={`Write again: ${headWords(message)}`}>
                  Write again
                </Button>
              </div>
            )}
          </article>
        </li>
      ))}
    </ul>
  )
}

function What({ message: { status, outcome, attempts } }: { message: Message }) {
  if (outcome !== null) return <Badge tone={outcomeWords[outcome].tone}>{outcomeWords[outcome].word}</Badge>
  if (status === null) return null
  const { tone, word } = statusWords[status]
  return (
    <Badge tone={tone} icon={icons[status]} wraps>
      {status === 'queued' && attempts > 0 ? `${word}, trying again` : word}
    </Badge>
  )
}

function iconOf({ channel, direction }: Message): ReactNode {
  if (channel === 'sms') return <MessageSquare aria-hidden />
  if (channel === 'email') return <Mail aria-hidden />
  return direction === 'in' ? <PhoneIncoming aria-hidden /> : <PhoneOutgoing aria-hidden />
}

function titleOf(template: string): string {
  return messageTemplates.find(({ key }) => key === template)?.title ?? template
}
