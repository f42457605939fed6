import { Download, FileSpreadsheet, Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { CountLine, CountSheet } from '#contract/counts/count-sheets.ts'
import { countSumOf, isExceptionLine } from '#contract/counts/count-sum.ts'
import { failureText } from '#src/features/counts/count-sheets/actions.ts'
import { closedSheetPaper, outcomeNames } from '#src/features/counts/count-sheets/model/closed-sheet-paper.ts'
import { linesFromLedger } from '#src/features/counts/count-sheets/model/lines-from-ledger.ts'
import { inLineOrder, lineOrderKeys, lineOrders, type LineOrder } from '#src/features/counts/count-sheets/model/line-order.ts'
import { useLines } from '#src/features/counts/count-sheets/model/closed-lines.ts'
import { useSheet, useTimeZone } from '#src/features/counts/count-sheets/queries.ts'
import { sheetCsv, type CsvChoice } from '#src/features/counts/count-sheets/model/sheet-csv.ts'
import type { SheetModel } from '#src/features/counts/count-sheets/model/sheet-model.ts'
import { Paper } from '#src/domain/print/paper.tsx'
import { usePrinting } from '#src/domain/print/use-printing.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDateTime, formatMoney, formatTime } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/menu.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { PageSpinner } from '#src/ui/spinner.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import type { Tone } from '#src/ui/tone.ts'
import { VirtualTable } from '#src/ui/lists/virtual-table.tsx'
import { CloseFigures } from './close-figures.tsx'

type TabKey = CountLine['outcome']
const tones: Record<TabKey, Tone> = { missing: 'bad', 'set-aside': 'aside', unknown: 'bad', explained: 'neutral', counted: 'good' }

/** Unknown codes are exceptions, as on an open count, and also have their own list. */
function isInTab(line: CountLine, tab: TabKey): boolean {
  return line.outcome === tab || (tab === 'set-aside' && isExceptionLine(line))
}

/** Shows a closed count from the server's lines, or from this tablet's ledger without the server. */
export function ClosedSheet({ model, sheet }: { model: SheetModel; sheet: CountSheet }) {
  const answer = useLines(sheet.id_count_sheet, true)
  const timeZone = useTimeZone()
  const [tab, setTab] = useState<TabKey>('missing')
  const [first, setFirst] = useState<LineOrder>('brand')
  const [then, setThen] = useState<LineOrder>('model')
  const home = useSession((session) => session.home)
  const withCost = home?.permissions.includes('frame.see-cost') ?? false
  const storeName = home?.locations.find((store) => store.store_id === sheet.store_id)?.store_name ?? null
  const own = answer.status === 'failed' ? linesFromLedger(model, storeName) : null
  const unordered = answer.status === 'ready' ? answer.lines : own
  const { printing, print } = usePrinting()
  const lines = useMemo(() => unordered && inLineOrder(unordered, first, then), [unordered, first, then])
  const rows = useMemo(() => lines?.filter((line) => isInTab(line, tab)) ?? [], [lines, tab])
  const sum = useMemo(() => lines && countSumOf(lines), [lines])
  if (!lines || !sum) return <PageSpinner label="Loading the closed count…" />
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      {answer.status === 'failed' && (
        <Notice tone="warn" title="From this tablet" actions={<Button onClick={answer.reload}>Try the server again</Button>}>
          {answer.failure.kind === 'unreachable' ? 'You’re offline. ' : `${failureText(answer.failure)} `}
          These lines are from this tablet. What closing did to each frame is available online.
        </Notice>
      )}
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="text-ink-2">
          Closed {sheet.closed_at && formatDateTime(sheet.closed_at, timeZone)} by <bdi>{sheet.closed_by_name ?? 'someone'}</bdi>
          {sheet.result?.override_devices?.length ? `, without waiting for ${sheet.result.override_devices.join(', ')}` : ''}
        </p>
        <div className="flex flex-wrap items-end gap-2 @max-[30rem]/count:w-full">
          <OrderField label="Sort by" value={first} onChange={setFirst} />
          <OrderField label="then by" value={then} onChange={setThen} />
          <IconButton label="Print this list" icon={<Printer size={20} aria-hidden />} onClick={print} />
          <Menu button={<Button icon={<Download size={18} aria-hidden />}>CSV</Button>}>
            <MenuItem icon={<FileSpreadsheet aria-hidden />} onSelect={() => save(sheet, lines, 'all', withCost)}>
              All lines
            </MenuItem>
            <MenuItem icon={<FileSpreadsheet aria-hidden />} onSelect={() => save(sheet, lines, 'differences', withCost)}>
              Differences only
            </MenuItem>
            <MenuItem icon={<FileSpreadsheet aria-hidden />} onSelect={() => save(sheet, lines, 'missing', withCost)}>
              Missing only
            </MenuItem>
          </Menu>
        </div>
      </div>
      <RefusedScan model={model} />
      <CloseFigures sheet={sheet} sum={sum} withCost={withCost} isClosed />
      <Tabs
        fill
        label="Lines in this count"
        selected={tab}
        onSelect={setTab}
        tabs={(['missing', 'set-aside', 'unknown', 'explained', 'counted'] as const).map((key) => ({
          key,
          label: outcomeNames[key],
          count: lines.filter((line) => isInTab(line, key)).length,
        }))}
      >
        <div className="flex min-h-80 flex-1 flex-col pt-2">
          <VirtualTable
            label={outcomeNames[tab]}
            rows={rows}
            rowKey={keyOf}
            empty={<EmptyState title={tab === 'missing' ? 'Nothing missing' : 'None'}>This list is empty.</EmptyState>}
            columns={[
              {
                key: 'frame',
                header: 'Frame',
                width: 'minmax(7rem, 2fr)',
                cell: (line) => (
                  <>
                    <p className="font-medium">{line.brand_name ? `${line.brand_name} ${line.title_product ?? ''}` : line.raw_code}</p>
                    <p className="flex flex-wrap gap-x-2 text-sm text-ink-2">
                      <span>{line.title_variant}</span>
                      <span className="figures whitespace-nowrap">{line.size}</span>
                    </p>
                  </>
                ),
              },
              {
                key: 'tag',
                header: 'Tag',
                width: 'minmax(6rem, 1fr)',
                // Only a code that nobody knows may be of any length.
                cell: (line) => (
                  <span className={`figures ${line.sku ? 'whitespace-nowrap' : 'break-all'}`}>{line.sku ?? line.raw_code}</span>
                ),
              },
              {
                key: 'what',
                header: 'What happened',
                width: 'minmax(8rem, 1.4fr)',
                from: 'md',
                cell: (line) => (
                  <>
                    <Badge tone={tones[line.outcome]}>
                      {line.effect === 'found' ? 'Found' : line.effect === 'received' ? 'Received' : outcomeNames[line.outcome]}
                    </Badge>
                    {(line.detail || line.reason) && (
                      <p className="truncate text-sm text-ink-2">{[line.detail, line.reason].filter(Boolean).join(' · ')}</p>
                    )}
                  </>
                ),
              },
              {
                key: 'by',
                header: 'Counted',
                width: 'minmax(6rem, 1fr)',
                from: 'lg',
                cell: (line) =>
                  line.counted_by ? (
                    <>
                      <bdi>{line.counted_by.split(' ')[0]}</bdi> {line.counted_at ? formatTime(line.counted_at, timeZone) : ''}
                    </>
                  ) : (
                    '–'
                  ),
              },
              {
                key: 'price',
                header: 'Price',
                width: '4.75rem',
                numeric: true,
                cell: (line) => (line.price === null ? '–' : formatMoney(line.price)),
              },
            ]}
          />
        </div>
      </Tabs>
      {printing && <Paper document={closedSheetPaper(sheet, tab, rows, timeZone)} />}
    </div>
  )
}

function keyOf(line: CountLine): string {
  return `${line.item_id ?? ''}/${line.id_scan ?? ''}`
}

/** A user who scans after the end must see the refusal, not only hear it. */
function RefusedScan({ model }: { model: SheetModel }) {
  const last = useSheet(model, (state) => state.last)
  if (!last || last.reason === null) return null
  return (
    <Notice tone="bad" title={`Not recorded: ${last.code}`}>
      {last.reason}. This count is closed. Set the frame aside and tell a manager.
    </Notice>
  )
}

function OrderField({ label, value, onChange }: { label: string; value: LineOrder; onChange: (order: LineOrder) => void }) {
  return (
    <div className="w-44 @max-[30rem]/count:w-[calc(50%-0.25rem)]">
      <SelectField
        label={label}
        value={value}
        onChange={onChange}
        options={lineOrderKeys.map((order) => ({ value: order, label: lineOrders[order] }))}
      />
    </div>
  )
}

function save(sheet: CountSheet, lines: readonly CountLine[], choice: CsvChoice, withCost: boolean): void {
  const address = URL.createObjectURL(new Blob([sheetCsv(lines, choice, withCost)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `count-${sheet.number ?? 'new'}-${choice}.csv`
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
