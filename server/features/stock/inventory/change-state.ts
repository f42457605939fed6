import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { controlActions, controlNote, controlRefusal } from '#contract/stock/control-rules.ts'
import { Refusal } from '#contract/core/errors.ts'
import { controlFlags, type ControlFlag, type FrameRecord } from '#contract/stock/frames.ts'
import { afterControl, bringsHere } from '#contract/stock/stock-state.ts'
import type { Writing } from '#server/platform/db/database.ts'
import { frameRecordOf } from '#server/features/stock/inventory/frame-record.ts'
import type { CommandApplier } from '#server/platform/http/command-applier.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { readStoreSettings } from '#server/domain/people/store-settings.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'
import { historyRow } from '#server/domain/stock/history-row.ts'
import { endTransit } from '#server/domain/stock/transfer-line.ts'
import { joinVendorReturn } from '#server/domain/stock/vendor-return.ts'
import { selectFrames, type FrameWithNames } from '#server/domain/stock/frame-rows.ts'

type StateChange = ParsedRequestOf<Endpoints['updateFrameState']>['body']

/** Who does it, and in which store they are. */
type Doer = { id_user: number; name: string; store_id: number; device_id: string | null }
type Control = { flag: ControlFlag; note: string | null; at: string }

/** One of the seven actions: status, version, history and revision in one transaction. Of two people at once one wins. */
export async function changeFrameState(services: Services, scope: Scope, change: StateChange): Promise<FrameRecord> {
  const flag = chosenFlag(change)
  const note = controlNote(change.note ?? '') ?? null
  const at = new Date(services.clock.now()).toISOString()
  const by: Doer = { id_user: scope.id_user, name: scope.name, store_id: scope.store_id, device_id: null }
  return await services.db.writing(['chain'], async (writing) => {
    const frame = await readFrame(writing, change.inventory_id)
    await assertTheirs(writing, by, frame, flag)
    if (change.version !== undefined && change.version !== frame.version) throw changed(frame)
    await control(writing, by, frame, { flag, note, at })
    return await frameRecordOf(writing.trx, await readFrame(writing, frame.id_inventory), scope)
  })
}

/**
 * The same by a command, which may have waited for a connection. What counts is how the frame stood when it was chosen: one that was
 * counted or given another price meanwhile is still the one that the person held, and one that is by now as they would have it is left so.
 */
export const changeFrameStateLater: CommandApplier<'frame.change-state'> = async ({ writing, command, body, author, capturedAt }) => {
  if (command.store_id === null) {
    throw new Refusal('request-invalid', { fields: [{ path: 'store_id', message: 'a frame is changed in a store' }] })
  }
  const by: Doer = { id_user: author.id_user, name: author.name, store_id: command.store_id, device_id: command.device_id }
  const { action: flag, seen } = body
  const frame = await readFrame(writing, body.id_inventory)
  await assertTheirs(writing, by, frame, flag)
  if (frame.status !== seen.status || frame.store_id !== seen.store_id) {
    const after = afterControl(flag, { ...seen, last_seen_at: null }, { store_id: by.store_id, at: capturedAt })
    if (frame.status === after.status && frame.store_id === after.store_id) return { rows: [] }
    throw changed(frame)
  }
  await control(writing, by, frame, { flag, note: controlNote(body.note) ?? null, at: capturedAt })
  return { rows: [] }
}

async function readFrame({ trx }: Writing, id: number): Promise<FrameWithNames> {
  const frame = await selectFrames(trx).where('frames.id_inventory', '=', id).executeTakeFirst()
  if (!frame) throw new Refusal('frame-unknown')
  return frame
}

const changed = ({ status, version }: FrameWithNames) => new Refusal('frame-changed', { details: { status, version } })

function chosenFlag(change: StateChange): ControlFlag {
  const chosen = controlFlags.filter((flag) => change[flag] === true)
  const [flag] = chosen
  if (!flag || chosen.length > 1) {
    const message = chosen.length > 1 ? 'Select one inventory control option only' : 'You must select an inventory control option'
    throw new Refusal('request-invalid', { fields: [{ path: 'body', message }] })
  }
  return flag
}

async function assertTheirs({ trx }: Writing, by: Doer, frame: FrameWithNames, flag: ControlFlag): Promise<void> {
  if (bringsHere(flag) || frame.store_id === by.store_id) return
  const theirs = await storesOf(trx, by.id_user)
  if (!theirs.includes(frame.store_id)) throw new Refusal('store-foreign', { message: `This frame belongs to ${frame.store_name}` })
}

/** @throws Refusal when the action is not possible in the frame's state, or needs a note */
async function control({ trx, revision }: Writing, by: Doer, frame: FrameWithNames, { flag, note, at }: Control): Promise<void> {
  const { control_preset } = await readStoreSettings(trx, by.store_id)
  const refusal = controlRefusal(flag, frame.status, control_preset)
  if (refusal !== null) throw new Refusal('control-not-allowed', { message: refusal, details: { status: frame.status } })
  const action = controlActions[flag]
  if (action.noteRequired && note === null) {
    throw new Refusal('control-note-missing', { fields: [{ path: 'body.note', message: 'This action needs a note' }] })
  }
  const after = afterControl(flag, frame, { store_id: by.store_id, at })
  // A command that waited may be told of after a count that saw the frame later.
  const last_seen_at =
    [after.last_seen_at, frame.last_seen_at]
      .filter((moment) => moment !== null)
      .sort(byTime)
      .at(-1) ?? null
  await trx
    .updateTable('frames')
    .set({
      ...after,
      last_seen_at,
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
    by: { id_user: by.id_user, rep: by.name, device_id: by.device_id },
    extra: note ?? '',
  })
  await trx.insertInto('frame_history').values(row).execute()
  if (flag === 'state_return_vendor') await joinVendorReturn(trx, { ...by, at }, frame, frame.status)
  if (frame.status === 'ICT') await endTransit(trx, [{ id_inventory: frame.id_inventory, status: after.status }], { rep: by.name, at })
}

const byTime = (one: string, other: string) => Date.parse(one) - Date.parse(other)
