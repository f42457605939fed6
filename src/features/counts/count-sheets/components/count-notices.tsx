import { useStore } from 'zustand'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { outcomeLooks } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { LoadingBar } from './loading-bar.tsx'

/** What is worth knowing about this count now and then; what is not saved is told elsewhere, and at once. */
export function CountNotices({ model, sheet, onShow }: { model: SheetModel; sheet: CountSheet; onShow: () => void }) {
  return (
    <>
      <BehindNotice model={model} />
      <OtherStoreNotice sheet={sheet} />
      <ItemsArriving model={model} sheet={sheet} />
      <LateFindings model={model} onShow={onShow} />
    </>
  )
}

/** The tablet's own storage does not answer. What is scanned now is saved, or says loudly that it is not. */
function BehindNotice({ model }: { model: SheetModel }) {
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
function OtherStoreNotice({ sheet }: { sheet: CountSheet }) {
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
function LateFindings({ model, onShow }: { model: SheetModel; onShow: () => void }) {
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

/** A sheet that was just made or joined: until all of what it expects is here, its numbers are not the last word. */
function ItemsArriving({ model, sheet }: { model: SheetModel; sheet: CountSheet }) {
  const here = useStore(model.state, () => model.ledger.items.size)
  if (sheet.number === null || sheet.phase === 'closed' || here >= sheet.expected_count) return null
  return (
    <LoadingBar
      label="Loading what this count expects onto this tablet"
      done={here}
      total={sheet.expected_count}
      leave="You may begin to count; what is scanned meanwhile is kept."
    />
  )
}
