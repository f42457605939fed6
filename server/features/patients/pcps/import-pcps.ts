import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { fold } from '#contract/core/folding.ts'
import { pcpIdentity, type PcpInput, pcpSortKey } from '#contract/patients/pcp.ts'
import type { pcpEndpoints } from '#contract/patients/pcps.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { auditPcps, changedNow, columnsOf, holdList, namesOfGiven } from '#server/features/patients/pcps/save-pcp.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

type Results = ResponseOf<typeof pcpEndpoints.importPcps>['results']

/** One batch of a file, in one transaction. */
export async function importPcps(services: Services, scope: Scope, rows: readonly PcpInput[], checkOnly: boolean): Promise<Results> {
  if (checkOnly) return (await judge(services.db.pool, rows)).map(told)
  return await services.db.write([], async ({ trx }) => {
    await holdList(trx)
    const judged = await judge(trx, rows)
    const fresh = judged.filter(({ verdict }) => verdict === 'new')
    if (fresh.length > 0) {
      const changed = changedNow(services, scope)
      const values = fresh.map(({ id, input }) => ({ ...columnsOf(input), id_pcp: id, version: 1, ...changed }))
      await trx.insertInto('pcps').values(values).execute()
      const imports = fresh.map(({ id, hash }) => ({ row_hash: hash, id_pcp: id }))
      await trx.insertInto('pcp_imports').values(imports).execute()
      const entries = fresh.map(({ id, input }) => ({ id_pcp: id, action: 'pcp.import' as const, detail: namesOfGiven(input) }))
      await auditPcps(trx, services, scope, entries)
    }
    return judged.map((row) => (row.verdict === 'new' ? { verdict: 'imported', id_pcp: row.id } : told(row)))
  })
}

type Judged = { id: string; hash: string; input: PcpInput; verdict: 'new' | 'already-there' | 'same-person' }

function told({ verdict, id }: Judged): Results[number] {
  return { verdict, id_pcp: verdict === 'new' ? null : id }
}

async function judge(db: Kysely<Schema>, rows: readonly PcpInput[]): Promise<Judged[]> {
  const asked = rows.map((input) => ({
    input,
    hash: createHash('sha256').update(pcpIdentity(input)).digest('hex'),
    key: pcpSortKey(input),
  }))
  const before = await db
    .selectFrom('pcp_imports')
    .innerJoin('pcps', 'pcps.id_pcp', 'pcp_imports.id_pcp')
    .select(['row_hash', 'pcps.id_pcp', 'pcps.merged_into'])
    .where(
      'row_hash',
      'in',
      asked.map(({ hash }) => hash),
    )
    .execute()
  const npis = rows.flatMap(({ npi }) => npi ?? [])
  // Who was merged is looked at, too: the same row would bring them back.
  const listed = await db
    .selectFrom('pcps')
    .select(['id_pcp', 'merged_into', 'sort_key', 'npi', 'phone', 'fax', 'practice'])
    .where((eb) =>
      eb.or([
        eb(
          'sort_key',
          'in',
          asked.map(({ key }) => key),
        ),
        ...(npis.length > 0 ? [eb('npi', 'in', npis)] : []),
      ]),
    )
    .execute()
  const imported = new Map(before.map(({ row_hash, id_pcp, merged_into }) => [row_hash, merged_into ?? id_pcp]))
  return asked.map(({ input, hash, key }) => {
    const known = imported.get(hash)
    if (known !== undefined) return { id: known, hash, input, verdict: 'already-there' }
    const same = listed.find((row) => isSame(row, input, key))
    if (same) return { id: same.merged_into ?? same.id_pcp, hash, input, verdict: 'same-person' }
    const id = uuidv7()
    // Whoever stands twice in one batch is written once.
    imported.set(hash, id)
    listed.push({
      id_pcp: id,
      merged_into: null,
      sort_key: key,
      npi: input.npi,
      phone: input.phone,
      fax: input.fax,
      practice: input.practice,
    })
    return { id, hash, input, verdict: 'new' }
  })
}

type Listed = Pick<PcpInput, 'npi' | 'phone' | 'fax' | 'practice'> & { sort_key: string }

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
