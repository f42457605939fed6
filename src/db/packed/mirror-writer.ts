import type { BegunReading } from '#src/db/packed/mirror-records.ts'
import type { PageCodec } from '#src/db/packed/packed-pages.ts'

export { MirrorBusy } from '#src/db/packed/mirror-store.ts'

/** A part of a pull: tuples in the order of `columns`, and the cursor after it. */
export type MirrorPage = { columns: string[]; rows: unknown[][]; removed: (string | number)[]; cursor: string; epoch: string }

/** The writes of a pull to the mirror. Each is one transaction: rows and cursor are kept together or not at all. */
export type MirrorWriter = {
  /**
   * Where the next pull continues; null when it has to start over. Not complete: a first load or a rebuild was cut off.
   */
  cursor(): Promise<{ epoch: string; cursor: string; complete: boolean } | null>
  /** Starts a new set beside the old one, which answers until `endReplace`. Drops the rows of an earlier start. */
  beginReplace(total: number): Promise<void>
  /**
   * May be called once more before the disk has the part: the next part is packed meanwhile. After a part fails, later
   * parts fail too, until `cursor` is called. Otherwise rows would be missing before the disk's cursor.
   */
  applyPage(page: MirrorPage): Promise<void>
  /** Ends the pull: the new set replaces the old one. When no set was begun, the cursor moves. */
  endReplace(cursor: string, epoch: string): Promise<void>
  clear(): Promise<void>
  close(): void
  /** Writes the changes into the pages. The mirror also does this when the browser is idle. */
  fold(): Promise<void>
}

export type MirrorOptions = {
  name?: string
  indexedDB?: IDBFactory
  IDBKeyRange?: typeof IDBKeyRange
  BroadcastChannel?: typeof BroadcastChannel
  codec?: PageCodec
  /** A reading that the caller has begun. The mirror closes its database. */
  begun?: BegunReading | undefined
  whenIdle?: (work: () => void) => void
}
