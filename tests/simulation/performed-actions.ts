import type { ControlFlag, InventoryStatus } from '#contract/stock/frames.ts'
import type { PersonName } from './plan.ts'

/**
 * One act of a person, and the screen's answer. This is the simulation's own memory, which knows nothing of outboxes.
 * The end of the history compares it with the server and the tablets.
 */
export type PerformedAction = {
  id: string
  kind: string
  lane: string
  device: string
  /** How often the device had been wiped before the act. */
  wipes: number
  /** Null when no author can be known: a punch with a wrong password. */
  person: PersonName | null
  store: number | null
  title: string
  /** Moments in the order of this history: the act, and the screen's answer. */
  begun: number
  heard: number | null
  /** `unknown`: the tab died without an answer. `in-doubt`: NOT SAVED, with the advice to repeat it under its id. */
  screen: 'unknown' | 'saved' | 'not-saved' | 'in-doubt'
  discard: 'no' | 'asked' | 'done'
  /** By the server's clock, ms. */
  givenUpAt: number | null
  /**
   * A file carried it to another device, or it was repaired after a refusal. Its place in the lane no longer counts.
   */
  leftItsPlace: boolean
  wasCopied: boolean
  /** For a frame: the wanted action, and the state that the user saw. */
  change?: { frame: number; model: string; action: ControlFlag; note: string; seen: { status: InventoryStatus; store_id: number } }
  /** The frame that needs a label. */
  label?: number
  /** The request that receives pieces of a delivery, from any sender. */
  receiveId?: string
  /** For a patient. `changes` of an edit: the value that the author saw in each field, and the new one. */
  patient?: { id: string; changes: Record<string, { from: unknown; to: unknown }> }
}

export type Broken = { invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9; what: string }
