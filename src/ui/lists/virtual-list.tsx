import {
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useReducer,
  useRef,
  useState,
  type Key,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { flushSync } from 'react-dom'
import type * as WindowingCode from './windowing.ts'

let fetched: typeof WindowingCode | null = null

/** Fetches the code that finds the rows in view. Later lists have it at once. */
export async function fetchWindowing(): Promise<typeof WindowingCode> {
  fetched ??= await import('./windowing.ts')
  return fetched
}

/** In px: no screen of the app shows more of a list. */
const firstScreen = 1400

export type VirtualListProps<Row> = {
  /** The content of the list, for a screen reader. */
  label: string
  /** Read by place, and only the rows in view. It must be another object after a change. An array will do. */
  rows: { readonly length: number; at(index: number): Row | undefined }
  /** Always the same function: with another one, every row is measured again. */
  rowKey: (row: Row) => Key
  /** The content of one row, in a frame that is focused, highlighted and pressed as one. */
  renderRow: (row: Row, index: number) => ReactNode
  /** Height of a row in px, before it is measured. */
  rowHeight?: number
  /** Stays in view above the rows. */
  head?: ReactNode
  /** The action of Enter or a press on a row. */
  onOpen?: (row: Row) => void
  /** Keys of rows that have just changed: they light up once, and do not move. */
  changed?: ReadonlySet<Key>
  selectedKey?: Key | null
  /** Shown instead of the rows when there are none. */
  empty?: ReactNode
  /** Fills the remaining height (default), at most the window's, or is as high as its rows up to a limit. */
  height?: 'fill' | 'content'
  /** `grid` when every row is made of cells (role `gridcell`) and the head is a row; see VirtualTable. */
  semantics?: 'list' | 'grid'
}

/**
 * A list of any length that renders only the rows in view. The first list fetches the code that finds those rows, and
 * shows its first rows until then. The head stays. Arrow keys, Page Up and Down, Home and End move between rows; Enter
 * opens.
 */
export function VirtualList<Row>({
  label,
  rows,
  rowKey,
  renderRow,
  rowHeight = 48,
  head,
  onOpen,
  changed,
  selectedKey = null,
  empty,
  height = 'fill',
  semantics = 'list',
}: VirtualListProps<Row>) {
  const grid = semantics === 'grid'
  const scroller = useRef<HTMLDivElement>(null)
  const pendingIndex = useRef<number | null>(null)
  const [focusKey, setFocusKey] = useState<Key | null>(null)
  const { windowing, isMissing } = useWindowing({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: useCallback(
      (index: number) => {
        const row = rows.at(index)
        return row === undefined ? index : rowKey(row)
      },
      [rows, rowKey],
    ),
    overscan: 8,
    // Before the first measurement, and without a layout, one screenful is rendered.
    initialRect: { width: 800, height: 800 },
  })

  const drawn = windowing?.getVirtualItems() ?? firstRows(rows, rowKey, rowHeight)
  // The row with the last focus while it is rendered, otherwise the first row in view. So the keyboard always reaches
  // the list.
  const tabStop = drawn.find((item) => item.key === focusKey)?.index ?? windowing?.range?.startIndex ?? 0

  function moveTo(index: number) {
    const target = Math.max(0, Math.min(rows.length - 1, index))
    const row = rows.at(target)
    if (row === undefined) return
    setFocusKey(rowKey(row))
    windowing?.scrollToIndex(target, { align: 'auto' })
    const focusRow = () => {
      const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${target}"]`)
      row?.focus({ preventScroll: true })
      return row
    }
    if (focusRow()) return
    // The row is rendered with the next frame. Keys before then count from its place.
    pendingIndex.current = target
    requestAnimationFrame(() => {
      if (pendingIndex.current !== target) return
      pendingIndex.current = null
      focusRow()
    })
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    // Keys for a control inside a row stay with it.
    if (!(event.target instanceof HTMLElement) || !event.target.hasAttribute('data-index')) return
    const at = pendingIndex.current ?? Number(event.target.dataset['index'])
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 480) / rowHeight) - 1)
    const steps: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    }
    const target = steps[event.key]
    if (target !== undefined) {
      event.preventDefault()
      moveTo(target)
    } else if (event.key === 'Enter' || event.key === ' ') {
      const row = rows.at(at)
      if (row === undefined || !onOpen) return
      event.preventDefault()
      onOpen(row)
    }
  }

  function rowProps(row: Row, index: number) {
    const key = rowKey(row)
    return {
      ...(grid
        ? { role: 'row', 'aria-rowindex': index + 1, ...(selectedKey !== null && { 'aria-selected': selectedKey === key }) }
        : { role: 'listitem', 'aria-posinset': index + 1, 'aria-setsize': rows.length }),
      tabIndex: index === tabStop ? 0 : -1,
      onFocus: () => setFocusKey(key),
      ...(onOpen && { onClick: () => onOpen(row) }),
    }
  }

  return (
    <div
      ref={scroller}
      {...(grid ? { role: 'grid', 'aria-rowcount': rows.length } : { role: 'region' })}
      aria-label={label}
      {...{ onKeyDown, tabIndex: rows.length === 0 ? 0 : -1 }}
      className={`@container/list relative overflow-auto rounded-lg border border-line bg-surface ${height === 'fill' ? 'max-h-(--page-height) min-h-48 flex-1' : 'max-h-[70vh]'}`}
    >
      {head && <div className="sticky top-0 z-10 border-b border-line bg-surface">{head}</div>}
      {rows.length === 0 ? (
        <div role={grid ? 'row' : undefined}>
          <div role={grid ? 'gridcell' : undefined}>{empty}</div>
        </div>
      ) : (
        <div
          role={grid ? 'rowgroup' : 'list'}
          aria-label={grid ? undefined : label}
          className="relative"
          style={windowing ? { height: windowing.getTotalSize() } : undefined}
        >
          {drawn.map((item) => {
            const row = rows.at(item.index)
            if (row === undefined) return null
            const key = rowKey(row)
            return (
              <div
                key={item.key}
                ref={windowing?.measureElement}
                data-index={item.index}
                {...rowProps(row, item.index)}
                style={item.start === null ? undefined : { transform: `translateY(${item.start}px)` }}
                className={`${item.start === null ? 'relative' : 'absolute inset-x-0 top-0'} border-b border-line focus-visible:z-10 focus-visible:-outline-offset-2 ${
                  onOpen ? 'cursor-pointer hover:bg-hover' : ''
                } ${selectedKey === key ? 'bg-accent-soft' : ''} ${changed?.has(key) ? 'animate-row-changed' : ''}`}
              >
                {renderRow(row, item.index)}
              </div>
            )
          })}
        </div>
      )}
      {isMissing && rows.length > drawn.length && (
        <p role="alert" className="px-4 py-3 text-sm text-bad">
          The rest of this list didn’t load. Reload the page.
        </p>
      )}
    </div>
  )
}

