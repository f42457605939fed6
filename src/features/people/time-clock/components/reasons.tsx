import { AlarmClockOff, CircleHelp, Clock, CopyX, Hourglass, KeyRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewEntry, ReviewReason } from '#contract/people/time-card.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatAge } from '#src/ui/format.ts'
import type { Tone } from '#src/ui/tone.ts'

const looks: Record<ReviewReason, { word: string; icon: LucideIcon; tone: Tone }> = {
  late: { word: 'Late', icon: Hourglass, tone: 'info' },
  skewed: { word: 'Tablet clock wrong', icon: AlarmClockOff, tone: 'warn' },
  double: { word: 'Duplicate', icon: CopyX, tone: 'warn' },
  'wrong-password': { word: 'Wrong password', icon: KeyRound, tone: 'bad' },
  'unknown-person': { word: 'Unknown person', icon: CircleHelp, tone: 'bad' },
  'open-16-hours': { word: 'Over 16 hours', icon: Clock, tone: 'warn' },
}

export function ReasonBadge({ reason }: { reason: ReviewReason }) {
  const { word, icon: Icon, tone } = looks[reason]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Badge>
  )
}

/** Explains in a sentence why a manager has to review this entry. */
export function reasonSentence(reason: ReviewReason, entry: ReviewEntry): ReactNode {
  switch (reason) {
    case 'late':
      return `It reached the server ${formatAge(Date.parse(entry.received_at) - Date.parse(entry.at))} late. It’s already counted.`
    case 'skewed':
      if (entry.skew_ms === null) return 'The tablet’s clock was never checked against the server. Not counted until you decide.'
      if (Math.abs(entry.skew_ms) <= 120_000) return 'The tablet’s clock was ahead of the server. Not counted until you decide.'
      return `The tablet’s clock was ${formatAge(Math.abs(entry.skew_ms))} ${entry.skew_ms > 0 ? 'slow' : 'fast'}. The time shown is corrected.`
    case 'double':
      return entry.direction === 'in'
        ? 'Already clocked in. Not counted until you decide.'
        : 'Not clocked in. Not counted until you decide.'
    case 'wrong-password':
      return 'Made offline with a wrong password. Not counted until you decide.'
    case 'unknown-person':
      return (
        <>
          Made offline, and no one is named “<bdi>{entry.username}</bdi>”. Choose whose punch it is, or reject it.
        </>
      )
    case 'open-16-hours':
      return 'It’s been more than 16 hours since this clock-in. They probably forgot to clock out.'
  }
}
