import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { isOn } from '#src/sync/engine/verdict.ts'

/** How often a tablet asks for the manager's decision, ms. */
const askManagerMs = 5 * 60_000

/**
 * Queues refused work again when its reason is over: its author is signed in now, or a manager may have applied it.
 * @param author the signed-in user who can send; null when there is none
 */
export async function askAgain(hot: HotDatabase, author: number | null, now: number): Promise<void> {
  const attention = () => hot.outbox.where('state').equals('needs-attention')
  // Usually there is none, and no scan waits for the check.
  if (author === null || (await attention().count()) === 0) return
  await hot.transaction('rw', hot.outbox, async () => {
    const waiting = await attention().toArray()
    const again = waiting.filter((command) => isOver(command, author, now))
    if (again.length > 0)
      await hot.outbox.bulkPut(again.map((command) => ({ ...command, state: 'queued' as const, attempts: 0, failing_since: null })))
  })
}

function isOver({ last_error, author }: OutboxCommand, signedIn: number, now: number): boolean {
  if (last_error === null) return false
  switch (last_error.code) {
    case 'author-absent':
    case 'capture-token-invalid':
      return author.id_user === signedIn
    case 'work-held': {
      const since = Date.parse(last_error.at)
      return !isOn({ since, until: since + askManagerMs }, now)
    }
    default:
      return false
  }
}
