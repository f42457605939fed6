import type { WaitingTransfer } from '#src/domain/transfers/record-transfer.ts'
import { Notice } from '#src/ui/notice.tsx'

/** What the server refused of what was done here without a connection, and what the person does about it. */
export function RefusedNotice({ refused }: { refused: readonly WaitingTransfer[] }) {
  if (refused.length === 0) return null
  const isSend = refused.some(({ kind }) => kind === 'transfer.send')
  const reasons = [...new Set(refused.map(({ refusal }) => refusal?.message))].join('. ')
  return (
    <Notice tone="bad" title={isSend ? 'Not sent' : 'Refused by the server'}>
      {reasons}.{' '}
      {isSend
        ? 'Take what is named off the transfer and out of the box, then press Send again.'
        : 'It is not on the transfer: take it out of the box. The Sync centre has the entry.'}
    </Notice>
  )
}
