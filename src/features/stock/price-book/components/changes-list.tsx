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

/** Changes of many prices: the planned ones, and those that were applied or canceled. */
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
        ? { title: 'Price change canceled', tone: 'good' }
        : { title: 'Price change not canceled', description: answer.failure.message, tone: 'bad' },
    )
    void reload()
  }

  if (!value) {
    if (!failure) return <Skeleton lines={5} height="row" />
    return <NotLoaded failure={failure} offline="Price changes are available online." onRetry={() => void reload()} />
  }
  if (value.changes.length === 0) {
    return (
      <EmptyState icon={<CalendarClock aria-hidden />} title="No price changes yet.">
        Select models under Prices and change them together, today or from a later date.
      </EmptyState>
    )
  }
  return (
    <>
      <ul aria-label="Price changes" className="divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface">
        {value.changes.map((change) => (
          <li key={change.id_price_change} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3">
            <div className="min-w-0">
              <p className="font-medium">
                {changeInWords(change.change)} · {formatNumberOf(change.models, 'model')}
              </p>
              <p className="text-sm text-ink-2">
                <bdi>{change.rep}</bdi>, {formatDateTime(change.created_at, timeZone)}
                {change.reprice_stock && ' · frames in stock change too'}
                {change.skipped > 0 && ` · ${formatNumberOf(change.skipped, 'model')} skipped because the price changed`}
                {change.cancelled_by !== null && (
                  <>
                    {' '}
                    · canceled by <bdi>{change.cancelled_by}</bdi>
                  </>
                )}
              </p>
            </div>
            {change.applied_at !== null && <Badge tone="good">Applied {formatDate(change.applied_at, timeZone)}</Badge>}
            {change.cancelled_at !== null && <Badge>Canceled</Badge>}
            {change.applied_at === null && change.cancelled_at === null && (
              <div className="flex flex-wrap items-center gap-3">
                <Badge tone="info">Starts {formatDate(change.effective_on)}</Badge>
                <Button disabled={isOffline} onClick={() => setAsked(change)}>
                  Cancel change
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <SureDialog
          title="Cancel this price change?"
          text={
            <p>
              {formatNumberOf(asked.models, 'price')} won’t change on {formatDate(asked.effective_on)}.
            </p>
          }
          yes="Cancel change"
          no="Keep it"
          danger
          onYes={() => takeBack(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}
