import type { Patient } from '#contract/patients/patient.ts'
import { isCloseName } from '#contract/patients/close-names.ts'
import { isMatch, type PatientQuery } from '#contract/patients/patient-search.ts'
import type { Page, Tuple } from '#src/db/packed/packed-pages.ts'
import { PackedSet } from '#src/db/packed/packed-set.ts'
import { type PatientKeys, PatientLayout } from '#src/db/mirrors/patient-layout.ts'
import { compareKeys, fitsKeys, PatientSegment } from '#src/db/mirrors/patient-segment.ts'

/**
 * Patients in memory, searchable at once. Every answer equals that of `isMatch` over all rows, in list order; the tests
 * check that.
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
    const found: Patient[] = []
    const sources = [...this.segments.map((segment) => matchesOf(segment, query)), this.#matchingChanges(query)]
    for (const { tuple } of inOneOrder(sources)) {
      // Rows are only read here: the keys have excluded nearly all others.
      const row = this.layout.toPatient(tuple())
      if (isMatch(row, query, today)) found.push(row)
      if (found.length >= limit) break
    }
    return found
  }

  /** The patients whose names are close to the words, for a search that found nobody. It compares every name. */
  searchClose(query: PatientQuery, limit: number, today: string): Patient[] {
    const others = { ...query, words: [] }
    const found: Patient[] = []
    const sources = [...this.segments.map((segment) => matchesOf(segment, others)), this.#matchingChanges(others)]
    for (const { keys, tuple } of inOneOrder(sources)) {
      if (!isCloseName(keys.names, query.words)) continue
      const row = this.layout.toPatient(tuple())
      if (isMatch(row, others, today)) found.push(row)
      if (found.length >= limit) break
    }
    return found
  }

  *#matchingChanges(query: PatientQuery): Generator<Match> {
    const changed: (PatientKeys & { tuple: Tuple })[] = []
    for (const row of this.changed.values()) if (row && fitsKeys(row, query)) changed.push(row)
    for (const keys of changed.sort(compareKeys)) yield { keys, tuple: () => keys.tuple }
  }
}

/** A patient whose keys fit, and the row, which is read on demand. */
type Match = { keys: PatientKeys; tuple: () => Tuple }

function* matchesOf(segment: PatientSegment, query: PatientQuery): Generator<Match> {
  for (const row of segment.matching(query)) yield { keys: segment.keysOf(row), tuple: () => segment.tuple(row) }
}

/** Merges sources in list order, and takes from each no more than necessary. */
function* inOneOrder(sources: readonly Generator<Match>[]): Generator<Match> {
  const heads: { source: Generator<Match>; match: Match }[] = []
  for (const source of sources) {
    const { done, value } = source.next()
    if (!done) heads.push({ source, match: value })
  }
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (compareKeys(b.match.keys, a.match.keys) < 0 ? b : a))
    yield first.match
    const { done, value } = first.source.next()
    if (done) heads.splice(heads.indexOf(first), 1)
    else first.match = value
  }
}
