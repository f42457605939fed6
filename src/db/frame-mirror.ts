import type { Frame } from '#contract/frames.ts'
import type { FrameMatch } from '#src/db/frame-set.ts'
import type { PageCodec } from '#src/db/packed-pages.ts'

export { MirrorBusy } from '#src/db/mirror-store.ts'

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
  /** The same in small steps, for what nobody waits for; read once for all who ask at the same time. */
  readStore(storeId: number): Promise<readonly Frame[]>
  subscribe(listener: () => void): () => void
}

/** A part of a pull: tuples in the order of `columns`, and the cursor that stands after it. */
export type MirrorPage = { columns: string[]; rows: unknown[][]; removed: (string | number)[]; cursor: string; epoch: string }

/** What the pull does to the mirror. Every one of these is one transaction: rows and cursor are kept together or not at all. */
export type FrameMirrorWriter = {
  /** Where the next pull goes on; null when it has to begin anew. Not complete: a first load or rebuilding was cut. */
  cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null>
  /** Starts a new set beside the old one, which answers until `endReplace`. What an earlier start left is dropped. */
  beginReplace(total: number): Promise<void>
  applyPage(page: MirrorPage): Promise<void>
  /** The pull is through: the new set takes the old one's place, or, when none was begun, the cursor moves. */
  endReplace(cursor: string, epoch: string): Promise<void>
  clear(): Promise<void>
  close(): void
  /** Writes the changes into the pages. Happens by itself when the browser is idle. */
  fold(): Promise<void>
}

export type FrameMirrorOptions = {
  name?: string
  indexedDB?: IDBFactory
  IDBKeyRange?: typeof IDBKeyRange
  BroadcastChannel?: typeof BroadcastChannel
  codec?: PageCodec
  whenIdle?: (work: () => void) => void
}
