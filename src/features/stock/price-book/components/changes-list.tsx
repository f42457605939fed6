import { CalendarClock } from 'lucide-react'
import { useCallback, useState } from 'react'
import { type BookPriceChange, priceBookEndpoints as book } from '#contract/library/price-book.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { changeInWords } from '../model/change-form.ts'

/** Changes of many prices: those that wait for their day, and those that were made or taken back. */
export function ChangesList() {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const timeZone = home?.locations.find(({ store_id }) => store_id === home.store_id)?.time_zone
  const { value, failure, reload } = useLoaded(useCallback(() => device.call(book.listPriceChanges, {}), [device]))
  const [asked, setAsked] = useState<BookPriceChange | null>(null)

  async function takeBack({ id_price_change }: BookPriceChange) {
    const answer = await device.call(book.cancelPriceChange, { params: { id: id_price_change } })
    setAsked(null)
    showToast(
      answer.ok
        ? { title: 'The change of prices is taken back', tone: 'good' }
        : { title: 'It was not taken back', description: answer.failure.message, tone: 'bad' },
    )
    void reload()
  }

  if (!value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    return <NotLoaded failure={failure} offline="Changes of prices are kept at the server." onRetry={() => void reload()} />
  }
  if (value.changes.length === 0) {
    return (
      <EmptyState icon={<CalendarClock aria-hidden />} title="No change of prices yet.">
        Choose models under Prices, and change them together, today or from a later day on.
      </EmptyState>
    )
  }
  return (
    <>
      <ul aria-label="Changes of prices" className="divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
        {value.changes.map((change) => (
          <li key={change.id_price_change} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div className="min-w-0">
              <p className="font-medium">
                {changeInWords(change.change)} · {formatNumberOf(change.models, 'model')}
              </p>
              <p className="text-sm text-ink-2">
                <bdi>{change.rep}</bdi>, {formatDateTime(change.created_at, timeZone)}
                {change.reprice_stock && ' · pieces in stock follow'}
                {change.skipped > 0 && ` · ${formatNumberOf(change.skipped, 'model')} left out, priced anew meanwhile`}
                {change.cancelled_by !== null && (
                  <>
                    {' '}
                    · taken back by <bdi>{change.cancelled_by}</bdi>
                  </>
                )}
              </p>
            </div>
            {change.applied_at !== null && <Badge tone="good">Made {formatDate(change.applied_at, timeZone)}</Badge>}
            {change.cancelled_at !== null && <Badge>Taken back</Badge>}
            {change.applied_at === null && change.cancelled_at === null && (
              <div className="flex flex-wrap items-center gap-3">
                <Badge tone="info">From {formatDate(`${change.effective_on}T12:00:00`)} on</Badge>
                <Button disabled={isOffline} onClick={() => setAsked(change)}>
                  Take back
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <SureDialog
          title="Take this change back?"
          text={
            <p>
              {formatNumberOf(asked.models, 'price')} will stay as {asked.models === 1 ? 'it is' : 'they are'} on{' '}
              {formatDate(`${asked.effective_on}T12:00:00`)}.
            </p>
          }
          yes="Take back"
          no="Keep it"
          danger
          onYes={() => takeBack(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
