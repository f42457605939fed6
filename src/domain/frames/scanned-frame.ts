import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { serialSpellings } from '#contract/stock/stock-codes.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'
import type { Device } from '#src/sync/device/device.ts'

export type Scanned = { frame: Frame } | { code: string; pieces: Frame[] } | { problem: string; isModel: boolean }

/** The tablet's match for a code, even for an F# without its zeros or its F. */
export function findPrinted(frames: Device['frames'], raw: string): FrameMatch | null {
  const code = normaliseCode(raw)
  if (code === '') return null
  const exact = frames.find(code)
  if (exact) return exact
  for (const serial of serialSpellings(code)) {
    const found = frames.find(serial)
    if (found?.by === 'serial') return found
  }
  return null
}

/** Returns the piece of a label, from the tablet's own list. A UPC gives the store's pieces of its model. */
export async function scannedFrame({ frames }: Pick<Device, 'frames'>, raw: string, storeId: number | undefined): Promise<Scanned> {
  // The first label after a start may come before the frames are read.
  if (!frames.isReady()) await frames.ready().catch(() => undefined)
  const code = normaliseCode(raw)
  const found = findPrinted(frames, code)
  if (!found) return { problem: `No match for tag or F# ${code}.`, isModel: false }
  if (found.by !== 'upc') return { frame: found.frame }
  const pieces = found.frames.filter(({ store_id }) => store_id === storeId)
  const [only, ...others] = pieces
  if (!only) return { problem: `${code} is a UPC. Scan the store tag instead.`, isModel: true }
  return others.length === 0 ? { frame: only } : { code, pieces }
}
