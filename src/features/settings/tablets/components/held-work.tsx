import { Check, Hourglass, Trash2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { heldWorkEndpoints } from '#contract/sync/held-work.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatCount, formatDateTime, formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import type { Decision } from '../actions.ts'
import { type HeldGroup, heldGroups, heldTitle, reasonWords } from '../model/held-groups.ts'
import { DecideDialog } from './decide-dialog.tsx'

const shownAtOnce = 5

/** The held work, for a manager to apply or discard. Shows nothing when there is none. */
export function HeldWork({ timeZone }: { timeZone: string | undefined }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const { value, failure, reload } = useLoaded(useCallback(() => device.call(heldWorkEndpoints.listHeldWork, {}), [device]))
  const [deciding, setDeciding] = useState<{ group: HeldGroup; decision: Decision } | null>(null)

  function close() {
    setDeciding(null)
    // A part of it may have been applied.
    void reload()
  }

  async function decided(count: number, decision: Decision) {
    setDeciding(null)
    showToast({ title: `${formatCount(count)} ${decision === 'apply' ? 'applied' : 'discarded'}`, tone: 'good' })
    await reload()
  }

  if (!value) {
    if (!failure || failure.kind === 'unreachable') return null
    return (
      <Notice
        tone="warn"
        title="Couldn’t load work waiting for a manager"
        actions={<Button onClick={() => void reload()}>Try again</Button>}
      >
        {failure.message}
      </Notice>
    )
  }
  if (value.total === 0) return null
  return (
    <section aria-labelledby="held-work">
      <h2 id="held-work" tabIndex={-1} className="mb-1 text-lg font-semibold">
        Work waiting for a manager
      </h2>
      <p className="mb-2 max-w-prose text-ink-2">
        The server and the tablet both keep it. Check with the person who did it, then apply it under their name or discard it.
        {value.total > value.held.length && ` Showing the first ${formatCount(value.held.length)} of ${formatCount(value.total)}.`}
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {heldGroups(value.held).map((group) => (
          <HeldRow
            key={group.key}
            group={group}
            timeZone={timeZone}
            isDisabled={isOffline}
            onDecide={(decision) => setDeciding({ group, decision })}
          />
        ))}
      </ul>
      {deciding && <DecideDialog {...deciding} onClose={close} onDecided={(count) => void decided(count, deciding.decision)} />}
    </section>
  )
}

type RowProps = { group: HeldGroup; timeZone: string | undefined; isDisabled: boolean; onDecide: (decision: Decision) => void }

function HeldRow({ group, timeZone, isDisabled, onDecide }: RowProps) {
  const { author, tablet, store, reason, commands } = group
  const [showsAll, setShowsAll] = useState(false)
  const shown = showsAll ? commands : commands.slice(0, shownAtOnce)
  const about = `${formatNumberOf(commands.length, 'item')} from ${author}`
  return (
    <li className="flex flex-col gap-3 px-4 py-4">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="font-semibold wrap-anywhere">
          <bdi>{author}</bdi> on <bdi>{tablet}</bdi>
        </h3>
        <Badge tone="warn" icon={<Hourglass aria-hidden />}>
          {formatNumberOf(commands.length, 'item')}
        </Badge>
      </div>
      <p className="text-ink-2">
        {store}. {reasonWords[reason]}
      </p>
      <ul className="flex flex-col gap-1 text-sm">
        {shown.map((command) => (
          <li key={command.id} className="flex flex-wrap gap-x-3 wrap-anywhere">
            <span>{heldTitle(command)}</span>
            <span className="figures text-ink-3">{formatDateTime(command.captured_at, timeZone)}</span>
            {command.deliverer_name !== author && (
              <span className="text-ink-3">
                delivered by <bdi>{command.deliverer_name}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button icon={<Check aria-hidden />} disabled={isDisabled} onClick={() => onDecide('apply')} aria-label={`Apply ${about}`}>
          Apply
        </Button>
        <Button icon={<Trash2 aria-hidden />} disabled={isDisabled} onClick={() => onDecide('discard')} aria-label={`Discard ${about}`}>
          Discard
        </Button>
        {commands.length > shown.length && (
          <Button variant="quiet" onClick={() => setShowsAll(true)}>
            Show all {formatCount(commands.length)}
          </Button>
        )}
      </div>
    </li>
  )
}
