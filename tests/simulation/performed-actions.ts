import type { ControlFlag, InventoryStatus } from '#contract/stock/frames.ts'
import type { PersonName } from './plan.ts'

/**
 * What a person did and what the screen told them: the simulation's own memory, which knows nothing of outboxes. What it
 * says is compared with the server and the tablets when the history is over.
 */
export type PerformedAction = {
  id: string
  kind: string
  lane: string
  device: string
  /** How often the device had been wiped when it was done. */
  wipes: number
  /** Null when nobody may be named its author: a punch with a wrong password. */
  person: PersonName | null
  store: number | null
  title: string
  /** Moments in the order of this history: when the person acted, and when the screen answered. */
  begun: number
  heard: number | null
  /** `unknown`: the tab died before it said anything. `in-doubt`: NOT SAVED, with the advice to do it again under its id. */
  screen: 'unknown' | 'saved' | 'not-saved' | 'in-doubt'
  discard: 'no' | 'asked' | 'done'
  /** By the server's clock, ms. */
  givenUpAt: number | null
  /** It was carried to another device in a file, or repaired after a refusal: its place in the lane is no promise any more. */
  leftItsPlace: boolean
  wasCopied: boolean
  /** Of a frame: what it shall be, and how it stood for whoever chose so. */
  change?: { frame: number; model: string; action: ControlFlag; note: string; seen: { status: InventoryStatus; store_id: number } }
  /** The frame that needs a label. */
  label?: number
  /** The request by which something of a delivery is received, whoever brings it. */
  receiveId?: string
  /** Of a patient; `changes` of an edit: what stood in each field for whoever did it, and what they put there. */
  patient?: { id: string; changes: Record<string, { from: unknown; to: unknown }> }
}

export type Broken = { invariant: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9; what: string }
