import bwipjs from 'bwip-js/node'

/** Rectangles of a code in millimetres from its upper left, its white border within `width` and `height`. */
export type LabelCode = {
  kind: 'bars' | 'matrix'
  width: number
  height: number
  /** Of the narrowest bar or the smallest square. */
  module: number
  black: { x: number; y: number; width: number; height: number }[]
}

/** Narrower bars are lost on thermal paper, and no camera tells them apart. */
const narrowestBar = 0.165
const widestBar = 0.45
const lowestBars = 4
const smallestSquare = 0.25
const largestSquare = 0.7
/** White beside the bars, and around the squares, in modules: the standards' own. */
const quietBars = 10
const quietSquares = 1

/** Code 128 as high as there is place for; null when bars of whole dots do not fit with white on both sides. */
export function barsFor(text: string, place: { width: number; height: number }, dpi: number): LabelCode | null {
  // Other letters have no agreed meaning in a Code 128.
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

/** Data Matrix; null when squares that can be read do not fit. */
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
      // Neighbours are one rectangle: between two a printer may leave a hair of white.
      if (former && former.y === y && Math.abs(former.x + former.width - x) < 1e-9) former.width += module
      else black.push({ x, y, width: module, height: module })
    }
  }
  return { kind: 'matrix', width: across * module, height: down * module, module, black }
}

type Encoded = { sbs?: number[]; pixs?: number[]; pixx?: number; pixy?: number }

/** Nothing where the text is too long for the code, or has what it cannot say. */
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
