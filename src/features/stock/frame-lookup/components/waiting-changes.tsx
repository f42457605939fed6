import { controlActions } from '#contract/stock/control-rules.ts'
import type { WaitingChange } from '#src/domain/frames/record-frame-state.ts'
import type { WaitingLabel } from '#src/domain/labels/record-label-requests.ts'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'

/** The actions chosen for this frame on this device that are unsent or refused. */
export function WaitingChanges({ changes, timeZone }: { changes: readonly WaitingChange[]; timeZone: string | undefined }) {
  return changes.map(({ id, body: { action }, by, at, refusal }) => (
    <Notice
      key={id}
      tone={refusal ? 'bad' : 'warn'}
      title={refusal ? `Not done: ${controlActions[action].label}` : `Waiting to send: ${controlActions[action].label}`}
    >
      {refusal ? (
        `${refusal.message}. Retry or discard it in Sync.`
      ) : (
        <>
          Saved on this device by <bdi>{by}</bdi>, {formatDateTime(at, timeZone)}. The frame will be {controlActions[action].to} once it’s
          sent.
        </>
      )}
    </Notice>
  ))
}

/** The requests for labels on this device that are unsent or refused. */
export function WaitingLabels({ labels, timeZone }: { labels: readonly WaitingLabel[]; timeZone: string | undefined }) {
  return labels.map(({ id, by, at, refusal }) => (
    <Notice key={id} tone={refusal ? 'bad' : 'warn'} title={refusal ? 'Label not requested' : 'Waiting to send: label request'}>
      {refusal ? (
        `${refusal.message}. Retry or discard it in Sync.`
      ) : (
        <>
          Requested on this device by <bdi>{by}</bdi>, {formatDateTime(at, timeZone)}. It will be added to the label list once it’s sent.
        </>
      )}
    </Notice>
  ))
}
