import { letOthersWork } from '#src/db/indexed/slices.ts'
import type { StoredChanges } from '#src/db/packed/mirror-records.ts'
import type { RowId } from '#src/db/packed/packed-pages.ts'
import type { PackedSegment } from '#src/db/packed/packed-segment.ts'
import type { Change, PackedSet } from '#src/db/packed/packed-set.ts'

/** How many changed rows go into memory at once: a few ms, which no scan notices. */
const rowsPerSlice = 250

type AnySet<Id extends RowId> = PackedSet<Id, { id: Id }, PackedSegment<Id>>

/** Applies a change slice by slice. A reader in between finds each row either before or after its change. */
export async function applyInSlices<Id extends RowId>(set: AnySet<Id>, { rows, removed }: Change<Id>): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsPerSlice) {
    set.apply({ rows: rows.slice(from, from + rowsPerSlice), removed: [] })
    if (from + rowsPerSlice < rows.length) await letOthersWork()
  }
  set.apply({ rows: [], removed })
}

/** Applies changes from the disk. Each has the columns of the app that wrote it, and a window with an older app may be open. */
export function applyStored<Id extends RowId>(set: AnySet<Id>, changes: readonly StoredChanges[], readId: (given: RowId) => Id): void {
  for (const change of changes) {
    const read = set.layout.reader(change.columns)
    set.apply({ rows: change.rows.map(read), removed: change.removed.map(readId) })
  }
}
