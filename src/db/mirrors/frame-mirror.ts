import type { Frame } from '#contract/stock/frames.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'

/** The chain's frames on this device, searchable at once. */
export type FrameMirror = {
  isReady(): boolean
  /**
   * Resolves when the index is in memory. Before that, answers cover the rows read so far. The first call starts the
   * reading.
   */
  ready(): Promise<void>
  size(): number
  get(idInventory: number): Frame | null
  /** Exact: serial, then store tag, then UPC (any number of leading zeros). Null when nothing matches. */
  find(code: string): FrameMatch | null
  /** Codes that begin with the typed text, then codes that contain it; best first. */
  search(typed: string, limit: number): Frame[]
  /** Codes of one store that end with the typed text, for labels with only the end readable. */
  endingWith(typed: string, storeId: number, limit: number): Frame[]
  /** `find` that reads the remaining rows before it answers null. @throws when they cannot be read */
  findSoon(code: string): Promise<FrameMatch | null>
  /** All frames of a store, for the scope of a new count. */
  ofStore(storeId: number): Frame[]
  /**
   * The same in small steps, for background work; null means the whole chain. Callers at the same time share one
   * reading.
   */
  readStore(storeId: number | null): Promise<readonly Frame[]>
  subscribe(listener: () => void): () => void
}
