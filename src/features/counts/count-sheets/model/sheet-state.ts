import type { CountSheet, ScanVia } from '#contract/counts/count-sheets.ts'
import type { ScanOutcome } from '#contract/counts/counting.ts'
import type { NotSaved } from '#src/sync/device/device.ts'

/** Saved on this tablet, received by the server, or set aside because the server refused it. */
export type Delivery = 'saved' | 'sent' | 'attention'

/** What the screen says of the scan that was last made here. */
export type LastScan = {
  /** Raised with every telling, so that the same words are told again. */
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

/** The server read a scan differently from what the person was told. */
export type LateFinding = { id: string; was: ScanOutcome; now: ScanOutcome }

/** What the screens of one open sheet show besides its ledger. */
export type SheetState = {
  /** `missing`: this device knows no such sheet. */
  status: 'loading' | 'ready' | 'missing'
  sheet: CountSheet | null
  /** Made here and not known to the server yet. */
  onlyHere: boolean
  deletion: boolean
  /** Raised with every change of the ledger. */
  version: number
  last: LastScan | null
  notSaved: readonly NotSavedScan[]
  late: readonly LateFinding[]
  /** Events of this sheet that this tablet still holds. */
  unsent: number
  attention: number
  paused: boolean
  /** Why the tablet's storage does not answer, so that what others count may not show; null when it does. It is asked again by itself. */
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
