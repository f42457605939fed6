import type { Insertable } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { DemoCalendar } from '#server/demo/demo-calendar.ts'
import { demoPeople, demoStores } from '#server/demo/demo-clinic.ts'
import type { SeededRandom } from '#server/demo/seeded-random.ts'
import { searchColumns } from '#server/domain/patients/patient-row.ts'

const demoProviderId = demoPeople.find(({ username }) => username === 'iris')?.id_user ?? null

type Culture = { women: readonly string[]; men: readonly string[]; families: readonly string[]; share: number }

/** Names as many towns have them, put together at random. None of the patients exists. */
const cultures: readonly Culture[] = [
  {
    share: 0.3,
    women: ['Abigail', 'Charlotte', 'Dorothy', 'Eleanor', 'Grace', 'Hannah', 'Joanne', 'Margaret', 'Ruth', 'Tessa'],
    men: ['Arthur', 'Calvin', 'Douglas', 'Everett', 'George', 'Henry', 'Leonard', 'Nathan', 'Russell', 'Walter'],
    families: ['Ashdown', 'Bellweather', 'Carrow', 'Dunmore', 'Fairbank', 'Hargrove', 'Kettering', 'Lockhart', 'Pemberton', 'Whitlow'],
  },
  {
    share: 0.16,
    women: ['Alejandra', 'Beatriz', 'Consuelo', 'Inés', 'Lucía', 'Marisol', 'Pilar', 'Ximena'],
    men: ['Álvaro', 'Diego', 'Emiliano', 'Joaquín', 'Mateo', 'Óscar', 'Rubén', 'Víctor'],
    families: ['Arroyo Vélez', 'Castañeda', 'de la Peña', 'Echeverría', 'Ibáñez Soto', 'Montalvo', 'Quiñones', 'Zúñiga'],
  },
  {
    share: 0.1,
    women: ['Ai Linh', 'Hương', 'Jing', 'Mei-Ling', 'Ngọc Anh', 'Soo-jin', 'Xiu', 'Yuki'],
    men: ['Bao', 'Haruto', 'Jun', 'Kenji', 'Minh', 'Sung-ho', 'Wei', 'Zhi Hao'],
    families: ['Bùi', 'Chen', 'Hoàng', 'Kuroda', 'Lâm', 'Nguyễn', 'Ōmori', 'Seo', 'Tran', 'Xu'],
  },
  {
    share: 0.1,
    women: ['Ananya', 'Bhavna', 'Farah', 'Kavitha', 'Meenakshi', 'Noor', 'Sunita', 'Zainab'],
    men: ['Arjun', 'Bilal', 'Devendra', 'Harpreet', 'Imran', 'Karthik', 'Rohan', 'Suresh'],
    families: ['Bhattacharya', 'Chowdhury', 'Iyer', 'Kaur', 'Mahmood', 'Pillai', 'Qureshi', 'Subramaniam', 'Venkataraman'],
  },
  {
    share: 0.1,
    women: ['Adaeze', 'Efua', 'Folasade', 'Makena', 'Ngozi', 'Thandiwe', 'Wanjiru', 'Zola'],
    men: ['Babajide', 'Chidi', 'Kwabena', 'Lwazi', 'Obinna', 'Sipho', 'Tendai', 'Yaw'],
    families: ['Adeyemi', 'Boateng', 'Chikwanha', 'Dlamini', 'Kamau', 'Mensah', 'Okafor', 'Osei-Bonsu', 'van der Walt'],
  },
  {
    share: 0.08,
    women: ['Amal', 'Dalia', 'Hanan', 'Leyla', 'Nasrin', 'Rania', 'Shirin'],
    men: ['Bashir', 'Emre', 'Farid', 'Hassan', 'Kamran', 'Omar', 'Yusuf'],
    families: ['Abdel-Rahman', 'al-Masri', 'Demirel', 'El Amrani', 'Haddad', 'Karimi', 'Şahin', 'Tehrani'],
  },
  {
    share: 0.08,
    women: ['Agnieszka', 'Danica', 'Eszter', 'Ljubica', 'Oksana', 'Svitlana', 'Zdeňka'],
    men: ['Bogdan', 'Dragan', 'István', 'Jaroslav', 'Mykola', 'Stanisław', 'Zoltán'],
    families: ['Černý', 'Đorđević', 'Kovács', 'Łukaszewicz', 'Mykhailenko', 'Nowakowski', 'Szabó', 'Vukašinović'],
  },
  {
    share: 0.05,
    women: ['Aoife', 'Bríd', 'Gwenllian', 'Mairead', 'Niamh', 'Siân'],
    men: ['Cormac', 'Dafydd', 'Eoin', 'Fearghal', 'Rhodri', 'Tadhg'],
    families: ['ap Rhys', 'MacGillivray', 'Ní Dhomhnaill', 'O’Sullivan-Byrne', "O'Keeffe", 'Llewellyn'],
  },
  {
    share: 0.03,
    women: ['Kailani', 'Leilani', 'Sefina', 'Talia', 'Wayra'],
    men: ['Kainoa', 'Manu', 'Sione', 'Tavita', 'Wikitoria'],
    families: ['Fa‘asavalu', 'Kahananui', 'Mahina', 'Tupou', 'Yellowbird', 'Begaye'],
  },
]

