import { useStore } from 'zustand'
import type { CountSheet } from '#contract/count-sheets.ts'
import type { SheetModel } from '#src/features/count-sheets/sheet-model.ts'
import { useConnection, useDevice } from '#src/sync/device-context.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'

/** How far the first filling of this tablet is. It goes on while one works. */
export function FirstLoad() {
  const device = useDevice()
  const loading = useStore(device.mirror.progress, (progress) => progress.loading)
  if (!loading) return null
  return (
    <Loading
      label={loading.collection === 'frames' ? 'Loading the frames onto this tablet' : 'Loading onto this tablet'}
      done={loading.done}
      total={loading.total}
      leave="You may leave this page; it goes on by itself."
    />
  )
}

/** A sheet that was just made or joined: until all of what it expects is here, its numbers are not the last word. */
export function ItemsArriving({ model, sheet }: { model: SheetModel; sheet: CountSheet }) {
  const here = useStore(model.state, () => model.ledger.items.size)
  if (sheet.number === null || sheet.phase === 'closed' || here >= sheet.expected_count) return null
  return (
    <Loading
      label="Loading what this count expects onto this tablet"
      done={here}
      total={sheet.expected_count}
      leave="You may begin to count; what is scanned meanwhile is kept."
    />
  )
}

function Loading({ label, done, total, leave }: { label: string; done: number; total: number; leave: string }) {
  const online = useConnection((connection) => connection.online)
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3">
      <ProgressBar label={label} done={done} total={total} />
      <p className="mt-1 text-sm text-ink-2">{online === false ? 'Waiting for the network. It goes on from here.' : leave}</p>
    </div>
  )
}
