import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { canonicalJson } from '#contract/sync/command-hash.ts'
import { type CommandBody, type CommandKind, commandVersions, type WireCommand } from '#contract/sync/commands.ts'
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
import type { AppliedRow, CommandEntry } from '#server/platform/http/command-applier.ts'
import { type Scope, tabletOf } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'

type PlainCall = { services: Services; scope: Scope; headers: Headers; address: string }

/**
 * Does what a command does for a call that was made now, by the person who is signed in. The call's Idempotency-Key, or the
 * id that it gives to what it makes, is the command's id: repeated, it is answered with what the first one made.
 *
 * Throws `permission-missing` for who may not, as the same command in a push is refused.
 *
 * @param make makes the body, given the command's id
 */
export async function runCommand<K extends CommandKind>(
  call: PlainCall,
  kind: K,
  entry: CommandEntry<K>,
  make: (id: string) => CommandBody<K>,
  givenId: string | null = null,
): Promise<AppliedRow[]> {
  const { services, scope } = call
  if (entry.permission !== null && !scope.permissions.has(entry.permission)) throw new Refusal('permission-missing')
  const id = idOfKey(call.headers.get('idempotency-key'), scope) ?? givenId?.toLowerCase() ?? uuidv7()
  const body = make(id)
  const hash = bodyHash(canonicalJson(['call', id, kind, body, scope.store_id, scope.id_user]))
  const receivedAt = new Date(services.clock.now()).toISOString()
  const command: WireCommand = {
    id,
    lane: `call:${id}`,
    lane_seq: 1,
    kind,
    version: commandVersions[kind],
    body,
    store_id: scope.store_id,
    author: { id_user: scope.id_user, name: scope.name },
    capture_token: null,
    device_id: tabletOf(scope),
    captured: { wall: receivedAt, time_zone: 'UTC', server_offset_ms: 0, monotonic_ms: 0 },
  }
  const meaning =
    'prepare' in entry
      ? await entry.prepare({ command, body, services, deliverer: call.scope })
      : { scopes: entry.scopes(command), apply: entry.apply }
  return await services.db.writing(meaning.scopes, async (writing) => {
    const stored = (await findReceipts(writing.trx, [id])).get(id)
    if (stored) return rowsOf(stored, hash)
    const author = scope
    const { rows } = await meaning.apply({ writing, services, command, body, author, deliverer: scope, capturedAt: receivedAt, receivedAt })
    const nextNumber = await takeReceiptNumbers(writing.trx, 1)
    const number = nextNumber()
    const answer = JSON.stringify(appliedReceipt({ id, body_hash: hash, number, at: receivedAt, rows }))
    const people = { author_id: scope.id_user, deliverer_id: scope.id_user }
    const receipt = {
      command_id: id,
      number,
      body_hash: hash,
      kind,
      ...people,
      device_id: command.device_id,
      answer,
      received_at: receivedAt,
    }
    await insertReceipts(writing.trx, [receipt])
    return rows
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
