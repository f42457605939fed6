import { portalPageSize, type portalEndpoints } from '#contract/patients/portal.ts'
import { answerMessage, countMessages, listMessages, markMessage } from '#server/features/patients/portal/inbox.ts'
import { countIntakes, listIntakes, mergeIntake, readIntake } from '#server/features/patients/portal/intakes.ts'
import { countInvitations, readInvitations } from '#server/features/patients/portal/invitation-rows.ts'
import { invite, nowOf, preview, resend, revoke } from '#server/features/patients/portal/invitations.ts'
import { agree, openPortal, takeIntake, takeMessage } from '#server/features/patients/portal/patient-side.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { storesInSight } from '#server/domain/patients/patient-access.ts'

/** The patient portal: the patient's calls through their link, and the clinic's review. */
export const portalHandlers: HandlersOf<keyof typeof portalEndpoints> = {
  openPortal,
  agreeInPortal: agree,
  sendIntake: takeIntake,
  sendPortalMessage: takeMessage,

  async portalSummary({ services, scope }) {
    const { pool } = services.db
    const stores = await storesInSight(pool, scope)
    const [invitations, messages, unread, intakes] = await Promise.all([
      countInvitations(pool, nowOf(services), { stores }),
      countMessages(pool, { stores, done: false }),
      countMessages(pool, { stores, done: false }, true),
      countIntakes(pool, { stores, reviewed: false }),
    ])
    return { invitations, messages, unread, intakes }
  },

  async listInvitations({ services, scope, query: { status, page } }) {
    const { pool } = services.db
    const wanted = { stores: await storesInSight(pool, scope), status }
    const now = nowOf(services)
    const [invitations, total] = await Promise.all([
      readInvitations(pool, now, { ...wanted, page, pageSize: portalPageSize }),
      countInvitations(pool, now, wanted),
    ])
    return { invitations, total }
  },

  previewInvitation: (call) => preview(call, call.params.id),
  inviteToPortal: (call) => invite(call, call.body),
  resendInvitation: (call) => resend(call, call.params.id, call.body),
  revokeInvitation: (call) => revoke(call, call.params.id),

  listPortalMessages: (call) => listMessages(call, call.query.done === 'yes', call.query.page),
  markPortalMessage: (call) => markMessage(call, call.params.id, call.body),
  answerPortalMessage: (call) => answerMessage(call, call.params.id, call.body),

  listIntakes: (call) => listIntakes(call, call.query.reviewed === 'yes', call.query.page),
  readIntake: (call) => readIntake(call, call.params.id),
  mergeIntake: (call) => mergeIntake(call, call.params.id, call.body.take),
}
