import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { ControlFlag, Frame, FrameRecord } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { editBody } from './form.ts'

export type ChangeResult =
  | { done: true; record: FrameRecord }
  /** Someone else was quicker: here is how the frame stands now, or null when that could not be had either. */
  | { done: false; problem: 'changed'; now: FrameRecord | null; message: string }
  | { done: false; problem: 'refused'; message: string; field: 'action' | 'note' | null }

/** Posts one of the seven actions, to know at once how the frame stands then. */
export async function changeFrameState(
  device: Pick<Device, 'call'>,
  frame: Frame,
  action: ControlFlag,
  note: string,
): Promise<ChangeResult> {
  const answer = await device.call(inventoryEndpoints.updateFrameState, { body: editBody(frame, action, note) })
  if (answer.ok) return { done: true, record: answer.value }
  const { failure } = answer
  if (failure.kind !== 'refused') return { done: false, problem: 'refused', message: failure.message, field: null }
  if (failure.code === 'frame-changed') {
    const now = await device.call(inventoryEndpoints.lookUpFrame, { query: { sku: frame.sku } })
    return { done: false, problem: 'changed', now: now.ok ? now.value : null, message: failure.message }
  }
  const fields: Record<string, 'action' | 'note'> = { 'control-note-missing': 'note', 'control-not-allowed': 'action' }
  return { done: false, problem: 'refused', message: failure.message, field: fields[failure.code] ?? null }
}
