import { Dexie } from 'dexie'
import { useLiveQuery } from 'dexie-react-hooks'
import * as v from 'valibot'
import { controlActions, controlNote } from '#contract/stock/control-rules.ts'
import { controlFlags, type ControlFlag, type Frame, type InventoryStatus } from '#contract/stock/frames.ts'
import type { HotDatabase, OutboxCommand } from '#src/db/hot/hot.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import type { Device } from '#src/sync/device/device.ts'

/** What a person saw of a frame when they chose what happens to it. */
export type SeenFrame = Pick<Frame, 'id_inventory' | 'sku' | 'status' | 'store_id'>

/**
 * Without a connection: writes one of the seven actions down, to be done once the server is reached and the frame still stands as it was
 * seen (decision 0057). Why it could not be written, or null.
 */
export async function keepFrameState(
  device: Pick<Device, 'outbox'>,
  seen: SeenFrame,
  action: ControlFlag,
  note: string,
): Promise<string | null> {
  const { id_inventory, sku, status, store_id } = seen
  const body = { id_inventory, action, note: controlNote(note) ?? '', seen: { status, store_id } }
  const title = `${sku}: ${controlActions[action].label}`
  const made = await device.outbox.record('frame.change-state', `frame:${id_inventory}`, body, { title })
  return made.saved ? null : made.problem.message
}

/** An action that was written down here and has not reached the server; `refusal` is why the server did not take it. */
export type WaitingChange = {
  id: string
  id_inventory: number
  action: ControlFlag
  by: string
  at: string
  refusal: OutboxCommand['last_error']
}

const stateChange = v.object({ id_inventory: v.number(), action: v.picklist(controlFlags) })

/** What waits on this device for frames, in the order of each. */
export async function readWaitingChanges(hot: HotDatabase): Promise<WaitingChange[]> {
  const commands = await hot.outbox.where('[lane+lane_seq+device_id]').between(['frame:'], ['frame:\uffff', Dexie.maxKey]).toArray()
  return commands.flatMap(({ id, body, author, created_at, state, last_error }) => {
    const read = v.safeParse(stateChange, body)
    const refusal = state === 'needs-attention' ? last_error : null
    return read.success ? [{ id, ...read.output, by: author.name, at: created_at, refusal }] : []
  })
}

/** The same, as it changes; undefined until it has been read. */
export function useWaitingChanges(): WaitingChange[] | undefined {
  const { hot } = useDevice()
  return useLiveQuery(() => readWaitingChanges(hot), [hot])
}

/** The status of a frame, with what waits on this tablet for it. What the server refused does not count. */
export function statusHere(frame: Pick<Frame, 'id_inventory' | 'status'>, waiting: readonly WaitingChange[]): InventoryStatus {
  const last = waiting.findLast(({ id_inventory, refusal }) => id_inventory === frame.id_inventory && refusal === null)
  return last ? controlActions[last.action].to : frame.status
}
