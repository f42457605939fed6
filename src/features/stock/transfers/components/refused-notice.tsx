import type { WaitingTransfer } from '#src/domain/transfers/record-transfer.ts'
import { Notice } from '#src/ui/notice.tsx'

/** Lists the offline work that the server refused, and says what to do about it. */
export function RefusedNotice({ refused }: { refused: readonly WaitingTransfer[] }) {
  if (refused.length === 0) return null
  const isSend = refused.some(({ kind }) => kind === 'transfer.send')
  const reasons = [...new Set(refused.map(({ refusal }) => refusal?.message))].join('. ')
  return (
    <Notice tone="bad" title={isSend ? 'Not sent' : 'Refused by the server'}>
      {reasons}.{' '}
      {isSend
        ? 'Remove the frames listed from the transfer and the box, then press Send again.'
        : 'It’s not on the transfer. Take it out of the box. Retry or discard the entry in Sync.'}
    </Notice>
  )
}
