import { sizeOf } from '#contract/stock/frame.ts'
import { formatAge } from '#src/ui/format.ts'
import { outcomeLooks } from './outcome-look.ts'
import type { SheetModel } from './sheet-model.ts'
import type { LastScan } from './sheet-state.ts'

/**
 * Returns the line below the outcome: who counted it before and when, where it belongs, or why it was not recorded.
 * `name` ends the line.
 */
export function detailOf(model: SheetModel, last: LastScan): { text: string; name: string } | null {
  if (last.reason !== null) return { text: last.reason, name: '' }
  const event = last.id === null ? undefined : model.ledger.events.get(last.id)
  if (!event) return null
  if (last.outcome === 'duplicate' && event.id_inventory !== null) {
    const first = model.ledger.scanOf(event.id_inventory)
    if (!first) return null
    const between = Date.parse(event.captured_at) - Date.parse(first.captured_at)
    const ago = between < 1000 ? 'just now' : `${formatAge(between)} ago`
    const isOwn = first.author_id === event.author_id
    return isOwn ? { text: `You scanned it ${ago}`, name: '' } : { text: `Scanned ${ago} by `, name: first.author_name }
  }
  if (last.outcome === 'set-aside' && event.finding_detail !== null) return { text: event.finding_detail, name: '' }
  return null
}

/** Returns the whole outcome as text for a screen reader. */
export function spokenOf(model: SheetModel, last: LastScan): string {
  const event = last.id === null ? undefined : model.ledger.events.get(last.id)
  const piece = model.pieceOf(event?.id_inventory ?? null)
  const named = piece ? [piece.brand_name, piece.title_product, sizeOf(piece)].filter(Boolean).join(' ') : last.code
  const detail = detailOf(model, last)
  return [outcomeLooks[last.outcome].word, named, detail && detail.text + detail.name].filter(Boolean).join('. ')
}
