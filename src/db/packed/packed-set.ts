import type { Page, RowId, RowLayout, Tuple } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'

/** Changed rows in the set's layout, and removed ids. */
export type Change<Id extends RowId> = { rows: Tuple[]; removed: Id[] }

/**
 * A collection in memory: the segments of the disk, and the later changes over them.
 *
 * @typeParam Keys the keys by which a changed row is found
 */
export abstract class PackedSet<Id extends RowId, Keys extends { id: Id }, Segment extends PackedSegment<Id>> {
  abstract readonly layout: RowLayout<Id>
  #segments: Segment[] = []
  /** Changes after the segments: the changed row, or null for a removed one. */
  protected readonly changed = new Map<Id, (Keys & { tuple: Tuple }) | null>()
  #changedRows = 0
  /** Raised whenever rows are added, removed or moved. */
  protected edits = 0

  abstract segmentOf(pages: readonly Page[]): Promise<Segment>

  protected abstract keysOf(tuple: Tuple): Keys

  get size(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.live, this.#changedRows)
  }

  /** The number of changes that are not folded into the segments yet. */
  get changes(): number {
    return this.changed.size
  }

  get segments(): readonly Segment[] {
    return this.#segments
  }

  changedIds(): Iterable<Id> {
    return this.changed.keys()
  }

  changedTuple(id: Id): Tuple | null {
    return this.changed.get(id)?.tuple ?? null
  }

  /** @throws TypeError for a row that cannot be kept */
  check(tuple: Tuple): void {
    this.keysOf(tuple)
  }

  async addPages(pages: readonly Page[]): Promise<void> {
    if (pages.length > 0) this.addSegment(await this.segmentOf(pages))
  }

  addSegment(segment: Segment): void {
    // Includes changes that came while the segment was made.
    for (const id of this.changed.keys()) {
      const row = segment.rowOf(id)
      if (row !== -1) segment.retire(row)
    }
    this.#segments.push(segment)
    this.edits++
  }

  /** Replaces the segments with rewritten ones. `folded` are the changes that they contain now. */
  replaceSegments(segments: readonly Segment[], folded: ReadonlyMap<Id, Tuple | null>): void {
    for (const [id, tuple] of folded) {
      const current = this.changed.get(id)
      if (current === undefined || (current?.tuple ?? null) !== tuple) continue
      this.changed.delete(id)
      if (current) this.#changedRows--
    }
    this.#segments = [...segments]
    this.edits++
    for (const id of this.changed.keys()) this.#retire(id)
  }

  apply(change: Change<Id>): void {
    for (const tuple of change.rows) {
      const keys = this.keysOf(tuple)
      const known = this.tuple(keys.id)
      // Two tabs may bring the same pull, one of them late: the newer row stays.
      if (known && this.layout.revisionOf(known) > this.layout.revisionOf(tuple)) continue
      this.#change(keys.id, { ...keys, tuple })
    }
    for (const id of change.removed) this.#change(id, null)
  }

  /** The ids of all rows, including removed ones. */
  *ids(): Generator<Id> {
    for (const segment of this.#segments) yield* segment.ids()
    yield* this.changed.keys()
  }

  tuple(id: Id): Tuple | null {
    const changed = this.changed.get(id)
    if (changed !== undefined) return changed?.tuple ?? null
    for (const segment of this.#segments) {
      const row = segment.rowOf(id)
      if (row !== -1 && segment.isLive(row)) return segment.tuple(row)
    }
    return null
  }

  #change(id: Id, changed: (Keys & { tuple: Tuple }) | null): void {
    const before = this.changed.get(id)
    this.edits++
    if (before) this.#changedRows--
    if (changed) this.#changedRows++
    this.changed.set(id, changed)
    if (before === undefined) this.#retire(id)
  }

  #retire(id: Id): void {
    for (const segment of this.#segments) {
      const row = segment.rowOf(id)
      if (row !== -1) segment.retire(row)
    }
  }
}
