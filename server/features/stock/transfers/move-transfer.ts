import { sql } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import { type Arrival, type TransferStatus, whyNotTransferred } from '#contract/stock/transfers.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { assertDraft, assertFromHere, pieceElsewhere } from '#server/features/stock/transfers/draft-transfer.ts'
import { findTransfer } from '#server/features/stock/transfers/read-transfers.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { type Actor, actorOf, defineUseCase } from '#server/platform/http/use-case.ts'
import type { Services } from '#server/platform/services.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import { moveFrame } from '#server/domain/stock/move-frame.ts'
import { settleTransfer } from '#server/domain/stock/transfer-line.ts'
import { type FrameWithNames, selectFrames } from '#server/domain/stock/frame-rows.ts'

type Found = Awaited<ReturnType<typeof findTransfer>>
type Step = { actor: Actor; transfer: Found; at: string; writing: Writing }
type Asked = { end: 'from' | 'to'; in: readonly TransferStatus[]; version?: number }

/**
 * Runs every change of a transfer in one transaction with the pieces and their history. Of two at once, one succeeds.
 */
async function onTransfer<T>(services: Services, scope: Scope, id: string, asked: Asked, work: (step: Step) => Promise<T>): Promise<T> {
  const at = new Date(services.clock.now()).toISOString()
  return await services.db.write(['chain'], async (writing) => {
    const transfer = await findTransfer(writing.trx, scope, id)
    assertHere(scope, { store_id: transfer[`${asked.end}_store_id`], store: transfer[`${asked.end}_store`] })
    if (!asked.in.includes(transfer.status))
      throw new Refusal('transfer-not-allowed', { message: `The transfer is already ${transfer.status}` })
    if (asked.version !== undefined) assertVersion(transfer, asked.version)
    return await work({ actor: actorOf(scope), transfer, at, writing })
  })
}

type Lines = Awaited<ReturnType<typeof linesOf>>
/**
 * A call names the version that its user saw. A command names the pieces, because a tablet knows no version of its
 * draft.
 */
type Seen = { version: number } | { items: readonly number[] }

/**
 * Makes all pieces ICT of the destination store, or none. Only a transfer of defective pieces takes defective ones. A
 * transfer that left with exactly the pieces of a command counts as done: an earlier call arrived and its answer was
 * lost.
 * @throws Refusal transfer-unknown, store-foreign, transfer-changed, transfer-not-allowed, transfer-empty,
 * transfer-piece-elsewhere
 */
export const sendTransfer = defineUseCase('transfer.send', {
  permission: 'frame.transfer',
  scopes: () => ['chain'],
  asked: ({ id_transfer, items }): { id_transfer: string; seen: Seen } => ({ id_transfer, seen: { items } }),
  apply: async ({ writing, actor, body: { id_transfer, seen }, capturedAt }) => {
    const transfer = await findTransfer(writing.trx, actor, id_transfer)
    assertFromHere(transfer, actor)
    const step = { actor, transfer, at: capturedAt, writing }
    const lines = await linesOf(step)
    const hasLeft = transfer.status !== 'draft' && transfer.status !== 'cancelled'
    if ('items' in seen && hasLeft && hasJust(lines, seen.items)) return { rows: [] }
    assertDraft(transfer)
    if ('version' in seen) assertVersion(transfer, seen.version)
    else await assertHasJust(step, lines, seen.items)
    await sendLines(step, lines)
    return { rows: [] }
  },
})

function hasJust(lines: Lines, items: readonly number[]): boolean {
  const seen = new Set(items)
  return lines.length === seen.size && lines.every(({ frame }) => seen.has(frame.id_inventory))
}

/** @throws Refusal transfer-piece-elsewhere, transfer-changed */
async function assertHasJust({ writing, transfer }: Step, lines: Lines, items: readonly number[]): Promise<void> {
  if (hasJust(lines, items)) return
  // A frame that the server kept off the draft is the cause. Its name says more than a general conflict.
  const listed = new Set(lines.map(({ frame }) => frame.id_inventory))
  const keptOff = await framesOf(
    writing.trx,
    items.filter((id) => !listed.has(id)),
  )
  const staying = whatStays(transfer, [...keptOff.values()])
  if (staying.length > 0) throw pieceElsewhere(staying)
  throw new Refusal('transfer-changed', { message: 'The frames on the transfer have changed' })
}

