import type { BegunReading } from '#src/db/packed/mirror-records.ts'
import type { PageCodec } from '#src/db/packed/packed-pages.ts'

export { MirrorBusy } from '#src/db/packed/mirror-store.ts'

/** A part of a pull: tuples in the order of `columns`, and the cursor that stands after it. */
export type MirrorPage = { columns: string[]; rows: unknown[][]; removed: (string | number)[]; cursor: string; epoch: string }

/** What the pull does to the mirror. Every one of these is one transaction: rows and cursor are kept together or not at all. */
export type MirrorWriter = {
  /** Where the next pull goes on; null when it has to begin anew. Not complete: a first load or rebuilding was cut. */
  cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null>
  /** Starts a new set beside the old one, which answers until `endReplace`. What an earlier start left is dropped. */
  beginReplace(total: number): Promise<void>
  /**
   * May be called once more before the disk has the part: the next one is packed meanwhile. What comes after a part that failed fails as
   * well, until the cursor has been asked for: rows would be missing between what the disk has and its cursor.
   */
  applyPage(page: MirrorPage): Promise<void>
  /** The pull is through: the new set takes the old one's place, or, when none was begun, the cursor moves. */
  endReplace(cursor: string, epoch: string): Promise<void>
  clear(): Promise<void>
  close(): void
  /** Writes the changes into the pages. Happens by itself when the browser is idle. */
  fold(): Promise<void>
}

export type MirrorOptions = {
  name?: string
  indexedDB?: IDBFactory
  IDBKeyRange?: typeof IDBKeyRange
  BroadcastChannel?: typeof BroadcastChannel
  codec?: PageCodec
  /** Where someone has begun to read it already; the mirror closes the database. */
  begun?: BegunReading | undefined
  whenIdle?: (work: () => void) => void
}
