import { Ban, CircleCheck, CircleSlash } from 'lucide-react'
import type { Contact, SentChannel } from '#contract/patients/messages.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDate } from '#src/ui/format.ts'
import { addressWords, channelWords, wayWords } from '../words.ts'

/** Shows whether the patient agreed to texts and emails and how, with a button to change it. */
export function ContactCard({
  contact,
  timeZone,
  onChange,
}: {
  contact: Contact
  timeZone: string | undefined
  /** Null when the user may not change it, or cannot now. */
  onChange: (() => void) | null
}) {
  const preferred = contact.preferred_contact
  return (
    <section
      aria-label="Consent"
      className="flex flex-col items-start justify-between gap-x-6 gap-y-3 rounded-lg border border-line bg-surface px-4 py-3 sm:flex-row sm:items-center"
    >
      <dl className="grid min-w-0 grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2">
        {(['sms', 'email'] as const).map((channel) => (
          <Line key={channel} channel={channel} contact={contact} timeZone={timeZone} />
        ))}
        <dt className="text-ink-2">Prefers</dt>
        <dd>{preferred === null ? <span className="text-ink-3">—</span> : wayWords[preferred]}</dd>
      </dl>
      <Button disabled={onChange === null} onClick={() => onChange?.()}>
        Change consent
      </Button>
    </section>
  )
}

function Line({ channel, contact, timeZone }: { channel: SentChannel; contact: Contact; timeZone: string | undefined }) {
  const { configured, consent_at: consentAt, address } = contact[channel]
  return (
    <>
      <dt className="text-ink-2">{channelWords[channel].many}</dt>
      <dd className="flex min-w-0 flex-wrap items-center gap-2">
        {consentAt === null ? (
          <Badge tone="warn" icon={<Ban aria-hidden />}>
            No consent
          </Badge>
        ) : (
          <Badge tone="good" icon={<CircleCheck aria-hidden />}>
            Consented {formatDate(consentAt, timeZone)}
          </Badge>
        )}
        {!configured && (
          <Badge tone="neutral" icon={<CircleSlash aria-hidden />}>
            Not set up
          </Badge>
        )}
        <span className="min-w-0 wrap-anywhere">{address === null ? <span className="text-ink-3">—</span> : addressWords(address)}</span>
      </dd>
    </>
  )
}
