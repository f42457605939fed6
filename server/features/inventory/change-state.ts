import type { ParsedRequestOf } from '#contract/endpoint.ts'
import type { Endpoints } from '#contract/endpoints.ts'
import { controlActions, controlNote, controlRefusal } from '#contract/control-rules.ts'
import { Refusal } from '#contract/errors.ts'
import { controlFlags, type ControlFlag, type FrameRecord } from '#contract/frames.ts'
import { afterControl, bringsHere } from '#contract/stock-state.ts'
import type { Writing } from '#server/db/database.ts'
import { frameRecordOf } from '#server/features/inventory/find-frame.ts'
import type { Scope } from '#server/http/scope.ts'
import { readStoreSettings } from '#server/people/store-settings.ts'
import { storesOf } from '#server/people/stores-of.ts'
import type { Services } from '#server/services.ts'
import { historyRow } from '#server/stock/history-row.ts'
import { endTransit } from '#server/stock/transfer-line.ts'
import { selectFrames, type FrameWithNames } from '#server/stock/frame-rows.ts'

type StateChange = ParsedRequestOf<Endpoints['updateFrameState']>['body']

/** One of the seven actions: status, version, history and revision in one transaction. Of two people at once one wins. */
export async function changeFrameState(services: Services, scope: Scope, change: StateChange): Promise<FrameRecord> {
  const flag = chosenFlag(change)
  const note = controlNote(change.note ?? '') ?? null
  const at = new Date(services.clock.now()).toISOString()
  return await services.db.writing(['chain'], async (writing) => {
    const frame = await selectFrames(writing.trx).where('frames.id_inventory', '=', change.inventory_id).executeTakeFirst()
    if (!frame) throw new Refusal('frame-unknown')
    await assertAllowed(writing, scope, frame, flag, change.version)
    if (controlActions[flag].noteRequired && note === null) {
      throw new Refusal('control-note-missing', { fields: [{ path: 'body.note', message: 'This action needs a note' }] })
    }
    await write(writing, scope, frame, { flag, note, at })
    const changed = await selectFrames(writing.trx).where('frames.id_inventory', '=', frame.id_inventory).executeTakeFirstOrThrow()
    return await frameRecordOf(writing.trx, changed, scope)
  })
}

function chosenFlag(change: StateChange): ControlFlag {
  const chosen = controlFlags.filter((flag) => change[flag] === true)
  const [flag] = chosen
  if (!flag || chosen.length > 1) {
    const message = chosen.length > 1 ? 'Select one inventory control option only' : 'You must select an inventory control option'
    throw new Refusal('request-invalid', { fields: [{ path: 'body', message }] })
  }
  return flag
}

async function assertAllowed(
  writing: Writing,
  scope: Scope,
  frame: FrameWithNames,
  flag: ControlFlag,
  version: number | undefined,
): Promise<void> {
  if (!bringsHere(flag) && frame.store_id !== scope.store_id) {
    const theirs = await storesOf(writing.trx, scope.id_user)
    if (!theirs.includes(frame.store_id)) throw new Refusal('store-foreign', { message: `This frame belongs to ${frame.store_name}` })
  }
  if (version !== undefined && version !== frame.version) {
    throw new Refusal('frame-changed', { details: { status: frame.status, version: frame.version } })
  }
  const { control_preset } = await readStoreSettings(writing.trx, scope.store_id)
  const refusal = controlRefusal(flag, frame.status, control_preset)
  if (refusal !== null) throw new Refusal('control-not-allowed', { message: refusal, details: { status: frame.status } })
}

async function write(
  { trx, revision }: Writing,
  scope: Scope,
  frame: FrameWithNames,
  { flag, note, at }: { flag: ControlFlag; note: string | null; at: string },
): Promise<void> {
  const action = controlActions[flag]
  const after = afterControl(flag, frame, { store_id: scope.store_id, at })
  await trx
    .updateTable('frames')
    .set({
      ...after,
      note: note ?? frame.note,
      version: frame.version + 1,
      changed_at: at,
      revision: revision('chain'),
    })
    .where('id_inventory', '=', frame.id_inventory)
    .execute()
  const row = historyRow({
    id_inventory: frame.id_inventory,
    action: action.label,
    before: frame,
    after,
    at,
    by: { id_user: scope.id_user, rep: scope.name, device_id: null },
    extra: note ?? '',
  })
  await trx.insertInto('frame_history').values(row).execute()
  if (frame.status === 'ICT') await endTransit(trx, [{ id_inventory: frame.id_inventory, status: after.status }], { rep: scope.name, at })
}
