import { Refusal } from '#contract/core/errors.ts'
import { mergedPcp, pcpInputOf } from '#contract/patients/pcp.ts'
import { auditPcps, changedNow, columnsOf, holdList, lockPcp } from '#server/features/patients/pcps/save-pcp.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { auditAll } from '#server/domain/patients/audit.ts'
import type { Services } from '#server/platform/services.ts'

type Merge = { stays: { id: string; version: number }; goes: { id: string; version: number } }

const auditedAtOnce = 1000

/**
 * Merges two providers. The one that stays gets the fields that it lacks, and every patient and letter of the other.
 * The other row stays only to lead there. It raises the revisions of all stores first, so that no patient arrives in
 * between. Two merges take turns.
 * @returns how many patients moved
 * @throws Refusal pcp-same, pcp-unknown, pcp-merged, pcp-changed
 */
export async function mergePcps(services: Services, scope: Scope, { stays, goes }: Merge): Promise<number> {
  if (stays.id === goes.id) throw new Refusal('pcp-same')
  const stores = await services.db.pool.selectFrom('stores').select('store_id').orderBy('store_id').execute()
  const scopes = stores.map(({ store_id }) => `patients:${store_id}` as const)
  return await services.db.write(scopes, async ({ trx, revision }) => {
    await holdList(trx)
    const kept = await lockPcp(trx, stays.id, stays.version)
    const gone = await lockPcp(trx, goes.id, goes.version)
    const changed = changedNow(services, scope)
    // First, so that its NPI is free for the provider that stays.
    await trx
      .updateTable('pcps')
      .set({ merged_into: stays.id, version: gone.version + 1, ...changed })
      .where('id_pcp', '=', goes.id)
      .execute()
    await trx.updateTable('pcps').set({ merged_into: stays.id }).where('merged_into', '=', goes.id).execute()
    const whole = mergedPcp(pcpInputOf(kept), pcpInputOf(gone))
    await trx
      .updateTable('pcps')
      .set({ ...columnsOf(whole), version: kept.version + 1, ...changed })
      .where('id_pcp', '=', stays.id)
      .execute()
    const told = { at: changed.changed_at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
    const auditEach = async (patients: readonly string[], detail: string) => {
      for (let from = 0; from < patients.length; from += auditedAtOnce) {
        const part = patients.slice(from, from + auditedAtOnce)
        await auditAll(
          trx,
          part.map((id_patient) => ({ ...told, id_patient, action: 'pcp.merge', detail })),
        )
      }
    }
    const letters = await trx
      .updateTable('pcp_letters')
      .set({ id_pcp: stays.id })
      .where('id_pcp', '=', goes.id)
      .returning('id_patient')
      .execute()
    await auditEach([...new Set(letters.map(({ id_patient }) => id_patient))], 'letters')
    let moved = 0
    for (const { store_id } of stores) {
      const patients = await trx
        .updateTable('patients')
        .set((eb) => ({ pcp_id: stays.id, version: eb('version', '+', 1), revision: revision(`patients:${store_id}`) }))
        .where('pcp_id', '=', goes.id)
        .where('store_id', '=', store_id)
        .returning('id')
        .execute()
      moved += patients.length
      await auditEach(
        patients.map(({ id }) => id),
        'pcp_id',
      )
    }
    await auditPcps(trx, services, scope, [
      { id_pcp: stays.id, action: 'pcp.merge', detail: `stays, ${goes.id} goes` },
      { id_pcp: goes.id, action: 'pcp.merge', detail: `goes, ${stays.id} stays` },
    ])
    return moved
  })
}
