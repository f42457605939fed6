import { useStore } from 'zustand'
import type { CountSheet } from '#contract/counts/count-sheets.ts'
import { outcomeLooks } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useSheet } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { LoadingBar } from './loading-bar.tsx'

/** Occasional notices about this count. `SaveProblems` shows an unsaved scan at once. */
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

/** Shown when the tablet's storage does not answer. A scan then is saved, or says loudly that it is not. */
function BehindNotice({ model }: { model: SheetModel }) {
  const behind = useSheet(model, (state) => state.behind)
  if (behind === null) return null
  return (
    <Notice tone="warn" title="These lists may be out of date" actions={<Button onClick={() => location.reload()}>Reload</Button>}>
      This tablet’s storage didn’t respond, so others’ counts may not show. It keeps retrying; if this message stays, reload. A scan that
      can’t be saved says NOT SAVED. ({behind})
    </Notice>
  )
}

/** Shown when the user changed stores. Scans still count for the sheet's store, but its news does not arrive here. */
function OtherStoreNotice({ sheet }: { sheet: CountSheet }) {
  const home = useSession((session) => session.home)
  if (!home || home.store_id === sheet.store_id) return null
  const store = home.locations.find(({ store_id }) => store_id === sheet.store_id)?.store_name ?? 'another store'
  return (
    <Notice tone="warn" title={`This count belongs to ${store}`}>
      You work in {home.store_name} now. Your scans here are saved and sent as part of the count for {store}. To see others’ counts, switch
      back to that store.
    </Notice>
  )
}

/** Lists scans that the server judged differently from this tablet. */
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
      title={`Server update: ${serious.length === 1 ? '1 frame isn’t' : `${serious.length} frames aren’t`} counted`}
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
            OK
          </Button>
        </>
      }
    >
      {words.join('. ')}
      {serious.length > 3 && ` and ${serious.length - 3} more`}
    </Notice>
  )
}

/** Shown on a new or joined sheet until all expected frames are here. Until then, its numbers can change. */
function ItemsArriving({ model, sheet }: { model: SheetModel; sheet: CountSheet }) {
  const here = useStore(model.state, () => model.ledger.items.size)
  if (sheet.number === null || sheet.phase === 'closed' || here >= sheet.expected_count) return null
  return (
    <LoadingBar
      label="Loading this count’s frames onto this tablet"
      done={here}
      total={sheet.expected_count}
      leave="You can start counting. Your scans are saved."
    />
  )
}
