import { setImmediate as nextTurn } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import { sizeOf, type Frame } from '#contract/stock/frame.ts'
import { Refusal } from '#contract/core/errors.ts'
import type { LabelStock } from '#contract/stock/labels.ts'
import { barsFor, type LabelCode, matrixFor } from '#server/features/stock/labels/label-code.ts'
import { labelFonts, type LabelFont, printable } from '#server/features/stock/labels/label-fonts.ts'
import { type Box, stockGeometry } from '#server/features/stock/labels/label-stock.ts'

export type LabelledPiece = Pick<
  Frame,
  | 'sku'
  | 'serial'
  | 'brand_name'
  | 'title_product'
  | 'title_variant'
  | 'size_lens_width'
  | 'size_bridge_width'
  | 'size_temple_length'
  | 'pb_selling_price'
>

/** Number of labels that are drawn before other work of the server gets its turn. */
const labelsAtOnce = 5
const pointsPerMm = 72 / 25.4

/**
 * Returns a PDF with a label for each piece, on pages of the stock's size. `skip` places of the first page stay empty.
 * @throws Refusal label-too-small, before drawing, so that nobody takes a part for all of it
 */
export async function drawLabels(
  pieces: readonly LabelledPiece[],
  stock: LabelStock,
  skip: number,
  now: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const { page, dpi, labels } = stockGeometry[stock]
  const size: [number, number] = [page.width * pointsPerMm, page.height * pointsPerMm]
  const doc = new PDFDocument({
    size,
    margin: 0,
    autoFirstPage: false,
    pdfVersion: '1.7',
    font: labelFonts.plain,
    info: { Title: 'Labels', CreationDate: new Date(now) },
  })
  const parts: Buffer[] = []
  doc.on('data', (part: Buffer) => void parts.push(part))
  const ended = new Promise<void>((resolve, reject) => doc.on('end', resolve).on('error', reject))
  for (const [font, file] of Object.entries(labelFonts)) doc.registerFont(font, file)
  printAsItIs(doc)
  for (const [index, piece] of pieces.entries()) {
    const place = (skip + index) % labels.length
    if (index === 0 || place === 0) doc.addPage()
    const [front, back] = labels[place] ?? []
    if (!front) throw new Error('The stock has no such place')
    if (back) drawTag(doc, piece, front, back, dpi)
    else drawFlat(doc, piece, front, dpi)
    if (index % labelsAtOnce === labelsAtOnce - 1) await nextTurn()
  }
  doc.end()
  await ended
  return new Uint8Array(Buffer.concat(parts))
}

/** Asks the print dialog not to shrink the page to the printer's margins. Otherwise bars would not be whole dots. */
function printAsItIs(doc: PDFKit.PDFDocument): void {
  const { _root: root } = doc as unknown as { _root: { data: Record<string, unknown> } }
  root.data['ViewerPreferences'] = doc.ref({ PrintScaling: 'None', PickTrayByPDFSize: true })
}

/** One face: brand and model, color and size with the price, the code over the whole width, and its text below. */
function drawFlat(doc: PDFKit.PDFDocument, piece: LabelledPiece, box: Box, dpi: number): void {
  const line = 3.6
  const small = 2.9
  const price = priceOf(piece)
  const priceWidth = price === '' ? 0 : 17
  drawText(doc, nameOf(piece), { ...box, height: line }, { font: 'bold', most: 9, least: 6 })
  const second = { ...box, y: box.y + line, width: box.width - priceWidth, height: small }
  drawText(doc, detailOf(piece), second, { font: 'plain', most: 7, least: 5 })
  drawText(
    doc,
    price,
    { x: box.x + box.width - priceWidth, y: second.y - 0.4, width: priceWidth, height: line },
    { font: 'bold', most: 9, least: 6, align: 'right' },
  )
  const place = { ...box, y: box.y + line + small + 0.6, height: box.height - line - 2 * small - 0.8 }
  const code = barsFor(piece.sku, place, dpi) ?? matrixFor(piece.sku, place, dpi) ?? tooLong(piece)
  drawCode(doc, code, { x: place.x + (place.width - code.width) / 2, y: place.y + (place.height - code.height) / 2 }, dpi)
  drawText(
    doc,
    codesOf(piece),
    { ...box, y: box.y + box.height - small, height: small },
    { font: 'plain', most: 7, least: 4.5, align: 'center' },
  )
}

