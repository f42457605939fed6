import { Refusal } from '#contract/core/errors.ts'
import { clockTimeline, skewLimitMs } from '#contract/people/time-clock.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { punchesAround, type PunchRow } from '#server/features/people/time-clock/person-punches.ts'

export type Correction = {
  id: string
  supersedes: string | null
  id_user: number
  direction: 'in' | 'out' | 'void'
  /** ISO, server time. */
  at: string
  reason: string
  editorId: number
  receivedAt: string
  deviceId: string | null
}

/**
 * Writes a correction as a new row, and leaves the corrected row unchanged. The same correction again returns the same
 * row. It runs in a writing transaction of the person's scope.
 */
export async function applyCorrection(writing: Writing, correction: Correction): Promise<PunchRow> {
  const { trx } = writing
  const made = await trx.selectFrom('punches').selectAll().where('id', '=', correction.id).executeTakeFirst()
  if (made) {
    if (!isSame(made, correction)) throw new Refusal('key-reused')
    return made
  }
  if (Date.parse(correction.at) > Date.parse(correction.receivedAt) + skewLimitMs) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.at', message: 'The time can’t be in the future' }] })
  }
  if (correction.direction === 'void' && correction.supersedes === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'body.supersedes', message: 'Choose which punch to remove' }] })
  }
  const person = await trx.selectFrom('users').select(['username', 'store_id']).where('id_user', '=', correction.id_user).executeTakeFirst()
  if (!person) throw new Refusal('punch-unknown', { message: 'Person not found' })
  const superseded = correction.supersedes === null ? null : await correctable(writing, correction.supersedes, correction.id_user)

  const row: PunchRow = {
    id: correction.id,
    id_user: correction.id_user,
    username: person.username,
    store_id: superseded?.store_id ?? person.store_id,
    direction: correction.direction,
    at: correction.at,
    device_wall: correction.receivedAt,
    received_at: correction.receivedAt,
    offline_captured: false,
    skew_ms: null,
    device_id: correction.deviceId,
    deliverer_id: null,
    supersedes: correction.supersedes,
    edited_by: correction.editorId,
    edit_reason: correction.reason,
    in_review: false,
    revision: writing.revision(`user:${correction.id_user}`),
  }
  if (correction.direction !== 'void') {
    const around = await punchesAround(trx, correction.id_user, correction.at)
    const { doubles } = clockTimeline([...around, row], Date.parse(correction.receivedAt))
    if (doubles.some((double) => double.id === row.id)) {
      throw new Refusal('punch-overlap', {
        message: correction.direction === 'in' ? 'They were already clocked in at that time' : 'They weren’t clocked in at that time',
      })
    }
  }
  await trx.insertInto('punches').values(row).execute()
  return row
}

/** Returns the punch to supersede, when it is this person's and nobody else has corrected it in the meantime. */
async function correctable(writing: Writing, id: string, idUser: number): Promise<PunchRow> {
  const punch = await writing.trx.selectFrom('punches').selectAll().where('id', '=', id).executeTakeFirst()
  if (!punch || punch.id_user !== idUser) throw new Refusal('punch-unknown')
  const successor = await writing.trx.selectFrom('punches').select('id').where('supersedes', '=', id).executeTakeFirst()
  if (successor) throw new Refusal('punch-overlap', { message: 'Someone else corrected this punch. Reload it.' })
  return punch
}

function isSame(row: PunchRow, correction: Correction): boolean {
  return (
    row.supersedes === correction.supersedes &&
    row.id_user === correction.id_user &&
    row.direction === correction.direction &&
    Date.parse(row.at) === Date.parse(correction.at) &&
    row.edited_by === correction.editorId &&
    row.edit_reason === correction.reason
  )
}
