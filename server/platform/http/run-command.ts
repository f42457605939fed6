import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import type { CommandKind } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import { receipt as receiptShape } from '#contract/sync/sync.ts'
import {
  appliedReceipt,
  bodyHash,
  findReceipts,
  insertReceipts,
  type StoredReceipt,
  takeReceiptNumbers,
} from '#server/platform/db/receipts.ts'
import type { Applied, AppliedRow } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { actorOf, type UseCase } from '#server/platform/http/use-case.ts'
import type { Services } from '#server/platform/services.ts'

type PlainCall = { services: Services; scope: Scope; headers: Headers; address: string }

/**
 * Runs a use case for a call, by the user who is signed in. The call's Idempotency-Key, or the id that it gives to the new row, is the
 * command's id. A repeat returns the rows of the first run, and nothing else of it.
 *
 * @param make makes what is asked for, given the command's id
 * @throws Refusal permission-missing as a push refuses the same command, key-reused, and as the use case
 */
export async function runCommand<K extends CommandKind, Asked, Done extends Applied>(
  call: PlainCall,
  useCase: Pick<UseCase<K, Asked, Done>, 'kind' | 'permission' | 'scopes' | 'apply'>,
  make: (id: string) => Asked,
  givenId: string | null = null,
): Promise<Applied & Partial<Done>> {
  const { services, scope } = call
  const { kind, permission, scopes, apply } = useCase
  if (!scope.permissions.has(permission)) throw new Refusal('permission-missing')
  const id = idOfKey(call.headers.get('idempotency-key'), scope) ?? givenId?.toLowerCase() ?? uuidv7()
  const body = make(id)
  const hash = bodyHash(canonicalJson(['call', id, kind, body, scope.store_id, scope.id_user]))
  const at = new Date(services.clock.now()).toISOString()
  const actor = actorOf(scope)
  return await services.db.write(await scopes({ store_id: scope.store_id, body, services }), async (writing) => {
    const stored = (await findReceipts(writing.trx, [id])).get(id)
    if (stored) return { rows: rowsOf(stored, hash) } as Applied & Partial<Done>
    const done = await apply({ writing, services, id, body, actor, deliverer: scope, capturedAt: at, receivedAt: at })
    const nextNumber = await takeReceiptNumbers(writing.trx, 1)
    const number = nextNumber()
    const answer = JSON.stringify(appliedReceipt({ id, body_hash: hash, number, at, rows: done.rows }))
    const people = { author_id: scope.id_user, deliverer_id: scope.id_user }
    const receipt = { command_id: id, number, body_hash: hash, kind, ...people, device_id: actor.device_id, answer, received_at: at }
    await insertReceipts(writing.trx, [receipt])
    return done
  })
}

function rowsOf(stored: StoredReceipt, hash: string): AppliedRow[] {
  if (stored.body_hash !== hash) throw new Refusal('key-reused')
  return v.parse(receiptShape, JSON.parse(stored.answer)).rows ?? []
}

/** The id that a call's Idempotency-Key stands for. Keys that are no UUID become one that is this person's alone. */
export function idOfKey(key: string | null, scope: Scope): string | null {
  const given = key?.trim() ?? ''
  if (given === '') return null
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given.toLowerCase()
  const hex = createHash('sha256').update(`idempotency key ${scope.id_user} ${given}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