const streets = [
  'Alder',
  'Birchwood',
  'Cannery',
  'Depot',
  'Foundry',
  'Glenview',
  'Hickory',
  'Juniper',
  'Millpond',
  'Orchard',
  'Quarry',
  'Tannery',
]
const streetKinds = ['St', 'Ave', 'Rd', 'Ln', 'Ct', 'Blvd', 'Way']
const pronouns = { Female: 'She/Her', Male: 'He/Him', Other: 'They/Them' } as const
const alerts = [
  'Needs a wheelchair ramp',
  'Hard of hearing: speak up, face to face',
  'Interpreter: Spanish',
  'Balance to be settled before the next order',
]
const allergies = ['Penicillin', 'Latex', 'Sulfa drugs', 'Neomycin eye drops', 'Contact lens solution with thimerosal']
const medications = [
  'Lisinopril 10 mg',
  'Metformin 500 mg',
  'Latanoprost 0.005%, one drop each night',
  'Levothyroxine 50 µg',
  'Atorvastatin 20 mg',
]
const homes = [
  { city: 'Millbrook Falls', state: 'NY', zip: '12', area: '518' },
  { city: 'Larkspur', state: 'IL', zip: '60', area: '309' },
] as const

export const patientColumns = {
  id: 'uuid',
  patient_no: 'integer',
  store_id: 'integer',
  last_name: 'text',
  first_name: 'text',
  middle_name: 'text',
  pref: 'text',
  dob: 'date',
  street_address: 'text',
  address_line_2: 'text',
  city: 'text',
  state: 'text',
  zip_code: 'text',
  gender: 'text',
  assigned_sex: 'text',
  pronoun: 'text',
  email: 'text',
  phone: 'text',
  phone_home: 'text',
  cell_work: 'text',
  mailing_list: 'boolean',
  survey: 'boolean',
  inactive: 'boolean',
  priority: 'text',
  preferred_contact: 'text',
  preferred_provider_id: 'integer',
  responsible_party_id: 'uuid',
  pcp_id: 'uuid',
  recall_due_date: 'date',
  recall_reason: 'text',
  hipaa_ack_at: 'date',
  sms_consent_at: 'timestamptz',
  email_consent_at: 'timestamptz',
  alerts: 'text',
  allergies: 'text',
  medications: 'text',
  last_exam_date: 'date',
  created_at: 'timestamptz',
  version: 'integer',
  revision: 'bigint',
  name_words: 'text',
  last_name_words: 'text',
  address_words: 'text',
  city_words: 'text',
  sort_key: 'text',
} as const

export function* patientRows(
  count: number,
  calendar: DemoCalendar,
  random: SeededRandom,
  revision: (storeId: number) => number,
): Iterable<Insertable<Schema['patients']>> {
  /** The adult of a family, by store and name, who is the responsible party of later children. */
  const grownUps = new Map<string, Insertable<Schema['patients']>>()
  const adultSince = calendar.daysAgo(18 * 365 + 5).slice(0, 10)
  for (let number = 1; number <= count; number++) {
    const patient = patientOf(number, calendar, random, revision)
    const family = `${patient.store_id} ${patient.last_name}`
    if (String(patient.dob) <= adultSince) grownUps.set(family, patient)
    else patient.responsible_party_id = grownUps.get(family)?.id ?? null
    yield patient
  }
}

