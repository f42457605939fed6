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

/** The patients of one store on this device: encrypted on the disk, readable in memory for as long as it is open. */
export class PatientMirror extends PackedMirror<string, PatientSegment, PatientSet> {
  constructor(key: CryptoKey, options: Omit<MirrorOptions, 'codec'> & { name: string }) {
    super({ ...options, codec: encryptedCodec(key) })
  }

  get(id: string): Patient | null {
    return this.rows.get(id)
  }

  /** Whoever matches of what has been read so far, in the order of a list. @param today `YYYY-MM-DD` */
  search(query: PatientQuery, limit: number, today: string): Patient[] {
    return this.rows.search(query, limit, today)
  }

  /** Resolves when more patients can be found than before, or all of them. @throws UnreadableWithKey */
  override moreRead(): Promise<void> {
    return super.moreRead()
  }

  /** Whoever opens the app to look somebody up sees soon that it answers. */
  protected override get firstPages(): number {
    return soonPages
  }

  /** Whoever types a name while patients are read is answered out of those that have been. */
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
