import { useLiveQuery } from 'dexie-react-hooks'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import type { CountSum } from '#contract/counts/count-sum.ts'
import { lastCountBefore } from '#src/features/counts/count-sheets/model/last-count.ts'
import { useTimeZone } from '#src/features/counts/count-sheets/queries.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { formatCount, formatDate, formatMoney, formatPercent } from '#src/ui/format.ts'

type Part = { label: string; value: number; tone?: string; isAlways?: boolean }

/** Shows the figures of closing: the expected total and its parts, the exceptions apart, and the money. */
export function CloseFigures({
  sheet,
  sum,
  withCost,
  isClosed = false,
}: {
  sheet: CountSheet
  sum: CountSum
  withCost: boolean
  isClosed?: boolean
}) {
  const parts: Part[] = [
    { label: 'Counted', value: sum.counted, isAlways: true },
    { label: isClosed ? 'Marked Missing' : 'To mark Missing', value: sum.missing, tone: 'text-bad', isAlways: true },
    { label: 'Explained', value: sum.explained },
    { label: 'Expected, set aside', value: sum.expectedSetAside, tone: 'text-aside' },
  ]
  return (
    <section aria-label="Count totals" className="flex flex-col gap-3">
      <dl className="flex flex-wrap items-stretch gap-x-3 gap-y-2 border-b border-line pb-2">
        <Figure label="Expected" value={sum.expected} />
        {parts
          .filter((part) => part.isAlways || part.value > 0)
          .map((part, place) => (
            <Figure key={part.label} {...part} sign={place === 0 ? '=' : '+'} />
          ))}
      </dl>
      <p className="text-ink-2">
        <strong className="figures font-semibold text-ink">Exceptions {formatCount(sum.exceptions)}</strong>
        {sum.kinds.length > 0 && `: ${sum.kinds.map((kind) => `${kind.name} ${formatCount(kind.count)}`).join(', ')}`}
      </p>
      {sum.missing > 0 && <MissingMoney sum={sum} withCost={withCost} />}
      <AgainstLastCount sheet={sheet} share={sum.expected > 0 ? sum.missing / sum.expected : 0} />
    </section>
  )
}

/** Shows the value of the Missing frames, and its share of all expected frames. */
function MissingMoney({ sum, withCost }: { sum: CountSum; withCost: boolean }) {
  const words = [
    `${formatMoney(sum.missingRetail)} at retail`,
    ...(sum.expectedRetail > 0 ? [`${formatPercent(sum.missingRetail / sum.expectedRetail)} of expected`] : []),
    ...(withCost && sum.missingCost !== null ? [`${formatMoney(sum.missingCost)} at list cost`] : []),
    ...(sum.missingUnpriced > 0 ? [`${formatCount(sum.missingUnpriced)} without a price`] : []),
  ]
  return (
    <p className="text-ink-2">
      <strong className="font-semibold text-ink">Missing</strong>: {words.join(' · ')}
    </p>
  )
}

/** Compares the share of Missing frames with that of the count before. */
function AgainstLastCount({ sheet, share }: { sheet: CountSheet; share: number }) {
  const { hot } = useDevice()
  const timeZone = useTimeZone()
  const last = useLiveQuery(
    async () => lastCountBefore(sheet, await hot.sheets.where('store_id').equals(sheet.store_id).toArray()),
    [hot, sheet],
  )
  if (!last) return null
  const trend = last.share === share ? 'as many as' : share > last.share ? 'more than' : 'fewer than'
  return (
    <p className="text-ink-2">
      <strong className="font-semibold text-ink">{formatPercent(share)} missing</strong>, {trend} in{' '}
      {last.number === null ? 'the last count' : `count #${last.number}`} of {formatDate(last.closed_at, timeZone)}:{' '}
      {formatPercent(last.share)}
      {last.isSameScope ? '' : ' (other frames)'}
    </p>
  )
}

function Figure({ label, value, tone = '', sign }: Part & { sign?: string }) {
  return (
    <div className="flex flex-col-reverse justify-end">
      <dt className="text-sm text-ink-2">{label}</dt>
      <dd className={`figures text-2xl font-semibold ${value === 0 ? 'text-ink-3' : tone}`}>
        {sign && (
          <span aria-hidden="true" className="mr-2 font-normal text-ink-2">
            {sign}
          </span>
        )}
        {formatCount(value)}
      </dd>
    </div>
  )
}
