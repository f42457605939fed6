import { Check, CheckCheck, TriangleAlert } from 'lucide-react'
import type { Delivery } from '#src/features/counts/count-sheets/model/sheet-state.ts'

const marks = {
  saved: { icon: Check, word: 'Saved', tone: 'text-ink-3' },
  sent: { icon: CheckCheck, word: 'Sent', tone: 'text-good' },
  attention: { icon: TriangleAlert, word: 'Needs attention', tone: 'text-bad' },
}

/** Shows whether an entry is on this tablet, at the server, or refused. */
export function DeliveryMark({ delivery }: { delivery: Delivery }) {
  const { icon: Icon, word, tone } = marks[delivery]
  return (
    <span className={`inline-flex items-center gap-1 text-xs whitespace-nowrap ${tone}`}>
      <Icon size={14} aria-hidden />
      {word}
    </span>
  )
}
