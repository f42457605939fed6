import { Check, Pencil, X } from 'lucide-react'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import { ReasonBadge, reasonSentence } from '#src/features/people/time-clock/components/reasons.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatCount, formatDateTime, formatDay, formatTime } from '#src/ui/format.ts'

export type Resolution = 'accepted' | 'corrected' | 'rejected'

const resolutionWords: Record<Resolution, string> = { accepted: 'Accepted', corrected: 'Corrected', rejected: 'Rejected' }

/** The list of entries for a manager's review, each with its reasons in plain words. */
export function ReviewEntries({
  entries,
  timeZone,
  onResolve,
}: {
  entries: readonly ReviewEntry[]
  timeZone: string
  /** Null when the entries are read only. */
  onResolve: ((entry: ReviewEntry, resolution: Resolution, withRepeats?: boolean) => void) | null
}) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
      {entries.map((entry) => (
        <li key={entry.id} className="flex flex-wrap items-start gap-x-6 gap-y-3 px-4 py-4">
          <div className="min-w-64 flex-1">
            <p className="flex flex-wrap items-center gap-2">
              <strong className="font-semibold">
                <bdi>{entry.person_name ?? `“${entry.username}”`}</bdi>
              </strong>
              <span>{entry.direction === 'in' ? 'clocked in' : 'clocked out'}</span>
              <span className="figures">
                {formatTime(entry.at, timeZone)}, {formatDay(entry.at, timeZone)}
              </span>
              {entry.reasons.map((reason) => (
                <ReasonBadge key={reason} reason={reason} />
              ))}
            </p>
            <ul className="mt-1 text-ink-2">
              {entry.reasons.map((reason) => (
                <li key={reason}>{reasonSentence(reason, entry)}</li>
              ))}
            </ul>
            <p className="mt-1 text-sm text-ink-3">
              {entry.store_name ? `${entry.store_name} · ` : ''}tablet’s clock {formatDateTime(entry.device_wall, timeZone)} · received{' '}
              {formatDateTime(entry.received_at, timeZone)}
            </p>
            {entry.repeats && (
              <p className="mt-2">
                And {formatCount(entry.repeats.ids.length)} more with this name, the last one made{' '}
                {formatDateTime(entry.repeats.last_at, timeZone)}. None of them could be verified.
              </p>
            )}
            {entry.resolution && entry.resolved_at && (
              <p className="mt-2 border-l-2 border-line-strong pl-3">
                <strong className="font-semibold">{resolutionWords[entry.resolution]}</strong> by <bdi>{entry.resolved_by_name}</bdi> on{' '}
                {formatDateTime(entry.resolved_at, timeZone)}: {entry.resolution_reason}
              </p>
            )}
          </div>
          {onResolve && (
            <div className="flex flex-wrap gap-2" role="group" aria-label={`Decide on ${entry.person_name ?? entry.username}`}>
              <Button icon={<Check size={18} aria-hidden />} onClick={() => onResolve(entry, 'accepted')}>
                Accept
              </Button>
              <Button icon={<Pencil size={18} aria-hidden />} onClick={() => onResolve(entry, 'corrected')}>
                Correct
              </Button>
              <Button icon={<X size={18} aria-hidden />} onClick={() => onResolve(entry, 'rejected')}>
                Reject
              </Button>
              {entry.repeats && (
                <Button icon={<X size={18} aria-hidden />} onClick={() => onResolve(entry, 'rejected', true)}>
                  Reject all {formatCount(entry.repeats.ids.length + 1)}
                </Button>
              )}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}
