import type { ReviewEntry } from '#contract/people/time-card.ts'
import { resolvePunch } from '#src/features/people/time-clock/actions.ts'
import type { Resolution } from '#src/features/people/time-clock/components/review-entries.tsx'
import { TimeDialog, type Person } from '#src/features/people/time-clock/components/time-dialog.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatCount, formatDateTime } from '#src/ui/format.ts'

const acts: Record<Resolution, string> = { accepted: 'Accept', corrected: 'Correct', rejected: 'Reject' }

/** A manager accepts or rejects one entry of the review list. */
export function ResolveDialog({
  entry,
  resolution,
  withRepeats,
  people,
  timeZone,
  onClose,
  onDone,
}: {
  entry: ReviewEntry
  resolution: Resolution
  /** Also rejects the repeated entries that this one represents. */
  withRepeats: boolean
  people: readonly Person[]
  timeZone: string
  onClose: () => void
  onDone: () => void
}) {
  const device = useDevice()
  const repeats = withRepeats ? (entry.repeats?.ids ?? []) : []
  const isForgotten = entry.reasons.includes('open-16-hours')
  const meanings: Record<Resolution, string> = {
    accepted: 'It counts as made.',
    corrected: isForgotten
      ? 'Enter when they clocked out. The clock-in doesn’t change.'
      : 'The original is kept; your correction counts instead.',
    rejected: repeats.length > 0 ? 'They stay in the record but aren’t counted.' : 'It stays in the record but isn’t counted.',
  }
  const description = (
    <>
      <bdi>{entry.person_name ?? `“${entry.username}”`}</bdi> {entry.direction === 'in' ? 'clocked in' : 'clocked out'} at{' '}
      {formatDateTime(entry.at, timeZone)}
      {repeats.length > 0 && `, and ${formatCount(repeats.length)} more with this name`}. {meanings[resolution]}
    </>
  )
  return (
    <TimeDialog
      place={`own: ${resolution} punch ${entry.id}`}
      title={repeats.length > 0 ? `Reject ${formatCount(repeats.length + 1)} punches` : `${acts[resolution]} this punch`}
      description={description}
      act={acts[resolution]}
      danger={resolution === 'rejected'}
      timeZone={timeZone}
      now={device.serverNow()}
      time={resolution === 'corrected' ? { direction: isForgotten ? 'out' : entry.direction, at: Date.parse(entry.at) } : null}
      people={entry.id_user === null && resolution !== 'rejected' ? people : null}
      onClose={onClose}
      onSubmit={async ({ reason, direction, at, id_user }) => {
        const change = resolution === 'corrected' ? { direction, at } : {}
        const failure = await resolvePunch(device, entry.id, {
          resolution,
          reason,
          ...(repeats.length > 0 && { repeats }),
          ...change,
          ...(id_user !== null && { id_user }),
        })
        if (!failure) onDone()
        return failure
      }}
    />
  )
}