/** @throws Refusal transfer-changed */
function assertVersion(transfer: Found, version: number): void {
  if (version !== transfer.version) throw new Refusal('transfer-changed', { details: { version: transfer.version } })
}

/** The frames that cannot leave, each with the reason. */
function whatStays(transfer: Found, frames: readonly FrameWithNames[]): { id: number; why: string }[] {
  return frames.flatMap((frame) => {
    const isHere = frame.store_id === transfer.from_store_id
    const refusal = whyNotTransferred(frame, transfer)
    const why = isHere ? refusal && `: ${refusal}` : ` is in ${frame.store_name}`
    return why === null ? [] : [{ id: frame.id_inventory, why: `${frame.sku}${why}` }]
  })
}

async function sendLines(step: Step, lines: Lines): Promise<void> {
  const { transfer, at, writing, actor } = step
  if (lines.length === 0) throw new Refusal('transfer-empty')
  const staying = whatStays(
    transfer,
    lines.map(({ frame }) => frame),
  )
  if (staying.length > 0) throw pieceElsewhere(staying)
  for (const { frame } of lines) {
    await setLine(step, frame.id_inventory, { state: 'in transit', sent_status: frame.status })
    await move(step, frame, { status: 'ICT', store_id: transfer.to_store_id }, `Sent to ${transfer.to_store}`)
  }
  await writing.trx
    .updateTable('transfers')
    .set({ status: 'sent', sent_by: actor.name, sent_at: at, version: transfer.version + 1 })
    .where('id_transfer', '=', transfer.id_transfer)
    .execute()
}

/**
 * Puts the arrived pieces into this store's stock, damaged ones as Defective. @throws Refusal frame-unknown, and as
 * `onTransfer`
 */
export async function receiveTransfer(
  services: Services,
  scope: Scope,
  id: string,
  pieces: readonly { id_inventory: number; damaged: boolean; note: string }[],
): Promise<Arrival[]> {
  const under = ['sent', 'partly received', 'received', 'discrepancy'] as const
  return await onTransfer(services, scope, id, { end: 'to', in: under }, async (step) => {
    const { transfer, at, writing } = step
    const lines = new Map((await linesOf(step)).map((line) => [line.frame.id_inventory, line]))
    const arrivals: Arrival[] = []
    for (const { id_inventory, damaged, note } of pieces) {
      const line = lines.get(id_inventory)
      if (!line) {
        const frame = await selectFrames(writing.trx).where('frames.id_inventory', '=', id_inventory).executeTakeFirst()
        if (!frame) throw new Refusal('frame-unknown')
        arrivals.push({ id_inventory, outcome: 'unexpected', status: frame.status })
      } else if (line.state !== 'in transit') {
        arrivals.push({ id_inventory, outcome: line.state === 'lost' ? 'unexpected' : 'here', status: line.frame.status })
      } else {
        const isDefective = damaged || line.sent_status === 'Defective'
        const status: InventoryStatus = isDefective ? 'Defective' : 'Ready for Sale'
        await setLine(step, id_inventory, { state: damaged ? 'damaged' : 'received', received_by: scope.name, received_at: at, note })
        await move(step, line.frame, { status, store_id: transfer.to_store_id }, damaged ? 'Received damaged' : 'Received', note)
        lines.set(id_inventory, { ...line, state: 'received', frame: { ...line.frame, status } })
        arrivals.push({ id_inventory, outcome: 'received', status })
      }
    }
    if (arrivals.some(({ outcome }) => outcome === 'received')) await settleTransfer(writing.trx, transfer.id_transfer, at)
    return arrivals
  })
}

