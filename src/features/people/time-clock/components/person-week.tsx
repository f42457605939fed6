import { CalendarClock, CalendarPlus, Pencil, Trash2 } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import { addDays, dayOf, effectivePunches, startOfDay, weekOf } from '#contract/people/time-clock.ts'
import { createCorrecting } from '#src/features/people/time-clock/actions.ts'
import { LoadFailure } from '#src/features/people/time-clock/components/load-failure.tsx'
import { TimeDialog, type Person } from '#src/features/people/time-clock/components/time-dialog.tsx'
import { WeekView, type ShownPunch } from '#src/features/people/time-clock/components/week-view.tsx'
import { useServerNow } from '#src/features/people/time-clock/queries.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime, formatTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'

/** The week of an employee, for their manager. Each punch can be corrected, removed or added, with a reason. */
export function PersonWeek({ people, timeZone }: { people: readonly Person[]; timeZone: string }) {
  const [id, setId] = useState('')
  const person = people.find((one) => String(one.id_user) === id)
  return (
    <div className="flex flex-col gap-4">
      <div className="max-w-md">
        <SelectField
          label="Person"
          placeholder="Choose a person"
          value={id}
          onChange={setId}
          options={people.map((one) => ({ value: String(one.id_user), label: `${one.name} (${one.store_name})` }))}
        />
      </div>
      {person ? (
        <WeekOf key={person.id_user} person={person} timeZone={timeZone} />
      ) : (
        <EmptyState icon={<CalendarClock aria-hidden />} title="Choose a person">
          Choose a person to see their hours and fix missed punches.
        </EmptyState>
      )}
    </div>
  )
}

type Change = { kind: 'correct' | 'remove'; punch: ShownPunch } | { kind: 'add' }

function WeekOf({ person, timeZone }: { person: Person; timeZone: string }) {
  const device = useDevice()
  const now = useServerNow(30_000)
  const [day, setDay] = useState(() => dayOf(now, timeZone))
  const [change, setChange] = useState<Change | null>(null)
  const [correct] = useState(() => createCorrecting(device))
  const first = weekOf(day)[0] ?? day
  const { id_user } = person
  const load = useCallback(() => {
    // Loads extra days on both sides, so that a shift over the edge of the week is complete.
    const from = new Date(startOfDay(addDays(first, -2), timeZone)).toISOString()
    const to = new Date(startOfDay(addDays(first, 9), timeZone)).toISOString()
    return device.call(timeCardEndpoints.timeEntries, { query: { id_user: String(id_user), from, to } }, { timeoutMs: 15_000 })
  }, [device, first, id_user, timeZone])
  const { value, failure, reload } = useLoaded(load)
  if (failure && !value) return <LoadFailure failure={failure} onRetry={() => void reload()} />
  if (!value) return <Skeleton lines={7} height="row" />
  const counting = new Set(effectivePunches(value.punches).map((punch) => punch.id))
  return (
    <>
      <WeekView
        day={day}
        onDay={setDay}
        punches={value.punches}
        timeZone={timeZone}
        now={now}
        actions={(punch) =>
          counting.has(punch.id) && (
            <span className="inline-flex">
              <IconButton
                label={`Correct the clock-${punch.direction} at ${formatTime(punch.at, timeZone)}`}
                icon={<Pencil size={18} aria-hidden />}
                onClick={() => setChange({ kind: 'correct', punch })}
              />
              <IconButton
                label={`Remove the clock-${punch.direction} at ${formatTime(punch.at, timeZone)}`}
                icon={<Trash2 size={18} aria-hidden />}
                onClick={() => setChange({ kind: 'remove', punch })}
              />
            </span>
          )
        }
      />
      <div>
        <Button icon={<CalendarPlus size={18} aria-hidden />} onClick={() => setChange({ kind: 'add' })}>
          Add a missed punch
        </Button>
      </div>
      {change && (
        <TimeDialog
          place={`own: ${change.kind} punch ${change.kind === 'add' ? `of ${id_user} on ${day}` : change.punch.id}`}
          {...textsOf(change, person, timeZone)}
          timeZone={timeZone}
          now={now}
          time={timeOf(change, day, timeZone, now)}
          people={null}
          onClose={() => setChange(null)}
          onSubmit={async ({ reason, direction, at }) => {
            const given =
              change.kind === 'remove'
                ? { supersedes: change.punch.id, direction: 'void' as const, at: change.punch.at }
                : { supersedes: change.kind === 'add' ? null : change.punch.id, direction, at }
            const refused = await correct({ ...given, id_user, reason })
            if (refused) return refused
            showToast({ title: 'Correction saved', tone: 'good' })
            await reload()
            return null
          }}
        />
      )}
    </>
  )
}

type Texts = { title: string; description: ReactNode; act: string; danger?: boolean }

function textsOf(change: Change, person: Person, timeZone: string): Texts {
  const name = <bdi>{person.name}</bdi>
  if (change.kind === 'add') {
    return { title: 'Add a missed punch', description: <>For {name}. Add the clock-in first, then the clock-out.</>, act: 'Add' }
  }
  const told = (meaning: string) => (
    <>
      {name}, clock-{change.punch.direction} at {formatDateTime(change.punch.at, timeZone)}. {meaning}
    </>
  )
  if (change.kind === 'correct')
    return { title: 'Correct this punch', description: told('The original punch stays in the record.'), act: 'Correct' }
  const description = told('It stays in the record but isn’t counted.')
  return { title: 'Remove this punch', description, act: 'Remove', danger: true }
}

function timeOf(change: Change, day: string, timeZone: string, now: number): { direction: 'in' | 'out'; at: number } | null {
  if (change.kind === 'remove') return null
  if (change.kind === 'correct') return { direction: change.punch.direction === 'out' ? 'out' : 'in', at: Date.parse(change.punch.at) }
  return { direction: 'in', at: Math.min(now, startOfDay(day, timeZone) + 9 * 3_600_000) }
}
