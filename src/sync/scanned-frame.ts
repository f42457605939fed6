import { normaliseCode } from '#contract/codes.ts'
import type { Frame } from '#contract/frame.ts'
import type { Device } from './device.ts'

export type Scanned = { frame: Frame } | { problem: string; isModel: boolean }

/** The piece that a label names, from the tablet's own list. A UPC names a model, and no piece. */
export function scannedFrame({ frames }: Pick<Device, 'frames'>, raw: string): Scanned {
  const code = normaliseCode(raw)
  const found = code === '' ? null : frames.find(code)
  if (!found) return { problem: `No frame has the tag or F# ${code}.`, isModel: false }
  if (found.by !== 'upc') return { frame: found.frame }
  return { problem: `${code} is the UPC of a model. Scan the store tag of the piece.`, isModel: true }
}
