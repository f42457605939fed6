import type { Transaction } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { fold } from '#contract/core/folding.ts'
import { pcpFieldNames, type PcpInput, pcpInputOf, pcpName, pcpSortKey, pcpWords } from '#contract/patients/pcp.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { findPcp } from '#server/features/patients/pcps/read-pcps.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

type Trx = Transaction<Schema>

/** Makes writers of the list take turns. The chain has one list, and it seldom changes. */
export async function holdList(trx: Trx): Promise<void> {
  await trx.selectFrom('server_state').select('epoch').forUpdate().execute()
}

/** The columns of the fields, and their search keys. */
export function columnsOf(input: PcpInput) {
  return {
    ...pcpInputOf(input),
    words: pcpWords(input),
    city_words: fold(input.city ?? ''),
    specialty_words: fold(input.specialty ?? ''),
    sort_key: pcpSortKey(input),
  }
}

export function changedNow(services: Services, scope: Scope) {
  return { changed_at: new Date(services.clock.now()).toISOString(), changed_by: scope.name }
}

/** Audits changes of the list in their transaction. `detail` names fields and ids, never their content. */
export async function auditPcps(
  trx: Trx,
  services: Services,
  scope: Scope,
  entries: readonly { id_pcp: string; action: 'pcp.create' | 'pcp.edit' | 'pcp.merge' | 'pcp.import'; detail: string }[],
): Promise<void> {
  const who = {
    at: new Date(services.clock.now()).toISOString(),
    id_user: scope.id_user,
    rep: scope.name,
    store_id: scope.store_id,
    device_id: tabletOf(scope),
  }
  await trx
    .insertInto('pcp_audit')
    .values(entries.map((entry) => ({ ...entry, ...who })))
    .execute()
}

export function namesOfGiven(input: PcpInput): string {
  return pcpFieldNames.filter((field) => input[field] !== null && input[field] !== false).join(', ')
}

/** Adds a provider, once for each id. */
export async function addPcp(services: Services, scope: Scope, id: string, input: PcpInput): Promise<void> {
  await services.db.write([], async ({ trx }) => {
    await holdList(trx)
    const known = await trx.selectFrom('pcps').selectAll().where('id_pcp', '=', id).executeTakeFirst()
    if (known) {
      if (pcpFieldNames.some((field) => known[field] !== input[field])) throw new Refusal('key-reused')
      return
    }
    const row = { ...columnsOf(input), id_pcp: id, version: 1, ...changedNow(services, scope) }
    await withFreeNpi(trx, input, id, () => trx.insertInto('pcps').values(row).execute())
    await auditPcps(trx, services, scope, [{ id_pcp: id, action: 'pcp.create', detail: namesOfGiven(input) }])
  })
}

/** @throws Refusal pcp-unknown, pcp-merged, pcp-changed, pcp-npi-taken */
export async function changePcp(services: Services, scope: Scope, id: string, version: number, input: PcpInput): Promise<void> {
  await services.db.write([], async ({ trx }) => {
    await holdList(trx)
    const row = await lockPcp(trx, id, version)
    const changed = pcpFieldNames.filter((field) => row[field] !== input[field])
    if (changed.length === 0) return
    const update = { ...columnsOf(input), version: row.version + 1, ...changedNow(services, scope) }
    await withFreeNpi(trx, input, id, () => trx.updateTable('pcps').set(update).where('id_pcp', '=', id).execute())
    await auditPcps(trx, services, scope, [{ id_pcp: id, action: 'pcp.edit', detail: changed.join(', ') }])
  })
}

/**
 * Returns the locked provider of this version.
 * @throws Refusal pcp-unknown, and pcp-merged or pcp-changed with the current provider
 */
export async function lockPcp(trx: Trx, id: string, version: number) {
  const row = await trx.selectFrom('pcps').selectAll().where('id_pcp', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw new Refusal('pcp-unknown')
  if (row.merged_into !== null) throw new Refusal('pcp-merged', { details: { pcp: await findPcp(trx, id) } })
  if (row.version !== version) throw new Refusal('pcp-changed', { details: { pcp: await findPcp(trx, id) } })
  return row
}

async function withFreeNpi(trx: Trx, { npi }: PcpInput, id: string, write: () => Promise<unknown>): Promise<void> {
  if (npi !== null) {
    const other = await trx
      .selectFrom('pcps')
      .selectAll()
      .where('npi', '=', npi)
      .where('merged_into', 'is', null)
      .where('id_pcp', '<>', id)
      .executeTakeFirst()
    if (other) throw npiTaken({ id_pcp: other.id_pcp, name: pcpName(other) })
  }
  try {
    await write()
  } catch (error) {
    if (brokenUniqueness(error) !== 'pcps_npi') throw error
    throw npiTaken()
  }
}

function npiTaken(details: Record<string, unknown> = {}): Refusal {
  return new Refusal('pcp-npi-taken', { fields: [{ path: 'body.npi', message: 'Another primary care provider has this NPI' }], details })
}
