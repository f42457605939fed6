import { sql } from 'kysely'
import * as v from 'valibot'
import { wireCommand } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import { type HeldCommand, heldLimit, type heldWorkEndpoints, type HoldReason } from '#contract/sync/held-work.ts'
import type { CommandEntry } from '#server/platform/http/command-applier.ts'
import type { CommandKind } from '#contract/sync/commands.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { personName } from '#server/domain/people/person-name.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'
import { applyChunk, type Ready } from '#server/sync/apply-chunk.ts'
import { commandTable } from '#server/sync/command-table.ts'
import { type Incoming, isKnownKind, openBody, readBody } from '#server/sync/incoming.ts'

/** Proven work that a manager must review before it is applied. The tablet keeps it, and so does the server. */
export class Held extends Refusal {
  readonly reason: HoldReason
  readonly store_id: number
  readonly capturedAt: string

  constructor({ reason, store_id }: { reason: HoldReason; store_id: number }, capturedAt: string) {
    super('work-held', { details: { reason } })
    this.name = 'Held'
    this.reason = reason
    this.store_id = store_id
    this.capturedAt = capturedAt
  }
}

/** Keeps work for a manager. Work that is kept already stays unchanged. */
export async function keepHeld(services: Services, deliverer: Scope, held: readonly { incoming: Incoming; why: Held }[]): Promise<void> {
  const received_at = new Date(services.clock.now()).toISOString()
  const rows = held.flatMap(({ incoming: { id, hash, command }, why }) =>
    command.author.id_user === null
      ? []
      : {
          command_id: id,
          body_hash: hash,
          kind: command.kind,
          command: JSON.stringify(command),
          lane: command.lane.replaceAll('\u0000', ''),
          lane_seq: Math.min(command.lane_seq, Number.MAX_SAFE_INTEGER),
          device_id: command.device_id,
          store_id: why.store_id,
          author_id: command.author.id_user,
          deliverer_id: deliverer.id_user,
          reason: why.reason,
          captured_at: why.capturedAt,
          received_at,
        },
  )
  if (rows.length === 0) return
  await services.db.pool
    .insertInto('held_commands')
    .values(rows)
    .onConflict((conflict) => conflict.column('command_id').doNothing())
    .execute()
}