/** The first screenful, in normal flow: the rows have not been measured yet. */
function firstRows<Row>(rows: VirtualListProps<Row>['rows'], rowKey: (row: Row) => Key, rowHeight: number) {
  const length = Math.min(rows.length, Math.ceil(firstScreen / rowHeight))
  return Array.from({ length }, (_, index) => {
    const row = rows.at(index)
    return { index, key: row === undefined ? index : rowKey(row), start: null }
  })
}

/** Null until its code is loaded. */
function useWindowing(options: WindowingCode.WindowingOptions): { windowing: WindowingCode.Windowing | null; isMissing: boolean } {
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  const [isMissing, setIsMissing] = useState(false)
  // At once while it scrolls: rows that come a frame late show as a gap.
  const whole = { ...options, onChange: (_: unknown, isScrolling: boolean) => (isScrolling ? flushSync(redraw) : redraw()) }
  const [windowing, setWindowing] = useState(() => fetched?.createWindowing(whole) ?? null)
  if (windowing) fetched?.updateWindowing(windowing, whole)

  const begin = useEffectEvent((code: typeof WindowingCode) => setWindowing(code.createWindowing(whole)))
  useEffect(() => {
    if (windowing) return
    let gone = false
    fetchWindowing().then(
      (code) => gone || begin(code),
      () => gone || setIsMissing(true),
    )
    return () => {
      gone = true
    }
  }, [windowing])
  // The same as the library's own React hook, which cannot start in a mounted list.
  useLayoutEffect(() => windowing?._didMount(), [windowing])
  useLayoutEffect(() => windowing?._willUpdate())
  return { windowing, isMissing }
}
