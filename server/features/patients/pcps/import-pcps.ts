import type { ResponseOf } from '#contract/core/endpoint.ts'
import { fold } from '#contract/core/folding.ts'
import { pcpIdentity, type PcpInput, pcpSortKey } from '#contract/patients/pcp.ts'
import type { pcpEndpoints } from '#contract/patients/pcps.ts'
import { checkRows, type ImportKind, importRows } from '#server/domain/patients/import-rows.ts'
import { auditPcps, changedNow, columnsOf, holdList, namesOfGiven } from '#server/features/patients/pcps/save-pcp.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

type Results = ResponseOf<typeof pcpEndpoints.importPcps>['results']

/** Imports one batch of a file in one transaction. */
export async function importPcps(services: Services, scope: Scope, rows: readonly PcpInput[], checkOnly: boolean): Promise<Results> {
  const kind = pcpImport(services, scope)
  const results = checkOnly
    ? await checkRows(services.db.pool, kind, rows)
    : await services.db.write([], async (writing) => {
        await holdList(writing.trx)
        return await importRows(writing, kind, rows)
      })
  return results.map(({ verdict, id }) => ({ verdict, id_pcp: id }))
}

type Listed = Pick<PcpInput, 'npi' | 'phone' | 'fax' | 'practice'> & { sort_key: string; id: string }

function pcpImport(services: Services, scope: Scope): ImportKind<PcpInput, Listed> {
  return {
    identity: pcpIdentity,
    async brought(db, hashes) {
      const rows = await db
        .selectFrom('pcp_imports')
        .innerJoin('pcps', 'pcps.id_pcp', 'pcp_imports.id_pcp')
        .select(['row_hash', 'pcps.id_pcp', 'pcps.merged_into'])
        .where('row_hash', 'in', hashes)
        .execute()
      return rows.map(({ row_hash, id_pcp, merged_into }) => ({ hash: row_hash, id: merged_into ?? id_pcp }))
    },
    async alike(db, rows) {
      const npis = rows.flatMap(({ npi }) => npi ?? [])
      // Merged providers count too. Otherwise the same row would add them again.
      const listed = await db
        .selectFrom('pcps')
        .select(['id_pcp', 'merged_into', 'sort_key', 'npi', 'phone', 'fax', 'practice'])
        .where((eb) => eb.or([eb('sort_key', 'in', rows.map(pcpSortKey)), ...(npis.length > 0 ? [eb('npi', 'in', npis)] : [])]))
        .execute()
      return listed.map(({ id_pcp, merged_into, ...row }) => ({ ...row, id: merged_into ?? id_pcp }))
    },
    isSame: (input, listed) => isSame(listed, input, pcpSortKey(input)),
    idOf: ({ id }) => id,
    listedAs: (input, id) => ({ ...input, id, sort_key: pcpSortKey(input) }),
    async write({ trx }, fresh) {
      const changed = changedNow(services, scope)
      const values = fresh.map(({ id, row }) => ({ ...columnsOf(row), id_pcp: id, version: 1, ...changed }))
      await trx.insertInto('pcps').values(values).execute()
      const imports = fresh.map(({ id, hash }) => ({ row_hash: hash, id_pcp: id }))
      await trx.insertInto('pcp_imports').values(imports).execute()
      const entries = fresh.map(({ id, row }) => ({ id_pcp: id, action: 'pcp.import' as const, detail: namesOfGiven(row) }))
      await auditPcps(trx, services, scope, entries)
    },
  }
}

function isSame(row: Listed, input: PcpInput, key: string): boolean {
  if (row.npi !== null && input.npi !== null) return row.npi === input.npi
  if (row.sort_key !== key) return false
  const agree = (one: string | null, other: string | null) => one !== null && one === other
  if (agree(row.phone, input.phone) || agree(row.fax, input.fax)) return true
  const practice = fold(row.practice ?? '')
  if (practice !== fold(input.practice ?? '')) return false
  const differ = (one: string | null, other: string | null) => one !== null && other !== null && one !== other
  return practice !== '' || !(differ(row.phone, input.phone) || differ(row.fax, input.fax))
}
