import { createHash } from 'node:crypto'
import type { Insertable, Transaction } from 'kysely'
import { typeOfBytes } from '#contract/patients/file-types.ts'
import { patientName } from '#contract/patients/patient.ts'
import type { FileCategory } from '#contract/patients/patient-files.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { PatientFileTable } from '#server/platform/db/tables/record-tables.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { eyePng, pdfOf } from '#server/demo/demo-documents.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'
import type { Services } from '#server/platform/services.ts'

/** Number of patients with files: enough to look at, and few enough for a quick start. */
const patientsWithFiles = 12

type Owner = {
  id: string
  last_name: string | null
  first_name: string
  middle_name: string | null
  pref: string | null
  dob: string | null
}
type Document = { filename: string; category: FileCategory; note: string; bytes: (owner: Owner, random: SeededRandom) => Uint8Array }

const documents: Document[] = [
  {
    filename: 'Referral from Dr. Lindqvist.pdf',
    category: 'referral',
    note: 'Please see within a month',
    bytes: (owner) =>
      pdfOf([
        'Referral',
        '',
        `Patient: ${patientName(owner)}`,
        `Born: ${owner.dob ?? 'not known'}`,
        '',
        'Seen for a routine check. Pressure 24 / 22 mmHg on two occasions.',
        'Please assess for glaucoma, with visual fields and an image of the optic nerve.',
        '',
        'H. Lindqvist, MD, Family Medicine',
      ]),
  },
  { filename: 'Fundus right eye.png', category: 'imaging', note: '', bytes: (_owner, random) => eyePng(random) },
  {
    filename: 'Prescription from another office.pdf',
    category: 'outside Rx',
    note: '',
    bytes: (owner, random) =>
      pdfOf([
        'Spectacle prescription',
        '',
        patientName(owner),
        '',
        `OD  -${random.int(1, 4)}.25  -0.50 x ${random.int(1, 180)}`,
        `OS  -${random.int(1, 4)}.75  -0.75 x ${random.int(1, 180)}`,
        'PD 63',
      ]),
  },
  {
    filename: 'Consent to dilation.pdf',
    category: 'consent',
    note: 'Signed at the front desk',
    bytes: (owner) => pdfOf(['Consent to dilation', '', `I, ${patientName(owner)}, agree to have my pupils dilated today.`, '', 'Signed']),
  },
]

/** Inserts letters and images of a few patients: the bytes into the storage, then the rows. */
export async function insertDemoFiles(
  { storage }: Pick<Services, 'storage'>,
  trx: Transaction<Schema>,
  calendar: DemoCalendar,
  random: SeededRandom,
  people: readonly number[],
): Promise<void> {
  const owners = await trx
    .selectFrom('patients')
    .select(['id', 'last_name', 'first_name', 'middle_name', 'pref', 'dob'])
    .where('patient_no', '<=', patientsWithFiles)
    .orderBy('patient_no')
    .execute()
  const rows: Insertable<PatientFileTable>[] = []
  for (const owner of owners) {
    for (const document of random.shuffled(documents).slice(0, random.int(1, 3))) {
      const bytes = document.bytes(owner, random)
      const type = typeOfBytes(bytes)
      if (!type) throw new Error('a demo file of no known type')
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const id = idOf(`${owner.id} ${document.filename}`)
      const file_path = `patient-files/${id}`
      await storage.put(
        file_path,
        (async function* () {
          yield bytes
        })(),
        bytes.byteLength,
      )
      rows.push({
        id_file: id,
        id_patient: owner.id,
        file_path,
        filename: document.filename,
        mime: type.mime,
        size: bytes.byteLength,
        sha256,
        category: document.category,
        note: document.note,
        uploaded_by: random.pick(people),
        uploaded_at: calendar.daysAgo(random.int(1, 300), random.int(14, 21)),
      })
    }
  }
  if (rows.length > 0) await trx.insertInto('patient_files').values(rows).execute()
}

/** Returns the same UUID for the same file. */
function idOf(name: string): string {
  const hex = createHash('sha256').update(`demo file ${name}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
