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

/** As what a live scan stands on its sheet. */
export type Standing = 'counted' | 'set-aside' | 'unknown'

/** Earlier first; the id decides between scans of the same millisecond, the same way everywhere. */
export function earlier(a: Pick<LedgerScan, 'captured_at' | 'id'>, b: Pick<LedgerScan, 'captured_at' | 'id'>): number {
  if (a.captured_at !== b.captured_at) return a.captured_at < b.captured_at ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/** The piece that a scan points at. Codes that name a model or nothing at all point at none. */
export function pieceOf(scan: LedgerScan): number | null {
  return scan.finding === 'expected' || scan.finding === 'set-aside' ? scan.id_inventory : null
}

/** Why a scan is an exception, in words: exceptions are shown and decided in groups of the same kind. */
export function exceptionKind(scan: LedgerScan): string {
  return pieceOf(scan) === null ? 'Unknown code' : (scan.finding_detail ?? 'Set aside')
}

/** The kinds by name, the unknown codes last; within a kind the newest first. */
function byKind(a: LedgerScan, b: LedgerScan): number {
  return Number(pieceOf(a) === null) - Number(pieceOf(b) === null) || compareText(exceptionKind(a), exceptionKind(b)) || earlier(b, a)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The scans of a sheet, or of one person on it, in the lists that screens show. Read by place, oldest first but for `toDecide`. */
export class ScanLists {
  /** The scans that count. */
  readonly counted = new SortedList<LedgerScan>(earlier)
  /** One scan for each piece that is set aside. */
  readonly setAside = new SortedList<LedgerScan>(earlier)
  /** Codes without a piece. */
  readonly unknown = new SortedList<LedgerScan>(earlier)
  /** What is set aside or unknown, kind by kind. */
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

  /** A copy with what one person did. */
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
