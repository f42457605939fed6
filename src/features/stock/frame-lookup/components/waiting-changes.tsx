import { controlActions } from '#contract/stock/control-rules.ts'
import type { WaitingChange } from '#src/domain/frames/record-frame-state.ts'
import type { WaitingLabel } from '#src/domain/labels/record-label-requests.ts'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/** What was chosen for this frame on this device and has not reached the server, or was not taken by it. */
export function WaitingChanges({ changes, timeZone }: { changes: readonly WaitingChange[]; timeZone: string | undefined }) {
  return changes.map(({ id, body: { action }, by, at, refusal }) => (
    <Notice
      key={id}
      tone={refusal ? 'bad' : 'warn'}
      title={refusal ? `Not done: ${controlActions[action].label}` : `Waits to be sent: ${controlActions[action].label}`}
    >
      {refusal ? (
        `${refusal.message}. The Sync centre has it, to be tried again or discarded.`
      ) : (
        <>
          Saved on this device by <bdi>{by}</bdi>, {formatDateTime(at, timeZone)}. The frame becomes {controlActions[action].to} once the
          server has it.
        </>
      )}
    </Notice>
  ))
}

/** A label that was asked for on this device, of which the server does not know. */
export function WaitingLabels({ labels, timeZone }: { labels: readonly WaitingLabel[]; timeZone: string | undefined }) {
  return labels.map(({ id, by, at, refusal }) => (
    <Notice key={id} tone={refusal ? 'bad' : 'warn'} title={refusal ? 'Not asked for: a label' : 'Waits to be sent: a label'}>
      {refusal ? (
        `${refusal.message}. The Sync centre has it, to be tried again or discarded.`
      ) : (
        <>
          Asked for on this device by <bdi>{by}</bdi>, {formatDateTime(at, timeZone)}. It is put on the list of labels once the server has
          it.
        </>
      )}
    </Notice>
  ))
}
