import type { CountScan } from '#contract/counts/count-sheets.ts'
import { SortedList } from '#contract/core/sorted-list.ts'

/** A scan as the fold needs it: the server's row, or a command that is not settled yet. */
export type LedgerScan = Pick<
  CountScan,
  | 'id'
  | 'raw_code'
  | 'id_inventory'
  | 'finding'
  | 'finding_detail'
  | 'via'
  | 'negates'
  | 'previous_scan'
  | 'walk'
  | 'captured_at'
  | 'author_id'
  | 'author_name'
  | 'device_id'
>

/** How a live scan stands on its sheet. */
export type Standing = 'counted' | 'set-aside' | 'unknown'

/** Orders by time. The id orders scans of the same millisecond, the same way everywhere. */
export function earlier(a: Pick<LedgerScan, 'captured_at' | 'id'>, b: Pick<LedgerScan, 'captured_at' | 'id'>): number {
  if (a.captured_at !== b.captured_at) return a.captured_at < b.captured_at ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** Returns the piece of a scan; null for a code that names a model or nothing. */
export function pieceOf(scan: LedgerScan): number | null {
  return scan.finding === 'expected' || scan.finding === 'set-aside' ? scan.id_inventory : null
}

/**
 * Returns the reason why a scan is an exception, in words. Screens show and decide exceptions in groups of the same
 * kind.
 */
export function exceptionKind(scan: LedgerScan): string {
  return pieceOf(scan) === null ? 'Unknown code' : (scan.finding_detail ?? 'Set aside')
}

/** Orders by name of the kind, unknown codes last; within a kind the newest first. */
function byKind(a: LedgerScan, b: LedgerScan): number {
  return Number(pieceOf(a) === null) - Number(pieceOf(b) === null) || compareText(exceptionKind(a), exceptionKind(b)) || earlier(b, a)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The scans of a sheet, or of one person on it, as lists for the screens. They are read by position, oldest first
 * except `toDecide`.
 */
export class ScanLists {
  /** The scans that count. */
  readonly counted = new SortedList<LedgerScan>(earlier)
  /** One scan for each piece that is set aside. */
  readonly setAside = new SortedList<LedgerScan>(earlier)
  /** Codes without a piece. */
  readonly unknown = new SortedList<LedgerScan>(earlier)
  /** Set-aside pieces and unknown codes, kind by kind. */
  readonly toDecide = new SortedList<LedgerScan>(byKind)
  /** Every event of every walk. */
  readonly log = new SortedList<LedgerScan>(earlier)

  put(scan: LedgerScan, as: Standing): void {
    this.#of(as).put(scan)
    if (as !== 'counted') this.toDecide.put(scan)
  }

  delete(scan: LedgerScan, as: Standing): void {
    this.#of(as).delete(scan)
    if (as !== 'counted') this.toDecide.delete(scan)
  }

  /** Returns a copy with the scans of one person. */
  by(author: number): ScanLists {
    const own = new ScanLists()
    for (const list of ['counted', 'setAside', 'unknown', 'toDecide', 'log'] as const)
      own[list].putAll(this[list].toArray().filter((scan) => scan.author_id === author))
    return own
  }

  #of(as: Standing): SortedList<LedgerScan> {
    return as === 'set-aside' ? this.setAside : this[as]
  }
}
