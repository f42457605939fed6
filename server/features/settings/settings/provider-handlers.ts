import { Refusal } from '#contract/core/errors.ts'
import type { providerEndpoints } from '#contract/settings/providers.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { auditSettings } from '#server/features/settings/settings/settings-audit.ts'
import { readProviders } from '#server/domain/people/provider-numbers.ts'

/** License number and NPI of the doctors. Everyone reads them, and managers of a doctor's stores change them. */
export const providerHandlers: HandlersOf<keyof typeof providerEndpoints> = {
  async listProviders({ services, scope }) {
    return { providers: await readProviders(services.db.pool, scope.store_id) }
  },

  async changeProvider({ services, scope, params, body }) {
    return await services.db.pool.transaction().execute(async (trx) => {
      const id = Number(params.id)
      const found = (await readProviders(trx, scope.store_id)).find(({ id_user, is_here }) => id_user === id && is_here)
      if (!found) throw new Refusal('rx-provider-unknown')
      const before = await trx
        .selectFrom('users')
        .select(['license_no', 'npi'])
        .where('id_user', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      await auditSettings(trx, services, scope, { action: 'provider.edit', id_provider: id, before, after: body })
      await trx.updateTable('users').set(body).where('id_user', '=', id).execute()
      return { ...found, ...body }
    })
  },
}
