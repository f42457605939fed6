import { OctagonAlert, X } from 'lucide-react'
import type { CountSheet } from '#contract/count-sheets.ts'
import { useSession } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { outcomeLooks } from '#src/features/count-sheets/outcome-look.ts'
import { useSheet } from '#src/features/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/count-sheets/sheet-model.ts'

/** What could not be written down: across the whole screen, and with the codes, so that nothing is lost by looking away. */
export function SaveProblems({ model }: { model: SheetModel }) {
  const notSaved = useSheet(model, (state) => state.notSaved)
  if (notSaved.length === 0) return null
  return (
    <div role="alert" className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-bad-solid px-4 py-3 text-bad-solid-ink">
      <OctagonAlert size={36} aria-hidden className="shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="text-2xl font-bold">NOT SAVED</p>
        <p>{notSaved.at(-1)?.problem.message}</p>
        <ul className="mt-1 flex flex-wrap gap-2">
          {notSaved.map((scan) => (
            <li key={scan.key} className="flex items-center rounded-md bg-surface pl-3 text-ink">
              <span className="figures font-semibold">{scan.code}</span>
              <IconButton label={`Forget ${scan.code}`} icon={<X size={18} aria-hidden />} onClick={() => model.forgetNotSaved(scan.key)} />
            </li>
          ))}
        </ul>
      </div>
      <Button size="lg" onClick={() => void model.retryNotSaved()}>
        Try again
      </Button>
    </div>
  )
}

/** The tablet's own storage does not answer. What is scanned now is saved, or says loudly that it is not. */
export function BehindNotice({ model }: { model: SheetModel }) {
  const behind = useSheet(model, (state) => state.behind)
  if (behind === null) return null
  return (
    <Notice tone="warn" title="These lists may be behind" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
      The storage of this tablet did not answer, so what others count may not show. It is asked again by itself; if this stays, reload. A
      scan that cannot be saved says NOT SAVED. ({behind})
    </Notice>
  )
}

/** The person works in another store by now: scans go on counting for this one, but nothing of it arrives here. */
export function OtherStoreNotice({ sheet }: { sheet: CountSheet }) {
  const home = useSession((session) => session.home)
  if (!home || home.store_id === sheet.store_id) return null
  const store = home.locations.find(({ store_id }) => store_id === sheet.store_id)?.store_name ?? 'another store'
  return (
    <Notice tone="warn" title={`This count belongs to ${store}`}>
      You work in {home.store_name} now. What you scan here is saved and sent as a count of {store}; what others count there shows when you
      set the store back.
    </Notice>
  )
}

/** What the server read differently from what was told here. */
export function LateFindings({ model, onShow }: { model: SheetModel; onShow: () => void }) {
  const late = useSheet(model, (state) => state.late)
  const serious = late.filter((finding) => finding.now !== 'counted')
  if (serious.length === 0) return null
  const words = serious.slice(0, 3).map((finding) => {
    const event = model.ledger.events.get(finding.id)
    return `${event?.raw_code ?? 'A scan'}: ${outcomeLooks[finding.now].word}${event?.finding_detail ? `, ${event.finding_detail}` : ''}`
  })
  return (
    <Notice
      tone="bad"
      title={`The server knows better: ${serious.length === 1 ? '1 frame is' : `${serious.length} frames are`} not counted after all`}
      actions={
        <>
          <Button
            onClick={() => {
              model.acknowledgeLate()
              onShow()
            }}
          >
            Show
          </Button>
          <Button variant="quiet" onClick={() => model.acknowledgeLate()}>
            Understood
          </Button>
        </>
      }
    >
      {words.join('. ')}
      {serious.length > 3 && ` and ${serious.length - 3} more`}
    </Notice>
  )
}
