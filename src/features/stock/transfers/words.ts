import type { TransferLineState, TransferReason, TransferStatus } from '#contract/stock/transfers.ts'
import type { Tone } from '#src/ui/tone.ts'

export const statusWords: Record<TransferStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  sent: { label: 'In transit (ICT)', tone: 'info' },
  'partly received': { label: 'Partly received', tone: 'warn' },
  received: { label: 'Received', tone: 'good' },
  discrepancy: { label: 'Closed short', tone: 'bad' },
  cancelled: { label: 'Canceled', tone: 'neutral' },
}

export const lineWords: Record<TransferLineState, { label: string; tone: Tone }> = {
  listed: { label: 'To send', tone: 'neutral' },
  'in transit': { label: 'In transit', tone: 'info' },
  received: { label: 'Received', tone: 'good' },
  damaged: { label: 'Received damaged', tone: 'warn' },
  lost: { label: 'Marked missing', tone: 'bad' },
  returned: { label: 'Canceled', tone: 'neutral' },
}

export const reasonWords: Record<TransferReason, string> = {
  'customer order': 'Customer order',
  rebalancing: 'Rebalancing',
  defective: 'Defective frames',
  'count correction': 'Count correction',
}
