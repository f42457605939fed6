import { Refusal } from '#contract/core/errors.ts'
import { checkTimeCard } from '#server/features/people/time-clock/check.ts'
import { applyCorrection } from '#server/features/people/time-clock/corrections.ts'
import { publicSealingKey } from '#server/domain/people/open-sealed.ts'
import { asPunches, punchesBetween } from '#server/features/people/time-clock/person-punches.ts'
import { rejectRepeats, resolvePunch } from '#server/features/people/time-clock/resolve-punch.ts'
import { reviewList } from '#server/features/people/time-clock/review-list.ts'
import { sessionStatus } from '#server/features/people/time-clock/session-status.ts'
import { assertMayReview, peopleOf, reviewedStores } from '#server/features/people/time-clock/reviewers.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'

const longestSpanMs = 100 * 86_400_000

export const timeCardHandlers: HandlersOf<
  'checkTimeCard' | 'sessionStatus' | 'sealingKey' | 'punchReview' | 'resolvePunch' | 'correctPunch' | 'timeEntries' | 'people'
> = {
  checkTimeCard,

  sessionStatus,

  async sealingKey({ services }) {
    const [key] = services.secrets.sealingKeys
    if (!key) throw new Error('The server has no key to which punches could be sealed')
    return publicSealingKey(key)
  },

  async punchReview({ services, scope, query }) {
    return { entries: await reviewList(services.db.pool, scope, services.clock.now(), query.resolved ?? 'no') }
  },

  async resolvePunch({ services, scope, params, body }) {
    const resolved = await resolvePunch(services, scope, params.id.toLowerCase(), body)
    if (body.resolution === 'rejected') await rejectRepeats(services, scope, body)
    return resolved
  },

  async correctPunch({ services, scope, body }) {
    await assertMayReview(services.db.pool, scope, body.id_user)
    const receivedAt = new Date(services.clock.now()).toISOString()
    const row = await services.db.write([`user:${body.id_user}`], async (writing) =>
      applyCorrection(writing, {
        ...body,
        id: body.id.toLowerCase(),
        supersedes: body.supersedes?.toLowerCase() ?? null,
        at: new Date(body.at).toISOString(),
        editorId: scope.id_user,
        receivedAt,
        deviceId: null,
      }),
    )
    const [punch] = await asPunches(services.db.pool, [row])
    if (!punch) throw new Error('A correction must belong to someone')
    return punch
  },

  async timeEntries({ services, scope, query }) {
    await assertMayReview(services.db.pool, scope, query.id_user)
    const from = Date.parse(query.from)
    const to = Date.parse(query.to)
    if (!(from <= to) || to - from > longestSpanMs) {
      throw new Refusal('request-invalid', { fields: [{ path: 'query.to', message: 'must lie within 100 days after `from`' }] })
    }
    const rows = await punchesBetween(services.db.pool, query.id_user, new Date(from).toISOString(), new Date(to).toISOString())
    return { punches: await asPunches(services.db.pool, rows) }
  },

  async people({ services, scope }) {
    const people = await peopleOf(services.db.pool, await reviewedStores(services.db.pool, scope))
    return {
      people: people.map(({ id_user, username, first_name, last_name, store_name }) => ({
        id_user,
        username,
        name: `${first_name} ${last_name}`,
        store_name,
      })),
    }
  },
}
