import type { Kysely } from 'kysely'
import type { ParsedRequestOf } from '#contract/core/endpoint.ts'
import type { Endpoints } from '#contract/core/endpoints.ts'
import { controlActions, controlNote, controlRefusal } from '#contract/stock/control-rules.ts'
import { Refusal } from '#contract/core/errors.ts'
import { controlFlags, type ControlFlag } from '#contract/stock/frames.ts'
import { afterControl, bringsHere } from '#contract/stock/stock-state.ts'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { type Actor, defineUseCase } from '#server/platform/http/use-case.ts'
import { readStoreSettings } from '#server/domain/people/store-settings.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import { historyRow, type Standing } from '#server/domain/stock/history-row.ts'
import { endTransit } from '#server/domain/stock/transfer-line.ts'
import { joinVendorReturn } from '#server/domain/stock/vendor-return.ts'
import { selectFrames, type FrameWithNames } from '#server/domain/stock/frame-rows.ts'

type StateChange = ParsedRequestOf<Endpoints['updateFrameState']>['body']

type Control = { flag: ControlFlag; note: string | null; at: string }
/** A call may name the version that its user saw. A command names the status and store that its author saw. */
type Seen = { version: number | null } | Standing

/** Reads the action of a call. @throws Refusal request-invalid */
export function askedOf({ inventory_id, note = '', version, ...flags }: StateChange) {
  return { id_inventory: inventory_id, action: chosenFlag(flags), note, seen: { version: version ?? null } }
}

/**
 * Does one of the seven actions: status, version, history and revision in one transaction. Of two users at the same
 * time, one succeeds. A command may have waited for a connection, so only the frame's status and store count for it: a
 * frame that was counted or repriced in the meantime is still the one that its author held. A frame that has the wanted
 * state already does not change.
 * @throws Refusal frame-unknown, store-foreign, frame-changed, control-not-allowed, control-note-missing
 */
export const changeFrameState = defineUseCase('frame.change-state', {
  permission: 'frame.change-state',
  scopes: () => ['chain'],
  asked: (body): { id_inventory: number; action: ControlFlag; note: string; seen: Seen } => body,
  apply: async ({ writing, actor, body, capturedAt: at }) => {
    const { action: flag, seen } = body
    const frame = await readFrame(writing.trx, body.id_inventory)
    await assertTheirs(writing, actor, frame, flag)
    if ('version' in seen) {
      if (seen.version !== null && seen.version !== frame.version) throw changed(frame)
    } else if (frame.status !== seen.status || frame.store_id !== seen.store_id) {
      const after = afterControl(flag, { ...seen, last_seen_at: null }, { store_id: actor.store_id, at })
      if (frame.status === after.status && frame.store_id === after.store_id) return { rows: [] }
      throw changed(frame)
    }
    await control(writing, actor, frame, { flag, note: controlNote(body.note) ?? null, at })
    return { rows: [] }
  },
})

/** @throws Refusal frame-unknown */
export async function readFrame(db: Kysely<Schema>, id: number): Promise<FrameWithNames> {
  const frame = await selectFrames(db).where('frames.id_inventory', '=', id).executeTakeFirst()
  if (!frame) throw new Refusal('frame-unknown')
  return frame
}

const changed = ({ status, version }: FrameWithNames) => new Refusal('frame-changed', { details: { status, version } })

function chosenFlag(change: Partial<Record<ControlFlag, boolean | undefined>>): ControlFlag {
  const chosen = controlFlags.filter((flag) => change[flag] === true)
  const [flag] = chosen
  if (!flag || chosen.length > 1) {
    const message = chosen.length > 1 ? 'Select one inventory control option only' : 'You must select an inventory control option'
    throw new Refusal('request-invalid', { fields: [{ path: 'body', message }] })
  }
  return flag
}

async function assertTheirs({ trx }: Writing, by: Actor, frame: FrameWithNames, flag: ControlFlag): Promise<void> {
  if (bringsHere(flag) || frame.store_id === by.store_id) return
  const theirs = await storesOf(trx, by.id_user)
  if (!theirs.includes(frame.store_id)) throw new Refusal('store-foreign', { message: `This frame belongs to ${frame.store_name}` })
}

/** @throws Refusal when the action is not possible in the frame's state, or needs a note */
async function control({ trx, revision }: Writing, by: Actor, frame: FrameWithNames, { flag, note, at }: Control): Promise<void> {
  const { control_preset } = await readStoreSettings(trx, by.store_id)
  const refusal = controlRefusal(flag, frame.status, control_preset)
  if (refusal !== null) throw new Refusal('control-not-allowed', { message: refusal, details: { status: frame.status } })
  const action = controlActions[flag]
  if (action.noteRequired && note === null) {
    throw new Refusal('control-note-missing', { fields: [{ path: 'body.note', message: 'This action needs a note' }] })
  }
  const after = afterControl(flag, frame, { store_id: by.store_id, at })
  // A command that waited may arrive after a count that saw the frame later.
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
