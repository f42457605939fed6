import { sizeOf, type Frame, type FrameRecord } from '#contract/stock/frames.ts'
import { useModelPhoto } from '#src/domain/frames/use-model-photo.ts'
import { formatDateTime, formatMoney } from '#src/ui/format.ts'
import { StatusBadge } from '#src/ui/status-badge.tsx'

/** Identifies the frame above each of the three views, so that nobody edits the wrong one. */
export function FrameHead({ frame, withTag = false }: { frame: Frame; withTag?: boolean }) {
  return (
    <header className="flex items-start justify-between gap-3">
      <div className="min-w-0 break-words">
        <p className="text-sm text-ink-2">{frame.brand_name}</p>
        <p className="text-xl font-semibold">{frame.title_product}</p>
        <p>{frame.title_variant}</p>
        {withTag && (
          <p className="figures text-sm text-ink-2">
            {frame.serial} · {frame.sku}
          </p>
        )}
      </div>
      <StatusBadge status={frame.status} />
    </header>
  )
}

/** The photo of the frame's model. Shows nothing when it does not load. */
function FramePhoto({ frame, idPhoto }: { frame: Frame; idPhoto: string }) {
  const { address, failure } = useModelPhoto(idPhoto, 'small')
  if (failure) return null
  return (
    <div className="h-40">
      {address !== null && (
        <img
          src={address}
          alt={`${frame.brand_name} ${frame.title_product}, ${frame.title_variant}`}
          className="h-full rounded-md object-contain"
        />
      )}
    </div>
  )
}

/** The info view: the mirror's data, and the server's when it can be reached. */
export function FrameInfo({
  frame,
  record,
  storeName,
  timeZone,
}: {
  frame: Frame
  record: FrameRecord | null
  storeName: string
  timeZone: string | undefined
}) {
  const facts: [string, string | null][] = [
    ['Serial / F#', frame.serial],
    ['Store tag', frame.sku],
    ['UPC', frame.upc],
    ['Store', record?.store ?? storeName],
    ['Place', frame.board_location],
    ['Size', sizeOf(frame)],
    ['Price', moneyOf(frame.pb_selling_price) ?? 'No price yet'],
    ['List cost', moneyOf(record?.item_list_cost)],
    ['Discount', typeof record?.item_discount === 'number' ? `${record.item_discount}%` : null],
    ['Net cost', moneyOf(record?.item_net)],
    ['Last seen', frame.last_seen_at === null ? null : formatDateTime(frame.last_seen_at, timeZone)],
    ['Note', record?.note ?? null],
  ]
  return (
    <section aria-label="Frame" className="flex flex-col gap-4">
      <FrameHead frame={frame} />
      {record?.id_photo && <FramePhoto frame={frame} idPhoto={record.id_photo} />}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:gap-x-8">
        {facts.map(([label, value]) =>
          value === null ? null : (
            <div key={label}>
              <dt className="text-sm text-ink-2">{label}</dt>
              <dd className="figures break-words">{value}</dd>
            </div>
          ),
        )}
      </dl>
      {record && record.notes.length > 0 && (
        <section aria-label="Notes">
          <h3 className="mb-1 text-sm font-medium text-ink-2">Notes</h3>
          <ul className="flex flex-col gap-2">
            {record.notes.map((note) => (
              <li key={`${note.at} ${note.text}`} className="rounded-md bg-sunken px-3 py-2">
                <p className="break-words">{note.text}</p>
                <p className="text-xs text-ink-2">
                  <bdi>{note.by}</bdi>, {formatDateTime(note.at, timeZone)}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
    </section>
  )
}

function moneyOf(cents: number | null | undefined): string | null {
  return typeof cents === 'number' ? formatMoney(cents) : null
}
