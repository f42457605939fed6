import { Send } from 'lucide-react'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatAge, formatCount, formatDateTime } from '#src/ui/format.ts'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import type { WaitingRow } from '../model/waiting-rows.ts'
import { waitingRows } from '../model/waiting-rows.ts'
import { laneName, stateWords, titleOf, type KnownNames } from '../words.ts'

/** Lists the unsent commands by user and lane, oldest first. */
export function WaitingList({
  outbox,
  names,
  now,
  timeZone,
}: {
  outbox: readonly OutboxCommand[]
  names: KnownNames
  now: number
  timeZone: string | undefined
}) {
  return (
    <VirtualList
      label="Waiting to send"
      rows={waitingRows(outbox)}
      rowKey={(row) => row.key}
      rowHeight={56}
      renderRow={(row) => <Row row={row} names={names} now={now} timeZone={timeZone} />}
      empty={
        <EmptyState icon={<Send aria-hidden />} title="All caught up">
          Everything on this device has been sent.
        </EmptyState>
      }
    />
  )
}

function Row({ row, names, now, timeZone }: { row: WaitingRow; names: KnownNames; now: number; timeZone: string | undefined }) {
  if (row.type === 'person') {
    return (
      <div className="flex min-h-row items-center justify-between gap-4 bg-sunken px-4 py-2 font-semibold">
        <bdi className="truncate">{row.name}</bdi>
        <span className="figures">{formatCount(row.count)}</span>
      </div>
    )
  }
  if (row.type === 'lane') {
    return (
      <div className="flex min-h-row flex-wrap items-center justify-between gap-x-4 px-4 py-2 pl-6 font-medium">
        <bdi>{laneName(row.lane, names)}</bdi>
        <span className="figures text-sm text-ink-2">
          {formatCount(row.count)}, oldest {formatAge(now - Date.parse(row.oldestAt))}
        </span>
        {row.blockedBy && <span className="basis-full text-sm text-warn">Waiting until “{row.blockedBy}” is resolved</span>}
      </div>
    )
  }
  const { command } = row
  return (
    <div className="flex min-h-tall flex-wrap items-center justify-between gap-x-4 px-4 py-2 pl-9">
      <div className="min-w-0">
        <p className="break-words">{titleOf(command, 'waiting')}</p>
        <p className="figures text-sm text-ink-2">{formatDateTime(command.created_at, timeZone)}</p>
      </div>
      <span className="text-sm text-ink-2">{stateWords(command, now, timeZone)}</span>
    </div>
  )
}
