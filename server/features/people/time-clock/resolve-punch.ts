import { v7 as uuidv7 } from 'uuid'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { ReviewEntry } from '#contract/people/time-card.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { applyCorrection, type Correction } from '#server/features/people/time-clock/corrections.ts'
import { reviewEntryOf } from '#server/features/people/time-clock/review-list.ts'
import { assertMayReview } from '#server/features/people/time-clock/reviewers.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

type Resolving = ParsedRequestOf<Endpoints['resolvePunch']>['body']

/**
 * Ends the review of a punch. The raw punch never changes: a manager's correction is a new row that supersedes it, and
 * a rejection is a new void row.
 */
export async function resolvePunch(services: Services, scope: Scope, id: string, body: Resolving): Promise<ReviewEntry> {
  const now = services.clock.now()
  const entry = await reviewEntryOf(services.db.pool, scope, id, now)
  if (!entry) throw new Refusal('punch-unknown')
  const idUser = entry.id_user ?? body.id_user ?? null
  if (entry.id_user !== null && (body.id_user ?? entry.id_user) !== entry.id_user) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.id_user', message: 'This punch belongs to someone else' }] })
  }
  if (idUser === null && body.resolution !== 'rejected') {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.id_user', message: 'Choose whose punch this is' }] })
  }
  if (body.resolution === 'corrected' && (body.at === undefined || body.direction === undefined)) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.at', message: 'Enter a time and a direction' }] })
  }
  if (idUser !== null) await assertMayReview(services.db.pool, scope, idUser)

  await services.db.write(idUser === null ? [] : [`user:${idUser}`], async (writing) => {
    await assertStillOpen(writing, scope, id, now)
    if (idUser !== null) await settle(writing, entry, idUser, body, scope, new Date(now).toISOString())
    else await writing.trx.updateTable('punches').set({ in_review: false }).where('id', '=', id).execute()
    await closeReview(writing, entry, body, scope, new Date(now).toISOString())
  })
  const resolved = await reviewEntryOf(services.db.pool, scope, id, now)
  if (!resolved) throw new Error(`The review of ${id} is gone after it was resolved`)
  return resolved
}

/** Rejects the others of a group, for the same reason. A punch that another manager has decided does not change. */
export async function rejectRepeats(services: Services, scope: Scope, { reason, repeats }: Resolving): Promise<void> {
  for (const id of new Set(repeats.map((each) => each.toLowerCase()))) {
    try {
      await resolvePunch(services, scope, id, { resolution: 'rejected', reason, repeats: [] })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}

/** Reads the entry again under the lock, because another manager may have been quicker. */
async function assertStillOpen(writing: Writing, scope: Scope, id: string, now: number): Promise<void> {
  // Locks the row itself, because a punch without a person has no revision for managers to take turns on.
  await writing.trx.selectFrom('punches').select('id').where('id', '=', id).forUpdate().execute()
  const entry = await reviewEntryOf(writing.trx, scope, id, now)
  if (!entry || entry.resolved_at !== null) {
    throw new Refusal('punch-overlap', { message: 'Someone else already handled this punch' })
  }
}

async function settle(
  writing: Writing,
  entry: ReviewEntry,
  idUser: number,
  body: Resolving,
  scope: Scope,
  receivedAt: string,
): Promise<void> {
  // Raw time, direction and proof stay. The review only ends the hold and names the person.
  await writing.trx
    .updateTable('punches')
    .set({ in_review: false, id_user: idUser, revision: writing.revision(`user:${idUser}`) })
    .where('id', '=', entry.id)
    .execute()
  if (body.resolution === 'accepted') return
  const base = { id_user: idUser, reason: body.reason, editorId: scope.id_user, receivedAt, deviceId: null, id: uuidv7() }
  await applyCorrection(writing, { ...base, ...changeOf(entry, body) })
}

function changeOf(entry: ReviewEntry, body: Resolving): Pick<Correction, 'supersedes' | 'direction' | 'at'> {
  if (body.resolution === 'rejected' || body.at === undefined || body.direction === undefined) {
    return { supersedes: entry.id, direction: 'void', at: entry.at }
  }
  const at = new Date(body.at).toISOString()
  // Adds a forgotten clock-out. The clock-in before it is right.
  const addsTheOut = entry.direction === 'in' && body.direction === 'out' && entry.reasons.includes('open-16-hours')
  return { supersedes: addsTheOut ? null : entry.id, direction: body.direction, at }
}

async function closeReview(writing: Writing, entry: ReviewEntry, body: Resolving, scope: Scope, at: string): Promise<void> {
  const resolved = { resolved_at: at, resolution: body.resolution, resolved_by: scope.id_user, resolution_reason: body.reason }
  const reasons = JSON.stringify(entry.reasons)
  await writing.trx
    .insertInto('punch_reviews')
    .values({ punch_id: entry.id, reasons, ...resolved })
    .onConflict((conflict) => conflict.column('punch_id').doUpdateSet({ reasons, ...resolved }))
    .execute()
}
