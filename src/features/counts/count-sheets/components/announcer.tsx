import { useMemo } from 'react'
import { isUrgent } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { spokenOf } from '#src/features/counts/count-sheets/model/spoken.ts'

/** Announces the last scan to a screen reader: politely after a success, at once when a user must act. */
export function Announcer({ model }: { model: SheetModel }) {
  const told = useSheet(model, (state) => state.last?.told ?? 0)
  const late = useSheet(model, (state) => state.late.at(-1))
  // Uses the outcome at the time of the scan. A later change has its own announcement.
  const said = useMemo(() => {
    const { last } = model.state.getState()
    if (!last) return { polite: '', urgent: '' }
    // Alternates the text, because a screen reader does not repeat the same words.
    const text = `${spokenOf(model, last)}${told % 2 === 0 ? '' : '\u00a0'}`
    return isUrgent(last.outcome) ? { polite: '', urgent: text } : { polite: text, urgent: '' }
  }, [model, told])
  const event = late && model.ledger.events.get(late.id)
  return (
    <>
      <div className="sr-only" aria-live="polite" aria-atomic="true" data-testid="polite">
        {said.polite}
      </div>
      <div className="sr-only" aria-live="assertive" aria-atomic="true" data-testid="assertive">
        {said.urgent}
      </div>
      <div className="sr-only" aria-live="assertive" aria-atomic="true">
        {event && late.now !== 'counted' && `Server update: ${event.raw_code} isn’t counted. ${event.finding_detail ?? ''}`}
      </div>
    </>
  )
}
