import { type Kysely, sql, type SqlBool } from 'kysely'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { Refusal } from '#contract/core/errors.ts'
import { fold } from '#contract/core/folding.ts'
import { type Pcp, pcpCardShape, pcpFieldNames, pcpPageSize, type pcpEndpoints, readPcpLine } from '#contract/patients/pcps.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { storesInSight } from '#server/domain/patients/patient-access.ts'
import { standingPcp } from '#server/domain/patients/standing-pcp.ts'

const columns = ['id_pcp', ...pcpFieldNames, 'version', 'changed_at', 'changed_by'] as const

/** The providers in the list, each with the number of patients and the last letter in all stores. */
function selectPcps(db: Kysely<Schema>) {
  return db
    .selectFrom('pcps')
    .select(columns.map((column) => `pcps.${column}` as const))
    .select(sql<number>`(select count(*) from patients where patients.pcp_id = pcps.id_pcp)`.as('patients'))
    .select(sql<string | null>`(select max(sent_on) from pcp_letters where pcp_letters.id_pcp = pcps.id_pcp)`.as('last_letter'))
    .where('pcps.merged_into', 'is', null)
}

type Asked = { query: string; city: string; specialty: string; inactive: string; page: number }

export async function findPcps(db: Kysely<Schema>, asked: Asked): Promise<ResponseOf<typeof pcpEndpoints.listPcps>> {
  const conditions = conditionsOf(asked)
  const [found, counted] = await Promise.all([
    selectPcps(db)
      .where((eb) => eb.and(conditions))
      .orderBy('pcps.sort_key')
      .orderBy('pcps.id_pcp')
      .limit(pcpPageSize)
      .offset((asked.page - 1) * pcpPageSize)
      .execute(),
    db
      .selectFrom('pcps')
      .select(sql<number>`count(*)`.as('total'))
      .where('merged_into', 'is', null)
      .where((eb) => eb.and(conditions))
      .executeTakeFirst(),
  ])
  return { pcps: found, total: counted?.total ?? 0, page: asked.page }
}

/** Folded words hold letters and digits only, so LIKE finds no special characters in them. */
function conditionsOf({ query, city, specialty, inactive }: Asked) {
  const { words, digits } = readPcpLine(query)
  const found = words.map((word) => sql<SqlBool>`' ' || pcps.words like ${`% ${word}%`}`)
  if (digits !== '') {
    found.push(
      sql<SqlBool>`(concat_ws(' ', pcps.phone, pcps.fax, pcps.npi) like ${`%${digits}%`} or ' ' || pcps.words like ${`% ${digits}%`})`,
    )
  }
  if (city.trim() !== '') found.push(sql<SqlBool>`pcps.city_words = ${fold(city)}`)
  if (specialty.trim() !== '') found.push(sql<SqlBool>`pcps.specialty_words = ${fold(specialty)}`)
  if (inactive !== 'true') found.push(sql<SqlBool>`not pcps.inactive`)
  return found
}

/** @throws Refusal pcp-unknown */
export async function findPcp(db: Kysely<Schema>, id: string): Promise<Pcp> {
  const standing = await standingPcp(db, id)
  const row = await selectPcps(db).where('pcps.id_pcp', '=', standing).executeTakeFirst()
  if (!row) throw new Refusal('pcp-unknown')
  return row
}

const patientsShown = 50

/** The patients of a provider whom this user may see. */
export async function patientsOfPcp(db: Kysely<Schema>, scope: Scope, id: string) {
  const stores = await storesInSight(db, scope)
  const all = db
    .selectFrom('patients')
    .select(['id', 'patient_no', 'last_name', 'first_name', 'middle_name', 'pref', 'dob', 'inactive'])
    .where('pcp_id', '=', id)
  const inSight = stores === null ? all : all.where(sql<SqlBool>`store_id = any(${stores}::int[])`)
  return await inSight.orderBy('sort_key').orderBy('id').limit(patientsShown).execute()
}

const cardColumns = Object.keys(pcpCardShape.entries) as (keyof typeof pcpCardShape.entries)[]

export async function cardsOfPcps(db: Kysely<Schema>): Promise<ResponseOf<typeof pcpEndpoints.pcpCards>> {
  return {
    pcps: await db.selectFrom('pcps').select(cardColumns).where('merged_into', 'is', null).orderBy('sort_key').orderBy('id_pcp').execute(),
  }
}

/** The cities and specialties in the list. Different spellings of one name appear once. */
export async function choicesOfPcps(db: Kysely<Schema>): Promise<ResponseOf<typeof pcpEndpoints.pcpChoices>> {
  const distinct = (column: 'city' | 'specialty') =>
    db
      .selectFrom('pcps')
      .distinctOn(`${column}_words`)
      .select(`${column} as name`)
      .where('merged_into', 'is', null)
      .where(column, 'is not', null)
      .where(`${column}_words`, '<>', '')
      .orderBy(`${column}_words`)
      .orderBy(column)
      .execute()
  const [cities, specialties] = await Promise.all([distinct('city'), distinct('specialty')])
  const names = (rows: { name: string | null }[]) => rows.flatMap(({ name }) => name ?? [])
  return { cities: names(cities), specialties: names(specialties) }
}
