import { type Kysely, sql } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'
import type { Author } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'

/**
 * Who saw and changed a patient's record. Rows are only ever added, in the transaction that does the work. `detail`
 * names fields and parts, and never holds their content.
 */
export type AuditRow = {
  id_patient: string
  at: string
  by: { id_user: number | null; name: string }
  store_id: number | null
  device_id: string | null
  /** noun.verb, such as `patient.view`, `rx.sign`. */
  action: string
  detail?: string
  /** In the user's words, or in those of the screen. */
  reason?: string
  offline?: boolean
  /** The name of the user whose session delivered it, when that is not the author. */
  deliveredBy?: string | null
}

/** The name of the deliverer, when that is not the author. */
export function delivererOf(author: Pick<Author, 'id_user'>, deliverer: Scope | null): string | null {
  return deliverer === null || deliverer.id_user === author.id_user ? null : deliverer.name
}

export async function audit(db: Kysely<Schema>, row: AuditRow): Promise<void> {
  await db.insertInto('patient_audit').values(toTable(row)).execute()
}

/** `audit` for many records that one action changed. */
export async function auditAll(db: Kysely<Schema>, rows: readonly AuditRow[]): Promise<void> {
  await db.insertInto('patient_audit').values(rows.map(toTable)).execute()
}

/** A second look at the same part within a quarter of an hour counts as the same look. */
const sameLookMinutes = 15

/** `audit` for a look at a record. */
export async function auditView(db: Kysely<Schema>, row: AuditRow): Promise<void> {
  const values = toTable(row)
  const from = new Date(Date.parse(row.at) - sameLookMinutes * 60_000).toISOString()
  await sql`
    insert into patient_audit (id_patient, at, id_user, rep, store_id, device_id, action, detail, reason, offline, delivered_by)
    select ${values.id_patient}::uuid, ${values.at}::timestamptz, ${values.id_user}::int, ${values.rep}, ${values.store_id}::int,
      ${values.device_id}::uuid, ${values.action}, ${values.detail}, ${values.reason}, ${values.offline}::boolean, ${values.delivered_by}::text
    where not exists (
      select 1 from patient_audit
      where id_patient = ${values.id_patient}::uuid and id_user = ${values.id_user}::int and action = ${values.action}
        and detail = ${values.detail} and reason = ${values.reason} and at between ${from}::timestamptz and ${values.at}::timestamptz
    )
  `.execute(db)
}

function toTable({ by, detail = '', reason = '', offline = false, deliveredBy = null, ...row }: AuditRow) {
  return { ...row, id_user: by.id_user, rep: by.name, detail, reason, offline, delivered_by: deliveredBy }
}
