import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { ControlFlag, Frame, FrameRecord } from '#contract/stock/frames.ts'
import { act, type KeptBecause } from '#src/sync/device/act.ts'
import type { Device } from '#src/sync/device/device.ts'
import { recordFrameState } from '#src/domain/frames/record-frame-state.ts'
import { editBody } from './form.ts'

export type ChangeResult =
  | { done: true; record: FrameRecord }
  /** It waits on this device. */
  | { done: true; kept: KeptBecause }
  /** Another user was faster. `now` is the present frame, or null when it did not load. */
  | { done: false; problem: 'changed'; now: FrameRecord | null; message: string }
  | { done: false; problem: 'refused'; message: string; field: 'action' | 'note' | null }

/** Does one of the seven actions. With a connection the answer holds the frame's new state. */
export async function changeFrameState(
  device: Pick<Device, 'call' | 'connection' | 'outbox' | 'session'>,
  frame: Frame,
  action: ControlFlag,
  note: string,
): Promise<ChangeResult> {
  const acted = await act(device, {
    live: () => device.call(inventoryEndpoints.updateFrameState, { body: editBody(frame, action, note) }),
    record: async () => {
      const problem = await recordFrameState(device, frame, action, note)
      return problem === null ? null : `NOT SAVED. ${problem}`
    },
  })
  if (acted.ok) return 'kept' in acted ? { done: true, kept: acted.kept } : { done: true, record: acted.value }
  const { failure } = acted
  if (failure.kind !== 'refused') return { done: false, problem: 'refused', message: failure.message, field: null }
  if (failure.code === 'frame-changed') {
    const now = await device.call(inventoryEndpoints.lookUpFrame, { query: { sku: frame.sku } })
    return { done: false, problem: 'changed', now: now.ok ? now.value : null, message: failure.message }
  }
  const fields: Record<string, 'action' | 'note'> = { 'control-note-missing': 'note', 'control-not-allowed': 'action' }
  return { done: false, problem: 'refused', message: failure.message, field: fields[failure.code] ?? null }
}