/** Gives up the pieces that have not arrived: they become Missing in the destination store. @throws as `onTransfer` */
export async function closeTransfer(services: Services, scope: Scope, id: string, version: number, discrepancy: string): Promise<void> {
  await onTransfer(services, scope, id, { end: 'to', in: ['sent', 'partly received'], version }, async (step) => {
    const { transfer, at, writing } = step
    for (const { frame, state } of await linesOf(step)) {
      if (state !== 'in transit') continue
      await setLine(step, frame.id_inventory, { state: 'lost' })
      await move(step, frame, { status: 'Missing', store_id: frame.store_id }, 'Lost in transit', discrepancy)
    }
    await writing.trx.updateTable('transfers').set({ discrepancy }).where('id_transfer', '=', transfer.id_transfer).execute()
    await settleTransfer(writing.trx, transfer.id_transfer, at)
  })
}

/** Cancels a transfer. A sent piece that has arrived nowhere gets its former status back. @throws as `onTransfer` */
export async function cancelTransfer(services: Services, scope: Scope, id: string, version: number): Promise<void> {
  await onTransfer(services, scope, id, { end: 'from', in: ['draft', 'sent'], version }, async (step) => {
    const { transfer, at, writing } = step
    for (const { frame, state, sent_status } of await linesOf(step)) {
      if (state === 'in transit')
        await move(step, frame, { status: sent_status ?? 'Ready for Sale', store_id: transfer.from_store_id }, 'Called back')
      await setLine(step, frame.id_inventory, { state: 'returned' })
    }
    await writing.trx
      .updateTable('transfers')
      .set({ status: 'cancelled', closed_at: at, version: transfer.version + 1 })
      .where('id_transfer', '=', transfer.id_transfer)
      .execute()
  })
}

type LineUpdate = Partial<{
  state: 'in transit' | 'received' | 'damaged' | 'lost' | 'returned'
  sent_status: InventoryStatus
  received_by: string
  received_at: string
  note: string
}>

async function setLine({ writing, transfer }: Step, id_inventory: number, change: LineUpdate): Promise<void> {
  await writing.trx
    .updateTable('transfer_lines')
    .set(change)
    .where('id_transfer', '=', transfer.id_transfer)
    .where('id_inventory', '=', id_inventory)
    .execute()
}

async function linesOf({ writing: { trx }, transfer }: Step) {
  const lines = await trx
    .selectFrom('transfer_lines')
    .selectAll()
    .where('id_transfer', '=', transfer.id_transfer)
    .orderBy('place')
    .execute()
  const byId = await framesOf(
    trx,
    lines.map(({ id_inventory }) => id_inventory),
  )
  return lines.flatMap(({ id_inventory, state, sent_status }) => {
    const frame = byId.get(id_inventory)
    return frame ? [{ frame, state, sent_status }] : []
  })
}

async function framesOf(trx: Writing['trx'], ids: readonly number[]): Promise<Map<number, FrameWithNames>> {
  const frames = await selectFrames(trx)
    .where('frames.id_inventory', '=', sql<number>`any(${[...ids]}::int[])`)
    .execute()
  return new Map(frames.map((frame) => [frame.id_inventory, frame]))
}

/** Moves one piece, with its history. A piece that changes stores loses its board location. */
async function move(
  { actor, transfer, at, writing }: Step,
  frame: FrameWithNames,
  after: { status: InventoryStatus; store_id: number },
  action: string,
  note = '',
): Promise<void> {
  const arrives = after.store_id !== frame.store_id
  await moveFrame(
    writing,
    { ...actor, at },
    frame,
    {
      ...after,
      ...(arrives && { board_location: null }),
      ...(after.status !== 'Missing' && { last_seen_at: laterOf(frame.last_seen_at, at) }),
    },
    { action, extra: [`Transfer ${transfer.number}`, note].filter(Boolean).join(': ') },
  )
}

/** A command that waited may arrive after a count that saw the frame later. */
const laterOf = (one: string | null, other: string) => (one !== null && Date.parse(one) > Date.parse(other) ? one : other)