/** A tag that is folded around a temple: the code on one flag, the customer's text on the other. */
function drawTag(doc: PDFKit.PDFDocument, piece: LabelledPiece, front: Box, back: Box, dpi: number): void {
  const line = back.height / 3
  const small = { font: 'plain', most: 5.5, least: 4 } as const
  const bars = barsFor(piece.sku, { width: front.width, height: front.height - 2.4 }, dpi)
  if (bars) {
    drawCode(doc, bars, { x: front.x + (front.width - bars.width) / 2, y: front.y }, dpi)
    drawText(doc, codesOf(piece), { ...front, y: front.y + front.height - 2.2, height: 2.2 }, { ...small, align: 'center' })
  } else {
    const matrix = matrixFor(piece.sku, { width: front.height, height: front.height }, dpi) ?? tooLong(piece)
    drawCode(doc, matrix, { x: front.x, y: front.y + (front.height - matrix.height) / 2 }, dpi)
    const beside = { x: front.x + matrix.width + 0.3, width: front.width - matrix.width - 0.3, height: line }
    const serial = piece.serial === piece.sku ? '' : piece.serial
    const lines = isOneLine(doc, piece.sku, beside, small) ? [piece.sku, serial, sizeOf(piece) ?? ''] : [...halves(piece.sku), serial]
    for (const [at, text] of lines.entries()) drawText(doc, text, { ...beside, y: front.y + at * line }, small)
  }
  drawText(doc, nameOf(piece), { ...back, height: line }, { ...small, font: 'bold' })
  drawText(doc, bars ? detailOf(piece) : piece.title_variant, { ...back, y: back.y + line, height: line }, small)
  drawText(doc, priceOf(piece), { ...back, y: back.y + 2 * line, height: line }, { font: 'bold', most: 7, least: 5, align: 'right' })
}

function isOneLine(doc: PDFKit.PDFDocument, text: string, box: Pick<Box, 'width'>, { font, least }: TextStyle): boolean {
  return doc.font(font).fontSize(least).widthOfString(printable(text, font)) <= box.width * pointsPerMm
}

function halves(text: string): [string, string] {
  const letters = Array.from(text)
  const middle = Math.ceil(letters.length / 2)
  return [letters.slice(0, middle).join(''), letters.slice(middle).join('')]
}

function tooLong(piece: LabelledPiece): never {
  throw new Refusal('label-too-small', {
    message: `${piece.sku} is too long for these labels. Choose larger labels.`,
    details: { sku: piece.sku },
  })
}

/** Starts at a whole dot, so that every edge of the code is at one. */
function drawCode(doc: PDFKit.PDFDocument, code: LabelCode, at: { x: number; y: number }, dpi: number): void {
  const dot = 25.4 / dpi
  const x = Math.round(at.x / dot) * dot
  const y = Math.round(at.y / dot) * dot
  for (const bar of code.black) {
    doc.rect((x + bar.x) * pointsPerMm, (y + bar.y) * pointsPerMm, bar.width * pointsPerMm, bar.height * pointsPerMm)
  }
  doc.fill('black')
}

type TextStyle = { font: LabelFont; most: number; least: number; align?: 'left' | 'center' | 'right' }

/** One line in its box: smaller when it is long, and cut when it is still too long. Sizes are points. */
function drawText(doc: PDFKit.PDFDocument, text: string, box: Box, { font, most, least, align = 'left' }: TextStyle): void {
  const room = box.width * pointsPerMm
  doc.font(font)
  const widthAt = (size: number, shown: string) => doc.fontSize(size).widthOfString(shown)
  let shown = printable(text, font)
  if (shown === '') return
  const atMost = widthAt(most, shown)
  const size = Math.max(least, Math.min(most, (most * room) / atMost))
  if (widthAt(size, shown) > room + 0.01) {
    const letters = Array.from(shown)
    while (letters.length > 1 && widthAt(size, `${letters.join('').trimEnd()}…`) > room) letters.pop()
    shown = `${letters.join('').trimEnd()}…`
  }
  const free = room - widthAt(size, shown)
  const x = box.x * pointsPerMm + (align === 'right' ? free : align === 'center' ? free / 2 : 0)
  const y = box.y * pointsPerMm + (box.height * pointsPerMm - doc.currentLineHeight()) / 2
  doc.fillColor('black').text(shown, x, y, { lineBreak: false })
}

const nameOf = (piece: LabelledPiece) => `${piece.brand_name} ${piece.title_product}`
const detailOf = (piece: LabelledPiece) => [piece.title_variant, sizeOf(piece)].filter(Boolean).join(' · ')
const codesOf = ({ sku, serial }: LabelledPiece) => (sku === serial ? sku : `${sku} · F# ${serial}`)

function priceOf({ pb_selling_price: cents }: LabelledPiece): string {
  return cents === null ? '' : new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}
