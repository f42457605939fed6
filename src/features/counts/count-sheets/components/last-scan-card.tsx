import { ScanBarcode } from 'lucide-react'
import type { CSSProperties } from 'react'
import { sizeOf } from '#contract/stock/frame.ts'
import type { LedgerScan } from '#contract/counts/scan-lists.ts'
import { Button } from '#src/ui/button.tsx'
import { solidTones } from '#src/ui/tone.ts'
import { outcomeLooks } from '#src/features/counts/count-sheets/model/outcome-look.ts'
import { useSheet, useStoreFrames } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { detailOf } from '#src/features/counts/count-sheets/model/spoken.ts'
import { DeliveryMark } from './delivery-mark.tsx'

/** A fixed height for every outcome, so that nothing below moves with a scan. */
const cardHeight =
  'h-53 @min-[42rem]/count:h-full @min-[42rem]/count:min-h-[18.5rem] landscape:@min-[42rem]/count:h-[clamp(15.5rem,33dvh,18.5rem)] landscape:@min-[42rem]/count:min-h-0 shrink-0'

/**
 * Fits the outcome on one line, as large as possible. It divides the card's width without the icon by the number of
 * letters. The width of a letter is a little more than half its height.
 */
const wordSize = 'text-[clamp(1.5rem,calc((100cqi-6rem)/var(--letters)/0.62),3.5rem)]'

/** Shows the last scan and what to do with it, large enough to read from five feet away. */
export function LastScanCard({ model }: { model: SheetModel }) {
  const last = useSheet(model, (state) => state.last)
  useSheet(model, (state) => state.version)
  if (!last) {
    return (
      <section
        aria-label="Last scan"
        className={`flex flex-col items-center justify-center gap-2 rounded-lg border-2 border-dashed border-line-strong bg-surface p-4 text-center ${cardHeight}`}
      >
        <ScanBarcode size={44} strokeWidth={1.5} aria-hidden className="text-ink-3" />
        <p className="text-2xl font-semibold">Scan a frame</p>
        <p className="text-base text-ink-2">Scan anywhere on this screen. No need to tap a field.</p>
      </section>
    )
  }
  const look = outcomeLooks[last.outcome]
  const Icon = look.icon
  const event = last.id === null ? undefined : model.ledger.events.get(last.id)
  const piece = model.pieceOf(event?.id_inventory ?? null)
  const detail = detailOf(model, last)
  const letters: CSSProperties & Record<`--${string}`, number> = { '--letters': look.word.length }
  return (
    <section
      aria-label="Last scan"
      className={`@container flex flex-col overflow-hidden rounded-lg border border-line bg-surface ${cardHeight}`}
    >
      <div
        key={last.told}
        data-outcome={last.outcome}
        className={`flex min-h-18 shrink-0 items-center gap-3 px-4 py-2 @min-[42rem]/count:min-h-24 ${solidTones[look.tone]} animate-arrive`}
      >
        <Icon strokeWidth={2.5} aria-hidden className="size-10 shrink-0" />
        <div className="min-w-0">
          <p style={letters} className={`leading-none font-bold whitespace-nowrap ${wordSize}`}>
            {look.word}
          </p>
          {detail && (
            <p className="mt-1 text-base leading-tight font-semibold @min-[42rem]/count:text-lg">
              {detail.text}
              {detail.name && <bdi>{detail.name}</bdi>}
            </p>
          )}
        </div>
      </div>
      <div
        className={`flex min-h-0 flex-1 flex-col gap-0.5 overflow-y-auto px-4 py-2 ${last.outcome === 'undone' ? 'line-through decoration-2' : ''}`}
      >
        {piece ? (
          <>
            <p className="text-xl leading-tight font-semibold @min-[42rem]/count:text-2xl">{piece.brand_name}</p>
            <p className="text-lg leading-tight text-pretty @min-[42rem]/count:text-xl">
              {piece.title_product} <span className="text-ink-2">{piece.title_variant}</span>
            </p>
            <p className="figures flex flex-wrap items-baseline gap-x-4 text-lg leading-tight text-ink-2 @min-[42rem]/count:text-xl">
              {sizeOf(piece) && <span className="whitespace-nowrap">{sizeOf(piece)}</span>}
              <span className="whitespace-nowrap">{piece.sku}</span>
              {event && <DeliveryMark delivery={model.deliveryOf(event.id)} />}
            </p>
          </>
        ) : (
          <p className={`figures font-semibold break-all ${last.outcome === 'model-only' ? '' : 'text-2xl'}`}>{last.code || '–'}</p>
        )}
        {look.advice && <p className="text-sm leading-snug text-ink-2 @min-[42rem]/count:text-base">{look.advice}</p>}
        {event && last.outcome === 'unknown' && <Neighbours model={model} event={event} />}
        {event && last.outcome === 'model-only' && <Candidates model={model} code={event.raw_code} />}
        {event && !piece && (
          <p className="mt-auto">
            <DeliveryMark delivery={model.deliveryOf(event.id)} />
          </p>
        )}
      </div>
    </section>
  )
}

/** Names the frames scanned before and after an unknown code, so that a user finds it on the board. */
export function Neighbours({ model, event }: { model: SheetModel; event: LedgerScan }) {
  const { before, after } = model.ledger.neighboursOf(event)
  const name = (scan: LedgerScan | null) => {
    const piece = model.pieceOf(scan?.id_inventory ?? null)
    return piece ? `${piece.brand_name} ${piece.title_product} (${piece.sku})` : null
  }
  const [left, right] = [name(before), name(after)]
  if (!left && !right) return null
  return (
    <p className="text-sm text-ink-2">
      {left && <>After {left}</>}
      {left && right && ', '}
      {right && <>before {right}</>}
    </p>
  )
}

/** The frames of a UPC. A user chooses one when its tag cannot be read. */
function Candidates({ model, code }: { model: SheetModel; code: string }) {
  // The frames may not be on this tablet yet.
  useStoreFrames(useSheet(model, (state) => state.sheet?.store_id ?? null))
  const candidates = model.candidatesFor(code)
  const seesExpected = model.seesExpected()
  const open = candidates.filter((frame) => model.ledger.scanOf(frame.id_inventory) === null)
  if (candidates.length === 0) return <p className="text-sm text-ink-2">This store has no frames of this model.</p>
  return (
    <div className="mt-1">
      {seesExpected && (
        <p className="font-semibold">
          {open.length === 0
            ? 'Every frame of this model is already counted'
            : `${open.length === 1 ? '1 frame' : `${open.length} frames`} of this model left to count`}
        </p>
      )}
      <div className="mt-1 flex gap-2 overflow-x-auto hints-more py-1 *:shrink-0">
        {open.map((frame) => (
          <Button key={frame.id_inventory} onClick={() => void model.scan(frame.sku, 'picked')}>
            <span className="figures">{frame.sku}</span> {frame.title_variant}
          </Button>
        ))}
      </div>
    </div>
  )
}
