import { Refusal } from '#contract/core/errors.ts'
import type { InventoryStatus } from '#contract/stock/frames.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { findVendorReturn, type ReturnRow } from '#server/features/receiving/vendor-returns/read-returns.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { assertHere } from '#server/domain/people/assert-here.ts'
import type { Services } from '#server/platform/services.ts'
import type { FrameWithNames } from '#server/domain/stock/frame-rows.ts'
import { moveFrame } from '#server/domain/stock/move-frame.ts'
import { recordReturn } from '#server/domain/stock/vendor-return.ts'

/** One action of a user on a return of the store where they work now. */
export type Step = { writing: Writing; scope: Scope; at: string; back: ReturnRow }

/**
 * Runs `work` in one transaction with the pieces, their history and the timeline. Writers of returns and frames take
 * turns.
 * @throws Refusal vendor-return-unknown, store-foreign, vendor-return-changed
 */
export async function onReturn(
  services: Services,
  scope: Scope,
  id: string,
  version: number,
  work: (step: Step) => Promise<void>,
): Promise<void> {
  const at = new Date(services.clock.now()).toISOString()
  await services.db.write(['chain'], async (writing) => {
    const back = await findVendorReturn(writing.trx, scope, id)
    assertHere(scope, back)
    if (back.version !== version) throw new Refusal('vendor-return-changed', { details: { version: back.version } })
    await work({ writing, scope, at, back })
  })
}

export function notAllowed({ status }: Pick<ReturnRow, 'status'>): Refusal {
  return new Refusal('vendor-return-not-allowed', { message: `The return is ${told[status]}` })
}

const told = {
  draft: 'a draft still',
  ra_requested: 'waiting for its RMA number',
  ra_approved: 'approved',
  shipped: 'shipped already',
  credited: 'credited already',
  closed: 'closed',
  ra_denied: 'denied',
} as const

export async function record({ writing, scope, at }: Omit<Step, 'back'>, id: string, action: string, detail = ''): Promise<void> {
  await recordReturn(writing.trx, { id_user: scope.id_user, name: scope.name, at }, id, action, detail)
}

/** Changes a piece by a return, and writes its row of history. */
export async function movePiece(
  { writing, scope, at, back }: Step,
  frame: FrameWithNames,
  after: { status: InventoryStatus; removed_reason: 'vendor_return' | null },
  action: string,
): Promise<void> {
  const extra = `Return ${back.number}${back.ra_number === '' ? '' : `, RMA ${back.ra_number}`}`
  await moveFrame(writing, { ...scope, at }, frame, after, { action, extra })
}

/**
 * Puts pieces that the return took out of the stock back, with their former status. It does not touch pieces that were
 * sold or moved since.
 */
export async function putBack(
  step: Step,
  lines: readonly { frame: FrameWithNames; taken_status: InventoryStatus | null }[],
): Promise<void> {
  for (const { frame, taken_status } of lines) {
    if (taken_status === null || frame.status !== 'Removed' || frame.removed_reason !== 'vendor_return') continue
    const status = taken_status === 'Defective' ? 'Defective' : 'Ready for Sale'
    await movePiece(step, frame, { status, removed_reason: null }, 'Back from the vendor return')
  }
}
