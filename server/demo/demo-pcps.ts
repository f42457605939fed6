import type { Insertable } from 'kysely'
import { fold } from '#contract/core/folding.ts'
import { isNpi, pcpSortKey, pcpWords } from '#contract/patients/pcp.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

type Row = Insertable<Schema['pcps']>

export const pcpColumns = {
  id_pcp: 'uuid',
  last_name: 'text',
  first_name: 'text',
  credential: 'text',
  practice: 'text',
  specialty: 'text',
  phone: 'text',
  fax: 'text',
  street_address: 'text',
  address_line_2: 'text',
  city: 'text',
  state: 'text',
  zip_code: 'text',
  npi: 'text',
  inactive: 'boolean',
  version: 'integer',
  changed_at: 'timestamptz',
  changed_by: 'text',
  words: 'text',
  city_words: 'text',
  specialty_words: 'text',
  sort_key: 'text',
} as const

/** Practices around the two stores. Each takes the patients of its own town. None of them exists. */
const practices = [
  { name: 'Millbrook Family Practice', street: '210 Orchard Ave', city: 'Millbrook Falls', state: 'NY', zip: '12571', area: '518' },
  { name: 'Falls Internal Medicine', street: '44 Foundry St', city: 'Millbrook Falls', state: 'NY', zip: '12571', area: '518' },
  { name: 'Alder Creek Health Center', street: '9 Alder Creek Rd', city: 'Alder Creek', state: 'NY', zip: '12573', area: '518' },
  { name: 'Larkspur Primary Care', street: '1200 Glenview Blvd', city: 'Larkspur', state: 'IL', zip: '60421', area: '309' },
  { name: 'Prairie Community Clinic', street: '17 Depot Rd', city: 'Hickory Grove', state: 'IL', zip: '60428', area: '309' },
] as const

/** Given name, family name, credential, practice and specialty. */
const doctors: [string | null, string, string | null, number, string][] = [
  ['Helen', 'Marsh', 'MD', 0, 'Family medicine'],
  ['Rajesh', 'Iyer', 'MD', 0, 'Family medicine'],
  ['Beatriz', 'Castañeda', 'NP', 0, 'Family medicine'],
  ['Samuel', 'Pemberton', 'DO', 0, 'Family medicine'],
  ['Folasade', 'Adeyemi', 'MD', 0, 'Pediatrics'],
  ['Claire', 'Whitlow', 'MD', 1, 'Internal medicine'],
  ['Nasrin', 'Tehrani', 'MD', 1, 'Internal medicine'],
  ['Jarosław', 'Nowakowski', 'MD', 1, 'Geriatrics'],
  ['Mei-Ling', 'Chen', 'MD', 1, 'Endocrinology'],
  ['Owen', 'Kettering', 'PA-C', 1, 'Internal medicine'],
  ['Aoife', 'O’Sullivan-Byrne', 'MD', 2, 'Family medicine'],
  ['George', 'Hargrove', 'DO', 2, 'Family medicine'],
  ['Thandiwe', 'Dlamini', 'MD', 2, 'Pediatrics'],
  ['Walter', 'Dunmore', 'MD', 2, 'Geriatrics'],
  ['Ananya', 'Bhattacharya', 'MD', 3, 'Internal medicine'],
  ['Diego', 'Montalvo', 'MD', 3, 'Family medicine'],
  ['Grace', 'Lockhart', 'DO', 3, 'Family medicine'],
  ['Kenji', 'Kuroda', 'MD', 3, 'Endocrinology'],
  ['Amal', 'Haddad', 'NP', 3, 'Family medicine'],
  ['Ruth', 'Bellweather', 'MD', 3, 'Pediatrics'],
  ['Emre', 'Demirel', 'MD', 4, 'Family medicine'],
  ['Siân', 'Llewellyn', 'MD', 4, 'Internal medicine'],
  ['Obinna', 'Okafor', 'DO', 4, 'Geriatrics'],
  // A duplicate, which every such list has, and a doctor who has left.
  ['H.', 'Marsh', null, 0, 'Family medicine'],
  ['Leonard', 'Fairbank', 'MD', 1, 'Internal medicine'],
]
const [twice, gone] = [23, 24]

export function demoPcps(calendar: DemoCalendar, random: SeededRandom): Row[] {
  return doctors.map(([first_name, last_name, credential, at, specialty], index): Row => {
    const { name, street, city, state, zip, area } = practices[at]!
    // A user entered the duplicate in a hurry.
    const isHasty = index === twice
    const row = {
      id_pcp: random.uuid(),
      last_name,
      first_name,
      credential,
      practice: isHasty ? 'Millbrook Family Pract.' : name,
      specialty: isHasty ? null : specialty,
      phone: `${area}555020${at}`,
      fax: isHasty ? null : `${area}555021${at}`,
      street_address: isHasty ? null : street,
      address_line_2: isHasty ? null : `Suite ${100 + index}`,
      city,
      state,
      zip_code: isHasty ? null : zip,
      npi: isHasty ? null : npiFrom(123_400_000 + index * 137),
      inactive: index === gone,
    }
    return {
      ...row,
      version: 1,
      changed_at: calendar.daysAgo(random.int(20, 700)),
      changed_by: 'Maya Okonjo',
      words: pcpWords(row),
      city_words: fold(row.city),
      specialty_words: fold(row.specialty ?? ''),
      sort_key: pcpSortKey(row),
    }
  })
}

/** Appends the check digit to nine digits. */
function npiFrom(nine: number): string {
  const digits = Array.from({ length: 10 }, (_, last) => `${nine}${last}`)
  return digits.find(isNpi)!
}

type Patient = Insertable<Schema['patients']>

/** Four of five patients name their doctor, who mostly works near them. Children have pediatricians. */
export function withPcps(patients: Patient[], pcps: readonly Row[], calendar: DemoCalendar, random: SeededRandom): Patient[] {
  const childhood = calendar.daysAgo(18 * 365).slice(0, 10)
  const ofChildren = (row: Row) => row.specialty === 'Pediatrics'
  const near = new Map(
    ['NY', 'IL'].flatMap((state) => {
      const here = pcps.filter((row) => row.state === state)
      return [
        [`${state} child`, here.filter(ofChildren)],
        [`${state} adult`, here.filter((row) => !ofChildren(row))],
      ] as [string, Row[]][]
    }),
  )
  return patients.map((patient) => {
    const isChild = typeof patient.dob === 'string' && patient.dob > childhood
    const choice = near.get(`${patient.state} ${isChild ? 'child' : 'adult'}`) ?? pcps
    return random.chance(0.8) ? { ...patient, pcp_id: random.pick(choice).id_pcp } : patient
  })
}