function patientOf(
  number: number,
  calendar: DemoCalendar,
  random: SeededRandom,
  revision: (storeId: number) => number,
): Insertable<Schema['patients']> {
  const culture = cultureFor(random)
  const gender = random.weighted({ Female: 0.52, Male: 0.465, Other: 0.015 })
  const given = gender === 'Male' || (gender === 'Other' && random.chance(0.5)) ? culture.men : culture.women
  const first = random.pick(given)
  const family = random.pick(culture.families)
  const store = random.chance(0.6) ? demoStores[0] : demoStores[1]
  const home = homes[store.store_id - 1]!
  const phone = () => `${home.area}55501${String(random.int(0, 99)).padStart(2, '0')}`
  const createdAt = calendar.daysAgo(random.int(1, 1500), random.int(14, 21))
  const sinceExam = random.chance(0.85) ? random.int(3, 900) : null
  const fields = {
    // Some patients have one name only.
    last_name: random.chance(0.005) ? null : random.chance(0.04) ? `${family}-${random.pick(cultureFor(random).families)}` : family,
    first_name: first,
    middle_name: random.chance(0.35) ? random.pick(given) : null,
    pref: random.chance(0.08) ? first.slice(0, 3).trim() : null,
    dob: birthDay(calendar, random),
    street_address: `${random.int(1, 1890)} ${random.pick(streets)} ${random.pick(streetKinds)}`,
    address_line_2: random.chance(0.18) ? `Apt ${random.int(1, 48)}` : null,
    city: home.city,
    state: home.state,
    zip_code: `${home.zip}${String(random.int(100, 999))}`,
    gender,
    assigned_sex: random.chance(0.3) ? (gender === 'Other' ? 'Prefer not to say' : gender) : null,
    pronoun: random.chance(0.4) ? pronouns[gender] : null,
    email: random.chance(0.7) ? `${asciiOf(first)}.${asciiOf(family)}${random.int(1, 99)}@example.com` : null,
    phone: random.chance(0.9) ? phone() : null,
    phone_home: random.chance(0.3) ? phone() : null,
    cell_work: random.chance(0.15) ? phone() : null,
    mailing_list: random.chance(0.6),
    survey: random.chance(0.4),
    inactive: random.chance(0.03),
    priority: random.chance(0.02) ? 'vip' : random.chance(0.01) ? 'urgent' : 'normal',
    preferred_contact: random.chance(0.6) ? random.pick(['sms', 'email', 'call'] as const) : null,
    preferred_provider_id: random.chance(0.6) ? demoProviderId : null,
    recall_due_date: sinceExam === null ? null : calendar.daysAgo(sinceExam - 365).slice(0, 10),
    recall_reason: sinceExam === null ? null : 'Comprehensive exam',
    hipaa_ack_at: random.chance(0.9) ? createdAt.slice(0, 10) : null,
    sms_consent_at: random.chance(0.7) ? createdAt : null,
    email_consent_at: random.chance(0.6) ? createdAt : null,
    alerts: random.chance(0.04) ? random.pick(alerts) : null,
    allergies: random.chance(0.12) ? random.pick(allergies) : null,
    medications: random.chance(0.2) ? random.pick(medications) : null,
  } as const
  return {
    ...fields,
    id: random.uuid(),
    patient_no: number,
    store_id: store.store_id,
    last_exam_date: sinceExam === null ? null : calendar.daysAgo(sinceExam).slice(0, 10),
    created_at: createdAt,
    version: 1,
    revision: revision(store.store_id),
    ...searchColumns({
      ...fields,
      state: home.state,
      preferred_store_id: null,
      responsible_party_id: null,
      pcp_id: null,
      ocular_history: null,
    }),
  }
}

function cultureFor(random: SeededRandom): Culture {
  let left = random.next()
  for (const culture of cultures) {
    left -= culture.share
    if (left < 0) return culture
  }
  return cultures[0]!
}

/** Eyes need more care with age: half of the patients are over 50. */
function birthDay(calendar: DemoCalendar, random: SeededRandom): string {
  const years = random.chance(0.15) ? random.int(4, 17) : random.chance(0.4) ? random.int(18, 49) : random.int(50, 94)
  return calendar.daysAgo(years * 365 + random.int(0, 364)).slice(0, 10)
}

function asciiOf(name: string): string {
  const letters = name
    .normalize('NFKD')
    .replace(/[^A-Za-z]/g, '')
    .toLowerCase()
  return letters === '' ? 'patient' : letters
}
