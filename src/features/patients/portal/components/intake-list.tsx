import { useState } from 'react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { Switch } from '#src/ui/forms/switch.tsx'
import { useIntakes } from '../queries.ts'
import { fieldLabels } from '../words.ts'
import { IntakeDialog } from './intake-dialog.tsx'
import { PagedList } from './paged-list.tsx'

/** The forms that patients sent, and the result of their review. */
export function IntakeList({ onChanged }: { onChanged: () => void }) {
  const timeZone = useSession(({ home }) => home?.locations.find((store) => store.store_id === home.store_id)?.time_zone)
  const [isReviewed, setReviewed] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const list = useIntakes(isReviewed)
  const words = (field: string) => (Object.hasOwn(fieldLabels, field) ? fieldLabels[field as keyof typeof fieldLabels] : field)

  return (
    <div className="flex flex-col gap-4">
      <Switch label="Show reviewed forms" checked={isReviewed} onChange={setReviewed} />
      <PagedList list={list} label="Forms" empty={isReviewed ? 'No reviewed forms yet.' : 'No forms to review.'}>
        {(intake) => (
          <div className="flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
                <bdi>{intake.patient_name}</bdi>
                {intake.taken && <Badge tone="good">Reviewed</Badge>}
              </p>
              <p className="text-sm text-ink-2">
                Sent {formatDateTime(intake.at, timeZone)}, {formatNumberOf(intake.filled, 'answer')}
              </p>
              {intake.taken && intake.reviewed_at && (
                <p className="text-sm text-ink-2">
                  {intake.taken.length === 0 ? 'Nothing was used' : `Used: ${intake.taken.map(words).join(', ')}`}, by{' '}
                  <bdi>{intake.reviewed_by}</bdi>, {formatDateTime(intake.reviewed_at, timeZone)}
                </p>
              )}
            </div>
            <Button
              onClick={() => setOpened(intake.id)}
              aria-label={`${intake.taken ? 'View' : 'Review'} the form from ${intake.patient_name}`}
            >
              {intake.taken ? 'View' : 'Review'}
            </Button>
          </div>
        )}
      </PagedList>
      {opened !== null && (
        <IntakeDialog
          id={opened}
          onClose={(isChanged) => {
            setOpened(null)
            if (!isChanged) return
            void list.reload()
            onChanged()
          }}
        />
      )}
    </div>
  )
}
