import { CheckCircle2, Search } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import type { CountItem } from '#contract/counts/count-sheets.ts'
import { useMoved, useRows, useSheet, useTimeZone } from '#src/features/counts/count-sheets/queries.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { toFindOrders, ToFindRows, type ToFindOrder } from '#src/features/counts/count-sheets/model/to-find-rows.ts'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate, formatMoney } from '#src/ui/format.ts'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { VirtualList } from '#src/ui/lists/virtual-list.tsx'
import { PieceLine } from './piece-line.tsx'
import { laterPart } from './later-part.tsx'

/** Scanners come first: printing loads a moment after the list. */
const ToFindPrint = laterPart(async () => (await import('./to-find-print.tsx')).ToFindPrint)

/** Lists the frames to find in shelf order, with search and where and when each was last seen. */
export function ToFindList({ model }: { model: SheetModel }) {
  useSheet(model, (state) => state.version)
  const sheet = useSheet(model, (state) => state.sheet)
  const [order, setOrder] = useState<ToFindOrder>('shelf')
  const [filter, setFilter] = useState('')
  const timeZone = useTimeZone()
  const moved = useMoved(model)
  const { ledger } = model
  const list = useMemo(() => new ToFindRows(ledger, order, filter, moved), [ledger, order, filter, moved])
  const rows = useRows(list)
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2 pt-2">
      <div className="flex gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Filter frames to find"
            hideLabel
            placeholder="Filter"
            icon={<Search size={18} aria-hidden />}
            value={filter}
            onChange={setFilter}
          />
        </div>
        <div className="@max-[30rem]/count:hidden">
          <SelectField
            label="Order"
            hideLabel
            value={order}
            onChange={setOrder}
            options={Object.entries(toFindOrders).map(([value, label]) => ({ value: asOrder(value), label }))}
          />
        </div>
        <Suspense fallback={<div className="size-target shrink-0" />}>
          <ToFindPrint title={`${sheet?.number ? `Count #${sheet.number}` : 'New count'}: to find`} list={list} filter={filter} />
        </Suspense>
      </div>
      <VirtualList
        label="Frames to find"
        rows={rows}
        rowKey={keyOf}
        rowHeight={64}
        empty={
          filter.trim() === '' ? (
            <EmptyState icon={<CheckCircle2 aria-hidden />} title="Nothing left to find">
              Every expected frame has been counted. Review the exceptions, then close the count.
            </EmptyState>
          ) : (
            <EmptyState icon={<Search aria-hidden />} title="No match">
              No frames match “{filter}”.
            </EmptyState>
          )
        }
        renderRow={(item, index) => {
          const head = list.headAt(index)
          const explanation = list.explanationOf(item)
          const brand = ledger.brand(item.brand_name)
          const beginsBrand = order === 'shelf' && explanation === null && rows.at(index - 1)?.brand_name !== item.brand_name
          return (
            <>
              {head !== null && (
                <p className="flex justify-between gap-3 engraved border-b border-line bg-sunken px-3 py-1.5 md:px-4">
                  <span>{head}</span>
                  {beginsBrand && brand && (
                    <span className="figures whitespace-nowrap">
                      {brand.counted} of {brand.expected}
                    </span>
                  )}
                </p>
              )}
              <PieceLine piece={item} code={item.sku}>
                <div className="text-right text-sm text-ink-2">
                  <p className="font-medium text-ink">{explanation ?? item.board_location ?? '–'}</p>
                  <p className="whitespace-nowrap">
                    {order === 'value' && item.pb_selling_price !== null ? formatMoney(item.pb_selling_price) : seenWords(item, timeZone)}
                  </p>
                </div>
              </PieceLine>
            </>
          )
        }}
      />
    </div>
  )
}

function keyOf(item: CountItem): number {
  return item.id_inventory
}

function seenWords(item: CountItem, timeZone: string | undefined): string {
  return item.last_seen_at ? `Seen ${formatDate(item.last_seen_at, timeZone)}` : 'Never seen'
}

function asOrder(value: string): ToFindOrder {
  return value === 'place' || value === 'value' ? value : 'shelf'
}
