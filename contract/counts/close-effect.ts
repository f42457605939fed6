import type { InventoryStatus } from '#contract/stock/frames.ts'

/** The effect of closing on one piece, and what the closed sheet says of the piece. */
export type CloseEffect =
  | { effect: 'none'; outcome: 'counted' | 'set-aside'; to: null; detail: string | null }
  | { effect: 'missing'; outcome: 'missing'; to: 'Missing'; detail: null }
  | { effect: 'found'; outcome: 'counted' | 'set-aside'; to: 'Ready for Sale'; detail: string }
  | { effect: 'received'; outcome: 'counted' | 'set-aside'; to: 'Ready for Sale'; detail: string }
  | { effect: 'explained'; outcome: 'explained'; to: null; detail: string }
  | { effect: 'exception'; outcome: 'set-aside'; to: InventoryStatus | null; detail: string }
