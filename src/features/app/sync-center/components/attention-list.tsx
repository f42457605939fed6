import { Link } from '@tanstack/react-router'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { showToast } from '#src/ui/toast-store.ts'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import { retry } from '../actions.ts'
import { correctionOf, reasonOf } from '../model/refusals.ts'
import { laneName, patientOfLane, titleOf, transferOfLane, type KnownNames } from '../words.ts'
import { CorrectDialog } from './correct-dialog.tsx'
import { DiscardDialog } from './discard-dialog.tsx'

/** Lists the commands that the server refused, with the reason and the ways out. */
export function AttentionList({
  outbox,
  names,
  timeZone,
}: {
  outbox: readonly OutboxCommand[]
  names: KnownNames
  timeZone: string | undefined
}) {
  const device = useDevice()
  const [discarding, setDiscarding] = useState<OutboxCommand | null>(null)
  const [correcting, setCorrecting] = useState<OutboxCommand | null>(null)
  const [retrying, setRetrying] = useState<string | null>(null)

  async function onRetry(command: OutboxCommand) {
    setRetrying(command.id)
    try {
      await retry(device, command)
    } catch {
      showToast({ title: 'Not retried', description: 'Couldn’t write to this device’s storage.', tone: 'bad' })
    } finally {
      setRetrying(null)
    }
  }

  return (
    <>
      <VirtualList
        label="Needs attention"
        rows={outbox.filter((command) => command.state === 'needs-attention').sort((a, b) => (a.created_at < b.created_at ? -1 : 1))}
        rowKey={(command) => command.id}
        rowHeight={150}
        empty={
          <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing needs attention">
            Work the server refuses is kept and listed here, with the reason.
          </EmptyState>
        }
        renderRow={(command) => {
          const { what, next } = reasonOf(command)
          const idPatient = patientOfLane(command.lane)
          const idTransfer = transferOfLane(command.lane)
          const title = titleOf(command, 'refused')
          return (
            <article aria-label={title} className="flex flex-col gap-2 px-4 py-3">
              <div>
                <h3 className="font-semibold break-words">{title}</h3>
                <p className="figures text-sm text-ink-2">
                  <bdi>{command.author.name}</bdi>, {formatDateTime(command.created_at, timeZone)},{' '}
                  <bdi>{laneName(command.lane, names)}</bdi>
                </p>
              </div>
              <p>
                <strong className="font-medium text-bad">{what}</strong> {next}
              </p>
              <div className="flex flex-wrap gap-2">
                {idPatient !== null && (
                  <Link to="/patient/$id_patient" params={{ id_patient: idPatient }} className={buttonClasses('primary')}>
                    Open the patient
                  </Link>
                )}
                {idTransfer !== null && (
                  <Link to="/transfer/$id_transfer" params={{ id_transfer: idTransfer }} className={buttonClasses('primary')}>
                    Open the transfer
                  </Link>
                )}
                <Button busy={retrying === command.id} onClick={() => void onRetry(command)}>
                  Retry
                </Button>
                {correctionOf(command) && <Button onClick={() => setCorrecting(command)}>Fix</Button>}
                <Button variant="quiet" onClick={() => setDiscarding(command)}>
                  Discard…
                </Button>
              </div>
            </article>
          )
        }}
      />
      {discarding && <DiscardDialog command={discarding} onClose={() => setDiscarding(null)} />}
      {correcting && <CorrectDialog command={correcting} onClose={() => setCorrecting(null)} />}
    </>
  )
}
