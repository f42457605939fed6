import type { Patient } from '#contract/patient.ts'
import { isMatch, type PatientQuery } from '#contract/patient-search.ts'
import type { Page, Tuple } from '#src/db/packed-pages.ts'
import { PackedSet } from '#src/db/packed-set.ts'
import { type PatientKeys, PatientLayout } from '#src/db/patient-layout.ts'
import { compareKeys, fitsKeys, PatientSegment } from '#src/db/patient-segment.ts'

/**
 * Patients in memory, searchable at once. Every answer is the same as that of `isMatch` over all rows, in the order of a list; the tests
 * hold it to that.
 */
export class PatientSet extends PackedSet<string, PatientKeys, PatientSegment> {
  readonly layout: PatientLayout

  constructor(layout = new PatientLayout()) {
    super()
    this.layout = layout
  }

  segmentOf(pages: readonly Page[]): Promise<PatientSegment> {
    return PatientSegment.of(pages)
  }

  protected keysOf(tuple: Tuple): PatientKeys {
    return this.layout.keysOf(tuple)
  }

  get(id: string): Patient | null {
    const tuple = this.tuple(id)
    return tuple && this.layout.toPatient(tuple)
  }

  /** @param today `YYYY-MM-DD`, for the age */
  search(query: PatientQuery, limit: number, today: string): Patient[] {
    const hits: { keys: PatientKeys; row: Patient }[] = []
    for (const segment of this.segments) {
      let taken = 0
      for (const row of segment.matching(query)) {
        const found = this.layout.toPatient(segment.tuple(row))
        if (!isMatch(found, query, today)) continue
        hits.push({ keys: segment.keysOf(row), row: found })
        if (++taken >= limit) break
      }
    }
    for (const changed of this.changed.values()) {
      if (!changed || !fitsKeys(changed, query)) continue
      const found = this.layout.toPatient(changed.tuple)
      if (isMatch(found, query, today)) hits.push({ keys: changed, row: found })
    }
    return hits
      .sort((a, b) => compareKeys(a.keys, b.keys))
      .slice(0, limit)
      .map(({ row }) => row)
  }
}
