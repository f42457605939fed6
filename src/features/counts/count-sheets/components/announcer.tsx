import { useMemo } from 'react'
import { isUrgent } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { spokenOf } from '#src/features/counts/count-sheets/model/spoken.ts'

/** Tells a screen reader what a sighted person sees: politely what went well, at once what needs a hand. */
export function Announcer({ model }: { model: SheetModel }) {
  const told = useSheet(model, (state) => state.last?.told ?? 0)
  const late = useSheet(model, (state) => state.late.at(-1))
  // The words of the moment: what becomes of the scan later is told by itself.
  const said = useMemo(() => {
    const { last } = model.state.getState()
    if (!last) return { polite: '', urgent: '' }
    // A different text each time, or the same words would not be read twice.
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
