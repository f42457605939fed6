import { type Kysely, sql } from 'kysely'
import { type FieldChange, type SettingsAction, type SettingsChange, settingsChangesShown } from '#contract/settings/settings-changes.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { personName } from '#server/domain/people/person-name.ts'
import type { Services } from '#server/platform/services.ts'

type Values = Record<string, FieldChange['before']>
type Change = { action: SettingsAction; id_provider?: number; before: Values; after: Values }

/** Audits the changed fields, in the transaction of the change. It writes nothing about unchanged fields. */
export async function auditSettings(trx: Kysely<Schema>, services: Services, scope: Scope, change: Change): Promise<void> {
  const { action, id_provider = null, before, after } = change
  const changes = Object.keys(after)
    .map((field): FieldChange => ({ field, before: before[field] ?? null, after: after[field] ?? null }))
    .filter((one) => one.before !== one.after)
  if (changes.length === 0) return
  const at = new Date(services.clock.now()).toISOString()
  const { store_id, id_user, name: rep } = scope
  await trx
    .insertInto('settings_audit')
    .values({ store_id, id_provider, at, id_user, rep, device_id: tabletOf(scope), action, changes: JSON.stringify(changes) })
    .execute()
}

export async function readSettingsChanges(db: Kysely<Schema>, storeId: number): Promise<SettingsChange[]> {
  return await db
    .selectFrom('settings_audit as row')
    .leftJoin('users as provider', 'provider.id_user', 'row.id_provider')
    .select(['row.at', 'row.rep as by', 'row.action', 'row.changes'])
    .select(sql<string | null>`${personName('provider')}`.as('provider'))
    .where('row.store_id', '=', storeId)
    .orderBy('row.id', 'desc')
    .limit(settingsChangesShown)
    .execute()
}
