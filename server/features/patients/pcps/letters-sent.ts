import { type Kysely, sql, type SqlBool } from 'kysely'
import { pcpName } from '#contract/patients/pcp.ts'
import { type LetterOfPcp, lettersShown, type PcpLetter } from '#contract/patients/pcp-letters.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { auditView } from '#server/domain/patients/audit.ts'
import { findPatient, storesInSight } from '#server/domain/patients/patient-access.ts'
import type { Services } from '#server/platform/services.ts'

const columns = ['id_letter', 'sent_on', 'way', 'rep', 'recorded_at'] as const

function selectLetters(db: Kysely<Schema>) {
  return db
    .selectFrom('pcp_letters')
    .innerJoin('pcps', 'pcps.id_pcp', 'pcp_letters.id_pcp')
    .select([...columns, 'about', 'pcps.id_pcp', 'pcps.last_name', 'pcps.first_name', 'pcps.credential'])
}

type Row = Omit<PcpLetter, 'pcp_name'> & Parameters<typeof pcpName>[0]
const letterFrom = ({ last_name, first_name, credential, ...letter }: Row): PcpLetter => ({
  ...letter,
  pcp_name: pcpName({ last_name, first_name, credential }),
})

export async function letterOf(db: Kysely<Schema>, idLetter: string): Promise<PcpLetter> {
  return letterFrom(await selectLetters(db).where('id_letter', '=', idLetter).executeTakeFirstOrThrow())
}

/** @throws Refusal patient-unknown, patient-of-other-store */
export async function lettersOfPatient(services: Services, scope: Scope, idPatient: string): Promise<PcpLetter[]> {
  const { pool } = services.db
  const { id } = await findPatient(pool, scope, idPatient)
  const at = new Date(services.clock.now()).toISOString()
  const who = { at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
  await auditView(pool, { id_patient: id, ...who, action: 'letter.view' })
  const newest = selectLetters(pool).where('id_patient', '=', id).orderBy('sent_on', 'desc').orderBy('recorded_at', 'desc')
  return (await newest.limit(lettersShown).execute()).map(letterFrom)
}

/** The letters to a provider about patients whom this user may see. */
export async function lettersOfPcp(db: Kysely<Schema>, scope: Scope, idPcp: string): Promise<LetterOfPcp[]> {
  const stores = await storesInSight(db, scope)
  const all = db
    .selectFrom('pcp_letters')
    .innerJoin('patients', 'patients.id', 'pcp_letters.id_patient')
    .select([...columns, 'patients.id', 'patients.last_name', 'patients.first_name', 'patients.middle_name', 'patients.pref'])
    .where('id_pcp', '=', idPcp)
  const inSight = stores === null ? all : all.where(sql<SqlBool>`patients.store_id = any(${stores}::int[])`)
  const rows = await inSight.orderBy('sent_on', 'desc').orderBy('recorded_at', 'desc').limit(lettersShown).execute()
  return rows.map(({ id, last_name, first_name, middle_name, pref, ...letter }) => ({
    ...letter,
    patient: { id, last_name, first_name, middle_name, pref },
  }))
}
