import type { Patient } from '#contract/patients/patient.ts'
import type { PatientQuery } from '#contract/patients/patient-search.ts'
import { encryptedCodec } from '#src/db/packed/encrypted-codec.ts'
import { soonPages } from '#src/db/packed/mirror-records.ts'
import type { MirrorOptions } from '#src/db/packed/mirror-writer.ts'
import { PackedMirror } from '#src/db/packed/packed-mirror.ts'
import { PatientLayout } from '#src/db/mirrors/patient-layout.ts'
import type { PatientSegment } from '#src/db/mirrors/patient-segment.ts'
import { PatientSet } from '#src/db/mirrors/patient-set.ts'
import { letScreenGoFirst } from '#src/db/indexed/slices.ts'

/** The patients of one store on this device: encrypted on the disk, and readable in memory while the mirror is open. */
export class PatientMirror extends PackedMirror<string, PatientSegment, PatientSet> {
  constructor(key: CryptoKey, options: Omit<MirrorOptions, 'codec'> & { name: string }) {
    super({ ...options, codec: encryptedCodec(key) })
  }

  get(id: string): Patient | null {
    return this.rows.get(id)
  }

  /** The matches among the patients read so far, in list order. @param today `YYYY-MM-DD` */
  search(query: PatientQuery, limit: number, today: string): Patient[] {
    return this.rows.search(query, limit, today)
  }

  /** The patients read so far whose names are close to the words of a search that found nobody. */
  searchClose(query: PatientQuery, limit: number, today: string): Patient[] {
    return this.rows.searchClose(query, limit, today)
  }

  /** Resolves when more patients can be found than before, or all of them. @throws UnreadableWithKey */
  override moreRead(): Promise<void> {
    return super.moreRead()
  }

  /** A few pages first, so that a user who opens the app to find a patient soon gets an answer. */
  protected override get firstPages(): number {
    return soonPages
  }

  /** The user's typing goes first: a search uses the patients read so far. */
  protected override betweenSegments(): Promise<void> {
    return letScreenGoFirst()
  }

  protected emptySet(columns?: readonly string[]): PatientSet {
    return new PatientSet(new PatientLayout(columns))
  }

  protected readId(given: string | number): string {
    return String(given)
  }
}
