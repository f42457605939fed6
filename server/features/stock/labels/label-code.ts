import bwipjs from 'bwip-js/node'

/** Rectangles of a code in millimeters from its upper left. `width` and `height` include its white border. */
export type LabelCode = {
  kind: 'bars' | 'matrix'
  width: number
  height: number
  /** Width of the narrowest bar or the smallest square. */
  module: number
  black: { x: number; y: number; width: number; height: number }[]
}

/** Thermal printers lose narrower bars, and no camera can read them. */
const narrowestBar = 0.165
const widestBar = 0.45
const lowestBars = 4
const smallestSquare = 0.25
const largestSquare = 0.7
/** White beside the bars, and around the squares, in modules, as the standards require. */
const quietBars = 10
const quietSquares = 1

/** Code 128 in the full height of its place. Null when bars of whole dots do not fit with white on both sides. */
export function barsFor(text: string, place: { width: number; height: number }, dpi: number): LabelCode | null {
  // Other letters have no standard meaning in a Code 128.
  if (!/^[ -~]+$/.test(text) || place.height < lowestBars) return null
  const widths = encoded('code128', text).sbs
  if (!widths) return null
  const modules = widths.reduce((sum, width) => sum + width, 0)
  const all = modules + 2 * quietBars
  const module = wholeDots(Math.min(place.width / all, widestBar), dpi)
  if (module < narrowestBar) return null
  const black: LabelCode['black'] = []
  let at = quietBars
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) black.push({ x: at * module, y: 0, width: width * module, height: place.height })
    at += width
  }
  return { kind: 'bars', width: all * module, height: place.height, module, black }
}

/** Data Matrix. Null when readable squares do not fit. */
export function matrixFor(text: string, place: { width: number; height: number }, dpi: number): LabelCode | null {
  const { pixs, pixx, pixy } = encoded('datamatrix', text)
  if (!pixs || pixx === undefined || pixy === undefined) return null
  const across = pixx + 2 * quietSquares
  const down = pixy + 2 * quietSquares
  const module = wholeDots(Math.min(place.width / across, place.height / down, largestSquare), dpi)
  if (module < smallestSquare) return null
  const black: LabelCode['black'] = []
  for (let row = 0; row < pixy; row++) {
    for (let column = 0; column < pixx; column++) {
      if (pixs[row * pixx + column] !== 1) continue
      const former = black.at(-1)
      const x = (quietSquares + column) * module
      const y = (quietSquares + row) * module
      // Neighbors are one rectangle, because a printer may leave a thin white line between two.
      if (former && former.y === y && Math.abs(former.x + former.width - x) < 1e-9) former.width += module
      else black.push({ x, y, width: module, height: module })
    }
  }
  return { kind: 'matrix', width: across * module, height: down * module, module, black }
}

type Encoded = { sbs?: number[]; pixs?: number[]; pixx?: number; pixy?: number }

/** Empty when the text is too long for the code, or has letters that it lacks. */
function encoded(bcid: 'code128' | 'datamatrix', text: string): Encoded {
  try {
    const [found] = bwipjs.raw({ bcid, text }) as Encoded[]
    return found ?? {}
  } catch {
    return {}
  }
}

function wholeDots(module: number, dpi: number): number {
  const dot = 25.4 / dpi
  return Math.floor(module / dot + 1e-9) * dot
}
