import type { VendorReturnReason, VendorReturnStatus } from '#contract/returns/vendor-return-rules.ts'
import { creditDifference } from '#contract/returns/vendor-return-rules.ts'
import type { VendorReturnCard } from '#contract/returns/vendor-returns.ts'
import { formatMoney } from '#src/ui/format.ts'
import type { Tone } from '#src/ui/tone.ts'

export const statusWords: Record<VendorReturnStatus, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  ra_requested: { label: 'RMA requested', tone: 'info' },
  ra_approved: { label: 'RMA approved', tone: 'info' },
  shipped: { label: 'Shipped', tone: 'warn' },
  credited: { label: 'Credited', tone: 'good' },
  closed: { label: 'Closed', tone: 'good' },
  ra_denied: { label: 'RMA denied', tone: 'bad' },
}

export const reasonWords: Record<VendorReturnReason, string> = {
  defective: 'Defective',
  discontinued: 'Discontinued',
  'stock balance': 'Stock balance',
  'wrong item': 'Wrong item',
}

/** Returns by how much the credit is short or over. Null when it matches, or when there is no credit to compare. */
export function creditWords({ credit }: Pick<VendorReturnCard, 'credit'>): { label: string; tone: Tone } | null {
  const difference = credit && creditDifference(credit.expected_cents, credit.received_cents)
  if (!difference) return null
  return difference < 0
    ? { label: `Short by ${formatMoney(-difference)}`, tone: 'bad' }
    : { label: `Over by ${formatMoney(difference)}`, tone: 'warn' }
}
