import { useEffect, useState, type ReactNode } from 'react'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { formatAge, formatCount, formatMinutes } from '#src/ui/format.ts'
import { ProgressBar } from '#src/ui/progress-bar.tsx'
import { paceOf } from '#src/features/counts/count-sheets/model/pace.ts'
import { usePresence, useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'

/** The figures of the count: the number, the pace, the remaining time, and the people. */
export function CountFigures({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const seesExpected = model.seesExpected()
  const { ledger } = model
  const me = useSession((session) => session.home?.id_user)
  // A counter of a blind count sees only their own work.
  const scans = model.scans()
  return (
    <section aria-label="Count so far" className="@container/figures shrink-0 rounded-lg border border-line bg-surface px-4 py-2.5">
      <div className="flex flex-wrap items-end justify-between gap-x-5 gap-y-2">
        <div className="flex items-baseline gap-2">
          <p className="figures text-far leading-none font-bold @min-[42rem]/count:text-[3.5rem]" data-testid="counted">
            {formatCount(seesExpected ? ledger.countedTotal : ledger.countedBy(me))}
          </p>
          <p className="figures text-lg whitespace-nowrap text-ink-2">
            {seesExpected ? `of ${formatCount(ledger.expectedTotal)}` : 'by you'}
          </p>
        </div>
        <dl className="flex flex-1 justify-between gap-3 whitespace-nowrap">
          <Figure label="Set aside" value={scans.setAside.length} tone="text-aside" />
          <Figure label="Unknown" value={scans.unknown.length} tone="text-bad" />
          {seesExpected && <Figure label="Duplicates" value={ledger.duplicateTotal} tone="text-warn" />}
        </dl>
      </div>
      {seesExpected && (
        <div className="mt-2 @max-[30rem]/count:hidden">
          <Pace model={model} />
        </div>
      )}
    </section>
  )
}

function Figure({ label, value, tone }: { label: string; value: number; tone: string }) {
  return (
    <div className="flex flex-col-reverse">
      <dt className="text-xs text-ink-2">{label}</dt>
      <dd className={`figures text-2xl leading-tight font-semibold ${value > 0 ? tone : 'text-ink-3'}`}>{formatCount(value)}</dd>
    </div>
  )
}

/** Shows the progress and the pace of the count. */
export function Pace({ model }: { model: SheetModel }) {
  const device = useDevice()
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 5000)
    return () => clearInterval(timer)
  }, [])
  const pace = paceOf(model.ledger, device.serverNow())
  const left = pace?.minutesLeft ?? null
  const done = model.ledger.expectedTotal - model.ledger.toFindTotal
  return (
    <>
      <ProgressBar bare label="Found" done={done} total={model.ledger.expectedTotal} tone="good" />
      <p className="mt-1 text-sm text-pretty text-ink-2">
        {pace ? `${formatCount(Math.round(pace.perMinute))} a minute` : 'Your pace shows after a few scans'}
        {left !== null && model.ledger.toFindTotal > 0 && `, about ${formatMinutes(Math.ceil(left))} left`}
      </p>
    </>
  )
}

/** Lists the people who count, live from all tablets. */
export function People({ model, whenNobody = null }: { model: SheetModel; whenNobody?: ReactNode }) {
  useSheet(model, (state) => state.version)
  const device = useDevice()
  const me = useSession((session) => session.home?.id_user)
  const online = useConnection((connection) => connection.online)
  const onlyHere = useSheet(model, (state) => state.onlyHere)
  const presence = usePresence(model.id, !onlyHere)
  const people = model.seesExpected() ? model.ledger.people() : model.ledger.people().filter((person) => person.author_id === me)
  const others = presence.filter((tablet) => tablet.open && tablet.device_id !== device.deviceId)
  if (people.length === 0 && others.length === 0) return whenNobody
  return (
    <section aria-label="Who’s counting" className="shrink-0 rounded-lg border border-line bg-surface px-4 py-2">
      <ul className="flex flex-wrap gap-x-5 gap-y-1">
        {people.map((person) => (
          <li key={person.author_id} className="whitespace-nowrap">
            <span className="font-medium">{person.author_id === me ? 'You' : <bdi>{person.author_name}</bdi>}</span>{' '}
            <strong className="figures text-lg">{formatCount(person.counted)}</strong>
          </li>
        ))}
      </ul>
      {others.slice(0, 3).map((tablet) => (
        <p key={tablet.device_id} className="text-sm text-ink-2">
          <bdi>{tablet.person_name}</bdi> on {tablet.device_name}
          {tablet.unsent > 0 && `, ${tablet.unsent} to send`} · {sinceWords(device.serverNow() - Date.parse(tablet.last_seen_at))}
        </p>
      ))}
      {others.length > 3 && <p className="text-sm text-ink-2">and {others.length - 3} more</p>}
      {online === false && <p className="text-sm text-ink-2">Offline. Other tablets appear when you’re back online.</p>}
    </section>
  )
}

/** Tablets report every few seconds, so a smaller age means nothing. */
function sinceWords(milliseconds: number): string {
  return milliseconds < 10_000 ? 'now' : `${formatAge(milliseconds)} ago`
}

/** Shows the progress of each brand. */
export function BrandProgressList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const brands = model.ledger.brands().filter((brand) => brand.counted < brand.expected)
  if (!model.seesExpected() || brands.length === 0) return null
  return (
    <section
      aria-label="Progress by brand"
      className="min-h-24 flex-1 overflow-y-auto rounded-lg border border-line bg-surface px-4 py-3"
      // It scrolls, so the keyboard must reach it.
      {...{ tabIndex: 0 }}
    >
      <h2 className="engraved mb-2">By brand</h2>
      <div className="flex flex-col gap-2.5">
        {brands.map((brand) => (
          <ProgressBar key={brand.brand_name} size="sm" tone="good" label={brand.brand_name} done={brand.counted} total={brand.expected} />
        ))}
      </div>
    </section>
  )
}
