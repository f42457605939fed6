import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frame.ts'
import { serialSpellings } from '#contract/stock/stock-codes.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'
import type { Device } from '#src/sync/device/device.ts'

export type Scanned = { frame: Frame } | { problem: string; isModel: boolean }

/** What this tablet knows by a code, also by an F# without its zeros or its F. */
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

/** The piece that a label names, from the tablet's own list. A UPC names a model, and no piece. */
export async function scannedFrame({ frames }: Pick<Device, 'frames'>, raw: string): Promise<Scanned> {
  // The first label after a start may come before the frames are read.
  if (!frames.isReady()) await frames.ready().catch(() => undefined)
  const code = normaliseCode(raw)
  const found = findPrinted(frames, code)
  if (!found) return { problem: `No frame has the tag or F# ${code}.`, isModel: false }
  if (found.by !== 'upc') return { frame: found.frame }
  return { problem: `${code} is the UPC of a model. Scan the store tag of the piece.`, isModel: true }
}
