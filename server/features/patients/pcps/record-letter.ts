import { Refusal } from '#contract/core/errors.ts'
import type { PcpLetterInput } from '#contract/patients/pcp-letters.ts'
import { dayOf } from '#contract/people/time-clock.ts'
import { holdList } from '#server/features/patients/pcps/save-pcp.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import { audit } from '#server/domain/patients/audit.ts'
import { findPatient } from '#server/domain/patients/patient-access.ts'
import { standingPcp } from '#server/domain/patients/standing-pcp.ts'
import { timeZoneOf } from '#server/domain/people/time-zone-of.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * Records a letter, once for each id. It locks the list, so that no merge leaves a letter behind with the merged
 * provider.
 * @throws Refusal patient-unknown, patient-of-other-store, request-invalid, pcp-unknown, key-reused
 */
export async function recordLetter(services: Services, scope: Scope, idPatient: string, input: PcpLetterInput): Promise<void> {
  const now = services.clock.now()
  await services.db.write([], async ({ trx }) => {
    await holdList(trx)
    const { id } = await findPatient(trx, scope, idPatient)
    const id_letter = input.id_letter.toLowerCase()
    const id_pcp = await standingPcp(trx, input.id_pcp)
    const letter = { ...input, id_letter, id_patient: id, id_pcp: id_pcp ?? input.id_pcp }
    const known = await trx.selectFrom('pcp_letters').selectAll().where('id_letter', '=', id_letter).executeTakeFirst()
    if (known) {
      const isSame = (Object.keys(letter) as (keyof typeof letter)[]).every((field) => known[field] === letter[field])
      if (!isSame || known.id_user !== scope.id_user) throw new Refusal('key-reused')
      return
    }
    if (letter.sent_on > dayOf(now, await timeZoneOf(trx, scope.store_id))) {
      throw new Refusal('request-invalid', { fields: [{ path: 'body.sent_on', message: 'can’t be in the future' }] })
    }
    const pcp = await trx.selectFrom('pcps').select('id_pcp').where('id_pcp', '=', letter.id_pcp).executeTakeFirst()
    if (!pcp) throw new Refusal('pcp-unknown')
    const at = new Date(now).toISOString()
    await trx
      .insertInto('pcp_letters')
      .values({ ...letter, id_user: scope.id_user, rep: scope.name, recorded_at: at })
      .execute()
    const told = { at, by: scope, store_id: scope.store_id, device_id: tabletOf(scope) }
    await audit(trx, { id_patient: id, ...told, action: 'letter.record', detail: id_letter })
  })
}
