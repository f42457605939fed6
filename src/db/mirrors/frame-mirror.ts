import type { Frame } from '#contract/stock/frames.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'

/** The chain's frames on this device, searchable at once. */
export type FrameMirror = {
  isReady(): boolean
  /** Ready when the index is in memory; before, answers come from what has been read so far. Reading begins with the first who asks. */
  ready(): Promise<void>
  size(): number
  get(idInventory: number): Frame | null
  /** Exact: serial, then store tag, then UPC (any number of leading zeros). Null when nothing matches. */
  find(code: string): FrameMatch | null
  /** Codes that begin with, then contain, what was typed; best first. */
  search(typed: string, limit: number): Frame[]
  /** Codes that end with what was typed, in one store: for labels of which only the end can be read. */
  endingWith(typed: string, storeId: number, limit: number): Frame[]
  /** `find` that waits for the rest to be read before it says that there is nothing. @throws when it cannot be read */
  findSoon(code: string): Promise<FrameMatch | null>
  /** All frames of a store, for the scope of a new count. */
  ofStore(storeId: number): Frame[]
  /** The same in small steps, for what nobody waits for, and for the whole chain with null; read once for all who ask at the same time. */
  readStore(storeId: number | null): Promise<readonly Frame[]>
  subscribe(listener: () => void): () => void
}
