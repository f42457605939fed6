import { normaliseCode } from '#contract/core/codes.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import type { Frame, FrameRecord, ItemHistory } from '#contract/stock/frames.ts'
import type { Device } from '#src/sync/device/device.ts'
import { findPrinted } from '#src/domain/frames/scanned-frame.ts'

/** What the dialog knows of one frame: the mirror's part at once, the server's when it has answered. */
export type KnownFrame = { frame: Frame; record: FrameRecord | null }

export type LookupResult =
  | { found: 'one'; known: KnownFrame }
  /** A UPC names a model: the person says which piece is meant. */
  | { found: 'pieces'; frames: Frame[] }
  | { found: 'nothing'; reason: string }

/** What this device knows by itself, without waiting for anything. Null when it does not know the code. */
export function lookUpHere(device: Pick<Device, 'frames'>, code: string): LookupResult | null {
  const match = findPrinted(device.frames, code)
  if (!match) return null
  if (match.by !== 'upc') return { found: 'one', known: { frame: match.frame, record: null } }
  const [only, ...others] = match.frames
  if (only && others.length === 0) return { found: 'one', known: { frame: only, record: null } }
  return { found: 'pieces', frames: match.frames }
}

/**
 * Asks the server, and falls back to what this device knows. The server is asked for the piece that was found here, so
 * that a UPC of a single piece leads to its record.
 */
export async function lookUpFrame(device: Pick<Device, 'call' | 'frames'>, code: string, signal: AbortSignal): Promise<LookupResult> {
  const here = lookUpHere(device, code)
  if (here?.found === 'pieces') return here
  const sku = here?.found === 'one' ? here.known.frame.sku : normaliseCode(code)
  const answer = await device.call(inventoryEndpoints.lookUpFrame, { query: { sku } }, { signal })
  if (answer.ok) return { found: 'one', known: { frame: answer.value, record: answer.value } }
  if (here) return here
  // The first look-up after a start may come before all frames have been read.
  await device.frames.ready().catch(() => undefined)
  const { kind, message } = answer.failure
  return (
    lookUpHere(device, code) ?? {
      found: 'nothing',
      reason: kind === 'unreachable' ? `${message}, and this device has no such frame.` : message,
    }
  )
}

/** Null when it could not be had, which is logged: without the label, as logs go further than the dialog. */
export async function fetchHistory(device: Pick<Device, 'call'>, sku: string, signal?: AbortSignal): Promise<ItemHistory | null> {
  const answer = await device.call(inventoryEndpoints.frameHistory, { query: { sku } }, { signal })
  if (answer.ok) return answer.value
  if (!signal?.aborted) {
    const why = answer.failure.kind === 'refused' ? answer.failure.code : answer.failure.kind
    console.warn(`Lorgnette: an item history could not be fetched: ${why}`)
  }
  return null
}
