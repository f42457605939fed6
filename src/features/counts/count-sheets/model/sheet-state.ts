import type { CountSheet, ScanVia } from '#contract/counts/count-sheets.ts'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import type { NotSaved } from '#src/sync/device/device.ts'

/** Saved on this tablet, received by the server, or set aside because the server refused it. */
export type Delivery = 'saved' | 'sent' | 'attention'

/** The last scan made here, as the screen shows it. */
export type LastScan = {
  /** Raised with every announcement, so that the same words are spoken again. */
  told: number
  /** Null when nothing was saved. */
  id: string | null
  code: string
  outcome: ScanOutcome
  /** Why it was not recorded. */
  reason: string | null
  at: string
}

export type NotSavedScan = { key: number; code: string; via: ScanVia; problem: NotSaved }

/** The server judged a scan differently from the outcome that the user heard. */
export type LateFinding = { id: string; was: ScanOutcome; now: ScanOutcome }

/** The state of one open sheet that the screens show besides its ledger. */
export type SheetState = {
  /** `missing`: this device knows no such sheet. */
  status: 'loading' | 'ready' | 'missing'
  sheet: CountSheet | null
  /** True when the sheet was made here and the server does not know it yet. */
  onlyHere: boolean
  deletion: boolean
  /** Raised with every change of the ledger. */
  version: number
  last: LastScan | null
  notSaved: readonly NotSavedScan[]
  late: readonly LateFinding[]
  /** The number of this sheet's commands that this tablet still has to send. */
  unsent: number
  attention: number
  paused: boolean
  /**
   * Why the tablet's storage does not answer, or null. The lists may then miss others' scans. The feed keeps retrying.
   */
  behind: string | null
}

export const blankState: SheetState = {
  status: 'loading',
  sheet: null,
  onlyHere: false,
  deletion: false,
  version: 0,
  last: null,
  notSaved: [],
  late: [],
  unsent: 0,
  attention: 0,
  paused: false,
  behind: null,
}
