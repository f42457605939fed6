import { ChevronLeft, ChevronRight, CircleAlert, Clock, Pencil, Upload } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  addDays,
  clockTimeline,
  dayOf,
  dayTotals,
  sessionMs,
  startOfDay,
  weekOf,
  weekTotal,
  type ClockPunch,
  type ClockSession,
} from '#contract/people/time-clock.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatDateRange, formatDay, formatMinutes, formatTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'

export type ShownPunch = ClockPunch & { waiting?: boolean; edited_by_name?: string | null; edit_reason?: string | null }

export type WeekViewProps = {
  /** Any day of the week, `YYYY-MM-DD`. */
  day: string
  onDay: (day: string) => void
  punches: readonly ShownPunch[]
  timeZone: string
  now: number
  /** The buttons beside a punch, for managers. */
  actions?: (punch: ShownPunch) => ReactNode
}

/** A week of someone's time: each day on a scale of 24 hours, with its sessions and its total. */
export function WeekView({ day, onDay, punches, timeZone, now, actions }: WeekViewProps) {
  const { sessions, doubles } = clockTimeline(punches, now)
  const totals = dayTotals(sessions, timeZone, now)
  const days = weekOf(day)
  const [first, last] = [days[0] ?? day, days.at(-1) ?? day]
  const today = dayOf(now, timeZone)
  const isThisWeek = days.includes(today)
  const held = punches.filter((punch) => punch.in_review)
  return (
    <section aria-label="Week" className="rounded-lg border border-line bg-surface">
      <header className="flex flex-wrap items-center gap-2 border-b border-line py-1 pr-4 pl-1">
        <IconButton label="Previous week" icon={<ChevronLeft size={20} aria-hidden />} onClick={() => onDay(addDays(first, -7))} />
        <h2 className="font-semibold" aria-live="polite">
          {formatDateRange(startOfDay(first, timeZone), startOfDay(last, timeZone), timeZone)}
        </h2>
        <IconButton
          label="Next week"
          icon={<ChevronRight size={20} aria-hidden />}
          disabled={isThisWeek}
          onClick={() => onDay(addDays(first, 7))}
        />
        <p className="ml-auto pl-3 whitespace-nowrap">
          <span className="mr-2 text-sm text-ink-2">Week</span>
          <strong className="figures text-lg">{formatMinutes(Math.floor(weekTotal(totals, day) / 60_000))}</strong>
        </p>
      </header>
      <ol className="divide-y divide-line">
        {days.map((one) => {
          const ofDay = sessions.filter((session) => dayOf(session.in.at, timeZone) === one)
          const odd = [...doubles, ...held].filter((punch) => dayOf(punch.at, timeZone) === one)
          return (
            <li key={one} aria-current={one === today ? 'date' : undefined} className="px-4 py-3">
              <div className="flex items-baseline justify-between gap-4">
                <h3 className={one === today ? 'font-semibold text-accent-text' : 'text-ink-2'}>
                  {formatDay(startOfDay(one, timeZone), timeZone)}
                  {one === today && ' · today'}
                </h3>
                <span className={`figures ${totals.has(one) ? '' : 'text-ink-3'}`}>
                  {totals.has(one) ? formatMinutes(Math.floor((totals.get(one) ?? 0) / 60_000)) : '–'}
                </span>
              </div>
              <DayScale day={one} sessions={sessions} timeZone={timeZone} now={now} />
              {ofDay.map((session) => (
                <SessionLine key={session.in.id} session={session} timeZone={timeZone} now={now} actions={actions} />
              ))}
              {odd.map((punch) => (
                <p key={punch.id} className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
                  <span className="figures">
                    {formatTime(punch.at, timeZone)} {punch.direction === 'in' ? 'clock in' : 'clock out'}
                  </span>
                  {punch.in_review ? (
                    <Badge tone="warn" icon={<Clock aria-hidden />}>
                      Waiting for a manager
                    </Badge>
                  ) : (
                    <Badge icon={<CircleAlert aria-hidden />}>
                      {punch.direction === 'in' ? 'Already clocked in' : 'Wasn’t clocked in'}
                    </Badge>
                  )}
                  {actions?.(punch)}
                </p>
              ))}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Draws the worked hours of a day on a scale. The lines below say the same in words. */
function DayScale({ day, sessions, timeZone, now }: { day: string; sessions: ClockSession<ShownPunch>[]; timeZone: string; now: number }) {
  const from = startOfDay(day, timeZone)
  const length = startOfDay(addDays(day, 1), timeZone) - from
  return (
    <div aria-hidden="true" className="relative my-1.5 h-2 overflow-hidden rounded-sm bg-sunken">
      {[0.25, 0.5, 0.75].map((part) => (
        <span key={part} className="absolute inset-y-0 w-px bg-line-strong opacity-60" style={{ left: `${part * 100}%` }} />
      ))}
      {sessions.map((session) => {
        const start = Date.parse(session.in.at)
        const left = Math.max(0, (start - from) / length)
        const right = Math.min(1, (start + sessionMs(session, now) - from) / length)
        if (right <= left) return null
        const tone = session.in.waiting || session.out?.waiting ? 'bg-warn-solid' : session.open ? 'bg-accent' : 'bg-good-solid'
        return (
          <span
            key={session.in.id}
            className={`absolute inset-y-0 ${tone}`}
            style={{ left: `${left * 100}%`, right: `${(1 - right) * 100}%` }}
          />
        )
      })}
    </div>
  )
}

function SessionLine({
  session,
  timeZone,
  now,
  actions,
}: {
  session: ClockSession<ShownPunch>
  timeZone: string
  now: number
  actions: WeekViewProps['actions']
}) {
  const both = session.out ? [session.in, session.out] : [session.in]
  const corrected = both.filter((punch) => punch.edited_by_name)
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      {actions ? (
        both.map((punch) => (
          <span key={punch.id} className="inline-flex items-center">
            <span className="mr-1 text-sm text-ink-2">{punch.direction === 'in' ? 'In' : 'Out'}</span>
            <span className="figures">{formatTime(punch.at, timeZone)}</span>
            {actions(punch)}
          </span>
        ))
      ) : (
        <span className="figures">
          {formatTime(session.in.at, timeZone)} – {session.out ? formatTime(session.out.at, timeZone) : session.open ? 'now' : '?'}
        </span>
      )}
      <span className="figures text-sm text-ink-2">
        {session.out || session.open ? formatMinutes(Math.floor(sessionMs(session, now) / 60_000)) : ''}
      </span>
      {both.some((punch) => punch.waiting) && (
        <Badge tone="warn" icon={<Upload aria-hidden />}>
          Waiting to send
        </Badge>
      )}
      {session.overlong && (
        <Badge tone="bad" icon={<CircleAlert aria-hidden />}>
          {session.out ? 'More than 16 hours' : 'Forgot to clock out'}
        </Badge>
      )}
      {corrected.map((punch) => (
        <Badge key={punch.id} tone="info" icon={<Pencil aria-hidden />} wraps>
          <span className="min-w-0">
            Corrected by <bdi>{punch.edited_by_name}</bdi>
            {punch.edit_reason ? `: ${punch.edit_reason}` : ''}
          </span>
        </Badge>
      ))}
    </div>
  )
}