/** Returns which of these commands a manager has discarded. */
export async function findDiscarded(services: Services, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await services.db.pool
    .selectFrom('held_commands')
    .select('command_id')
    .where('command_id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('decision', '=', 'discarded')
    .execute()
  return new Set(rows.map(({ command_id }) => command_id))
}

/** Work that waits for the managers of these stores: neither discarded nor applied. */
function waiting(services: Services, stores: readonly number[]) {
  return services.db.pool
    .selectFrom('held_commands as held')
    .where('held.store_id', '=', sql<number>`any(${[...stores]}::int[])`)
    .where(sql<boolean>`held.decision is distinct from 'discarded'`)
    .where(sql<boolean>`not exists (select from receipts where receipts.command_id = held.command_id)`)
}

/** Shows held work to a manager, and takes the decision on it. */
export const heldWorkHandlers: HandlersOf<keyof typeof heldWorkEndpoints> = {
  async listHeldWork({ services, scope }) {
    const stores = await storesOf(services.db.pool, scope.id_user)
    const { total } = await waiting(services, stores)
      .select(sql<number>`count(*)`.as('total'))
      .executeTakeFirstOrThrow()
    const rows = await waiting(services, stores)
      .innerJoin('users as author', 'author.id_user', 'held.author_id')
      .innerJoin('users as deliverer', 'deliverer.id_user', 'held.deliverer_id')
      .innerJoin('stores as store', 'store.store_id', 'held.store_id')
      .leftJoin('tablets as tablet', 'tablet.id_tablet', 'held.device_id')
      .select(['held.command_id', 'held.kind', 'held.command', 'held.author_id', 'held.device_id', 'held.store_id', 'held.reason'])
      .select(['held.captured_at', 'held.received_at', 'store.store_name', 'tablet.name as tablet_name'])
      .select([personName('author').as('author_name'), personName('deliverer').as('deliverer_name')])
      .orderBy('held.author_id')
      .orderBy('held.captured_at')
      .orderBy('held.lane')
      .orderBy('held.lane_seq')
      .limit(heldLimit)
      .execute()
    const about = await readAbout(
      services,
      rows.map(({ command }) => bodyOf(command)),
    )
    const held = rows.map(({ command_id, command, ...row }): HeldCommand => ({ id: command_id, ...row, ...about(bodyOf(command)) }))
    return { held, total }
  },

  async decideHeldWork({ services, scope, body: { ids, decision, reason } }) {
    const stores = await storesOf(services.db.pool, scope.id_user)
    const rows = await waiting(services, stores)
      .selectAll('held')
      .where('held.command_id', '=', sql<string>`any(${ids}::uuid[])`)
      .orderBy('held.lane')
      .orderBy('held.device_id')
      .orderBy('held.lane_seq')
      .execute()
    const decided: string[] = []
    const refused: { id: string; code: string; message: string }[] = []
    for (const row of rows) {
      const failure = decision === 'apply' ? await applyHeld(services, scope, row) : null
      if (failure) refused.push({ id: row.command_id, ...failure })
      else if (await noteDecision(services, scope, row.command_id, decision, reason)) decided.push(row.command_id)
    }
    services.log.info(
      {
        id_user: scope.id_user,
        decision,
        decided: decided.length,
        refused: refused.length,
        authors: [...new Set(rows.map((row) => row.author_id))],
      },
      'held work was decided',
    )
    return { decided, refused }
  },
}

/** Returns false when another manager was first. */
async function noteDecision(
  services: Services,
  { id_user }: Scope,
  id: string,
  decision: 'apply' | 'discard',
  because: string,
): Promise<boolean> {
  const isDone = sql<boolean>`exists (select from receipts where receipts.command_id = held_commands.command_id)`
  const noted = await services.db.pool
    .updateTable('held_commands')
    .set({
      decision: decision === 'apply' ? 'applied' : 'discarded',
      decided_by: id_user,
      decided_at: new Date(services.clock.now()).toISOString(),
      decided_because: because,
    })
    .where('command_id', '=', id)
    .where('decision', 'is', null)
    .$if(decision === 'discard', (query) => query.where(sql<boolean>`not ${isDone}`))
    .returning('command_id')
    .executeTakeFirst()
  return noted !== undefined
}

type Row = { command_id: string; body_hash: string; command: string; kind: string; author_id: number; captured_at: string }
type Failure = { code: string; message: string }

/**
 * Applies the work as its author's. Where the author has lost the right, the manager answers for it, so the manager
 * needs that right.
 */
async function applyHeld(services: Services, manager: Scope, row: Row): Promise<Failure | null> {
  try {
    const ready = await readyOf(services, manager, row)
    const { answers } = await applyChunk(services, manager, [ready])
    const answer = answers.get(ready.id)
    if (answer === undefined) throw new Refusal('server-failed')
    if (answer.as === 'applied' || answer.as === 'replayed') return null
    const message: unknown = JSON.parse(answer.text).error?.message
    return { code: answer.as, message: typeof message === 'string' ? message : new Refusal(answer.as).message }
  } catch (fault) {
    if (fault instanceof Refusal) return { code: fault.code, message: fault.message }
    throw fault
  }
}

async function readyOf(services: Services, manager: Scope, row: Row): Promise<Ready> {
  if (!isKnownKind(row.kind)) throw new Refusal('command-unknown')
  return await readyOfKind(services, manager, row, row.kind, commandTable[row.kind] as CommandEntry<CommandKind>)
}

async function readyOfKind<K extends CommandKind>(
  services: Services,
  manager: Scope,
  row: Row,
  kind: K,
  entry: CommandEntry<K>,
): Promise<Ready<K>> {
  if (entry.permission !== null && !manager.permissions.has(entry.permission)) throw new Refusal('permission-missing')
  const command = v.parse(wireCommand, JSON.parse(row.command))
  const body = readBody(kind, { version: command.version, body: await openBody(services, command) })
  const meaning = await entry.prepare({ command, body, services, deliverer: manager })
  const person = await services.db.pool
    .selectFrom('users')
    .select(personName('users').as('name'))
    .where('id_user', '=', row.author_id)
    .executeTakeFirstOrThrow()
  const { role_ids, permissions } = manager
  const author = { id_user: row.author_id, name: person.name, role_ids, permissions } as Ready<K>['context']['author']
  const receivedAt = new Date(services.clock.now()).toISOString()
  const context = { command, body, author, capturedAt: row.captured_at, receivedAt }
  return { command, id: row.command_id, hash: row.body_hash, kind, ...meaning, context }
}

type Body = { id_count_sheet: string | null; raw_code: string | null; id_inventory: number | null }
const bodyShape = v.object({
  body: v.object({
    id_count_sheet: v.fallback(v.nullable(v.pipe(v.string(), v.uuid())), null),
    raw_code: v.fallback(v.nullable(v.string()), null),
    id_inventory: v.fallback(v.nullable(v.number()), null),
  }),
})

function bodyOf(command: string): Body {
  return v.parse(bodyShape, JSON.parse(command)).body
}

/** Returns a reader of the code and the count number of a command, which people know it by. */
async function readAbout(services: Services, bodies: readonly Body[]): Promise<(body: Body) => Pick<HeldCommand, 'code' | 'count_number'>> {
  const db = services.db.pool
  const sheets = [...new Set(bodies.flatMap(({ id_count_sheet }) => id_count_sheet ?? []))]
  const pieces = [
    ...new Set(bodies.flatMap(({ raw_code, id_inventory }) => (raw_code === null && id_inventory !== null ? id_inventory : []))),
  ]
  const numbers =
    sheets.length === 0
      ? []
      : await db
          .selectFrom('count_sheets')
          .select(['id_count_sheet', 'number'])
          .where('id_count_sheet', '=', sql<string>`any(${sheets}::uuid[])`)
          .execute()
  const tags =
    pieces.length === 0
      ? []
      : await db
          .selectFrom('frames')
          .select(['id_inventory', 'sku'])
          .where('id_inventory', '=', sql<number>`any(${pieces}::int[])`)
          .execute()
  const numberOf = new Map(numbers.map(({ id_count_sheet, number }) => [id_count_sheet, number]))
  const tagOf = new Map(tags.map(({ id_inventory, sku }) => [id_inventory, sku]))
  return ({ id_count_sheet, raw_code, id_inventory }) => ({
    code: raw_code ?? (id_inventory === null ? null : (tagOf.get(id_inventory) ?? null)),
    count_number: id_count_sheet === null ? null : (numberOf.get(id_count_sheet.toLowerCase()) ?? null),
  })
}
