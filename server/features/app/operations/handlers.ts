import { endpoints } from '#contract/core/endpoints.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { openApiDocument } from '#server/platform/http/openapi-document.ts'

/** Calls for operators and probes. */
export const operationsHandlers: HandlersOf<'health' | 'openApi'> = {
  async health({ services }) {
    const state = await services.db.pool.selectFrom('server_state').select(['epoch', 'is_demo']).executeTakeFirstOrThrow()
    return {
      ok: true,
      service: 'lorgnette',
      version: services.config.appVersion,
      epoch: state.epoch,
      server_time: new Date(services.clock.now()).toISOString(),
      demo: state.is_demo,
    }
  },

  async openApi({ services }) {
    return openApiDocument(endpoints, services.config.appVersion)
  },
}
