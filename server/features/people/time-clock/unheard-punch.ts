import type { SealedPunch } from '#contract/people/time-card.ts'
import { punchTime, storableInstant } from '#contract/people/time-clock.ts'
import { applyPunch } from '#server/features/people/time-clock/apply-punch.ts'
import { findPerson } from '#server/domain/people/find-person.ts'
import type { Services } from '#server/platform/services.ts'

type QueuedPunch = Pick<SealedPunch, 'id' | 'username' | 'direction' | 'store_id' | 'captured' | 'device_id'>

/**
 * Keeps a live punch that changed nothing and whose answer was lost. Such a punch (out while out) leaves a receipt and
 * no row, and its answer says so. When it comes again from the queue, nobody has seen that answer: nobody knows that
 * they forgot to clock in. So it is now written as a queued punch, which a manager sees. `id` is in lower case. A punch
 * that left a row is ignored.
 */
export async function keepUnheardPunch(services: Services, punch: QueuedPunch, delivererId: number | null): Promise<void> {
  const { pool } = services.db
  if (await pool.selectFrom('punches').select('id').where('id', '=', punch.id).executeTakeFirst()) return
  const receipt = await pool.selectFrom('receipts').select('author_id').where('command_id', '=', punch.id).executeTakeFirst()
  // The receipt's hash covers the sealed password, so only the author can repeat a proven punch.
  const person = receipt && receipt.author_id !== null ? await findPerson(pool, punch.username) : null
  if (!person) return
  const receivedAt = new Date(services.clock.now()).toISOString()
  const { at, skewMs } = punchTime(punch.captured)
  await services.db.write([`user:${person.id_user}`], async (writing) => {
    if (await writing.trx.selectFrom('punches').select('id').where('id', '=', punch.id).executeTakeFirst()) return
    await applyPunch(writing, {
      id: punch.id,
      person,
      proven: true,
      username: punch.username,
      direction: punch.direction,
      at,
      deviceWall: storableInstant(Date.parse(punch.captured.wall)),
      receivedAt,
      skewMs,
      live: false,
      deviceId: punch.device_id,
      delivererId,
      storeId: punch.store_id,
    })
  })
}
