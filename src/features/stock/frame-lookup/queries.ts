import { normaliseCode } from '#contract/core/codes.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { Frame, FrameRecord, ItemHistory } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { findPrinted } from '#src/domain/frames/scanned-frame.ts'

/** The data of one frame: the mirror's at once, the server's when it answers. */
export type KnownFrame = { frame: Frame; record: FrameRecord | null }

export type LookupResult =
  | { found: 'one'; known: KnownFrame }
  /** A UPC names a model, so the user chooses the piece. */
  | { found: 'pieces'; frames: Frame[] }
  | { found: 'nothing'; reason: string }

/** Looks the code up on this device, without waiting. Returns null for an unknown code. */
export function lookUpHere(device: Pick<Device, 'frames'>, code: string): LookupResult | null {
  const match = findPrinted(device.frames, code)
  if (!match) return null
  if (match.by !== 'upc') return { found: 'one', known: { frame: match.frame, record: null } }
  const [only, ...others] = match.frames
  if (only && others.length === 0) return { found: 'one', known: { frame: only, record: null } }
  return { found: 'pieces', frames: match.frames }
}

/**
 * Asks the server, and falls back on this device's data.
 * The query names the piece found here, so that the UPC of a single piece finds its record.
 */
export async function lookUpFrame(device: Pick<Device, 'call' | 'frames'>, code: string, signal: AbortSignal): Promise<LookupResult> {
  const here = lookUpHere(device, code)
  if (here?.found === 'pieces') return here
  const sku = here?.found === 'one' ? here.known.frame.sku : normaliseCode(code)
  const answer = await device.call(inventoryEndpoints.lookUpFrame, { query: { sku } }, { signal })
  if (answer.ok) return { found: 'one', known: { frame: answer.value, record: answer.value } }
  if (here) return here
  // Right after a start, the frames may still be loading.
  await device.frames.ready().catch(() => undefined)
  const { kind, message } = answer.failure
  return (
    lookUpHere(device, code) ?? {
      found: 'nothing',
      reason: kind === 'unreachable' ? `${message}, and this device has no such frame.` : message,
    }
  )
}

/** Returns null after a failure, and logs it without the label: more people read logs than this dialog. */
export async function fetchHistory(device: Pick<Device, 'call'>, sku: string, signal?: AbortSignal): Promise<ItemHistory | null> {
  const answer = await device.call(inventoryEndpoints.frameHistory, { query: { sku } }, { signal })
  if (answer.ok) return answer.value
  if (!signal?.aborted) {
    const why = answer.failure.kind === 'refused' ? answer.failure.code : answer.failure.kind
    console.warn(`Lorgnette: an item history could not be fetched: ${why}`)
  }
  return null
}
