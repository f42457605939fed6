import type { LabelStock } from '#contract/stock/labels.ts'

/** Millimeters from the upper left of the page. */
export type Box = { x: number; y: number; width: number; height: number }

/**
 * The layout of a stock. `dpi` is the resolution of its printers: bars are whole dots of it. A label has one face, or
 * two when it is folded around a temple: the first has the code, the second the customer's text.
 */
export type StockGeometry = { page: { width: number; height: number }; dpi: number; labels: readonly (readonly [Box, Box?])[] }

const inch = 25.4

const roll: StockGeometry = {
  page: { width: 2.25 * inch, height: 1.25 * inch },
  dpi: 203,
  labels: [[inset({ x: 0, y: 0, width: 2.25 * inch, height: 1.25 * inch }, 2)]],
}

const tagPage = { width: 54.1, height: 22.2 }
const tagFlag = { width: 0.75 * inch, height: 0.375 * inch }
const tags: StockGeometry = {
  page: tagPage,
  dpi: 300,
  labels: [0, 1].map((row) => {
    const half = tagPage.height / 2
    const y = row * half + (half - tagFlag.height) / 2
    return [inset({ x: 0, y, ...tagFlag }, 0.6), inset({ x: tagPage.width - tagFlag.width, y, ...tagFlag }, 0.6)] as const
  }),
}

const sheetAcross = 3
const sheetDown = 10
const sheet: StockGeometry = {
  page: { width: 8.5 * inch, height: 11 * inch },
  dpi: 600,
  labels: Array.from({ length: sheetAcross * sheetDown }, (_, place) => {
    const x = (0.1875 + (place % sheetAcross) * 2.75) * inch
    const y = (0.5 + Math.floor(place / sheetAcross)) * inch
    return [inset({ x, y, width: 2.625 * inch, height: inch }, 2.5)] as const
  }),
}

export const stockGeometry: Record<LabelStock, StockGeometry> = { 'roll-57x32': roll, 'jewellery-30299': tags, 'letter-30': sheet }

/** Printers are never exact to the edge. */
function inset(box: Box, by: number): Box {
  return { x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by }
}
