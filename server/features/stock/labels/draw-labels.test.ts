import fs from 'node:fs'
import path from 'node:path'
import { type Font, openSync } from 'fontkit'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Refusal } from '#contract/core/errors.ts'
import { type LabelStock, labelStockNames } from '#contract/stock/labels.ts'
import { loadDecoder, readCodes } from '#src/camera/read-codes.ts'
import { type PdfPage, printed, readPdf } from '#tests/support/read-pdf.ts'
import { labelFonts } from './label-fonts.ts'
import { drawLabels, type LabelledPiece } from './draw-labels.ts'

/** The camera's decoder reads the labels as a printer of the stock prints them. */
beforeAll(async () => {
  const wasm = fs.readFileSync(path.resolve('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm'))
  await loadDecoder({ wasmBinary: new Uint8Array(wasm).buffer })
})

const fontOf = (bold: boolean) => openSync(bold ? labelFonts.bold : labelFonts.plain) as Font
const now = Date.parse('2026-11-20T14:00:00.000Z')
const piece = (sku: string, more: Partial<LabelledPiece> = {}): LabelledPiece => ({
  sku,
  serial: 'F0100123',
  brand_name: 'Aster',
  title_product: 'Cove 12',
  title_variant: 'Slate',
  size_lens_width: 52,
  size_bridge_width: 18,
  size_temple_length: 140,
  pb_selling_price: 129_900,
  ...more,
})

/** From the makers' drawings, in inches: the page, the place of each label on it, and the printers' resolution. */
const stocks: Record<LabelStock, { page: [number, number]; dpi: number; labels: [x: number, y: number, width: number, height: number][] }> =
  {
    'roll-57x32': { page: [2.25, 1.25], dpi: 203, labels: [[0, 0, 2.25, 1.25]] },
    'jewellery-30299': {
      page: [2.13, 0.874],
      dpi: 300,
      labels: [
        [0, 0, 0.75, 0.437],
        [0, 0.437, 0.75, 0.437],
      ],
    },
    'letter-30': {
      page: [8.5, 11],
      dpi: 600,
      labels: Array.from({ length: 30 }, (_, at) => [0.1875 + (at % 3) * 2.75, 0.5 + Math.floor(at / 3), 2.625, 1]),
    },
  }

async function pagesOf(pieces: LabelledPiece[], stock: LabelStock, skip = 0) {
  return readPdf(await drawLabels(pieces, stock, skip, now)).pages
}
/** Returns the codes that the camera reads on the first `places` labels of each page, in order. */
async function readBack(pieces: LabelledPiece[], stock: LabelStock, { skip = 0, places = 30 } = {}): Promise<string[][][]> {
  const { labels, dpi } = stocks[stock]
  const found: string[][][] = []
  for (const page of await pagesOf(pieces, stock, skip)) {
    const onPage: string[][] = []
    for (const [x, y, width, height] of labels.slice(0, places)) {
      onPage.push(await readCodes(printed(page, { x: x * 72, y: y * 72, width: width * 72, height: height * 72 }, dpi)))
    }
    found.push(onPage)
  }
  return found
}
const saidOn = (page: PdfPage | undefined) => page?.texts.map(({ text }) => text)

/** Digits alone, our own tags and F#, long tags of other systems, the shortest one, and all kinds of signs. */
const codes =
  '7 42 123 1234 12345 100123 1234567 12345678 036000291452 12345678901234 DT-100001 LAKE-100123 HARBOR-000123 F0100123 F-1 AB A/B+C.D%E$F X_Y^Z~1 HARB-000123-ABC STORE1-FRAME-000123 NORTH-2024-11-20-000123 GENUINE-TAG-OF-ANOTHER-SYSTEM-001'
    .split(' ')
    .concat('K 14-B')

describe.each(labelStockNames)('%s', (stock) => {
  test.each(codes)('the camera reads the printed code of %s', async (sku) => {
    const [[first] = []] = await readBack([piece(sku)], stock, { places: 1 })
    expect(first).toEqual([sku])
  })

  test('the camera also reads letters that Code 128 lacks', async () => {
    const [[first] = []] = await readBack([piece('Å-ÖΩ-7')], stock, { places: 1 })
    expect(first).toEqual(['Å-ÖΩ-7'])
  })

  test('pages have the size of the stock, and are printed without scaling', async () => {
    const { pages, source } = readPdf(await drawLabels([piece('DT-1')], stock, 0, now))
    const [width, height] = stocks[stock].page
    expect(pages).toHaveLength(1)
    expect(Math.abs((pages[0]?.width ?? 0) - width * 72)).toBeLessThan(0.2)
    expect(Math.abs((pages[0]?.height ?? 0) - height * 72)).toBeLessThan(0.2)
    expect(source).toContain('/PrintScaling /None')
  })

  test('bars and squares are whole dots of the stock’s printers, and wide enough for a scanner', async () => {
    const dot = 72 / stocks[stock].dpi
    for (const sku of codes) {
      const [page] = await pagesOf([piece(sku)], stock)
      const widths = page?.rectangles.map(({ width }) => width) ?? []
      expect(Math.min(...widths) / 72).toBeGreaterThan(0.0064)
      for (const { x, width } of page?.rectangles ?? []) {
        expect(Math.abs(x / dot - Math.round(x / dot))).toBeLessThan(0.01)
        expect(Math.abs(width / dot - Math.round(width / dot))).toBeLessThan(0.01)
      }
    }
  })

  test('everything stays on the label, however long the text', async () => {
    const wordy = piece('DT-100001', {
      brand_name: 'Wide '.repeat(30),
      title_product: 'Word'.repeat(40),
      title_variant: 'Color '.repeat(20),
    })
    const [page] = await pagesOf([wordy], stock)
    expect(saidOn(page)?.some((text) => text.endsWith('…'))).toBe(true)
    // A page may hold several labels: this is the first, and the flag with the price is the last of its row.
    const [first] = stocks[stock].labels
    const edge = 72 * (stock === 'jewellery-30299' ? stocks[stock].page[0] : (first?.[0] ?? 0) + (first?.[2] ?? 0))
    const ends = page?.texts.map(({ text, x, size, bold }) => x + (fontOf(bold).layout(text).advanceWidth / 2048) * size) ?? []
    expect(ends).toHaveLength(stock === 'jewellery-30299' ? 6 : 4)
    expect(Math.max(...ends)).toBeLessThan(edge)
    expect(Math.min(...(page?.texts.map(({ x }) => x) ?? []))).toBeGreaterThan(72 * (first?.[0] ?? 0))
  })
})

test('usual tags are bars on rolls and sheets, high enough for a scanner; on a flag only short numbers are', async () => {
  const heights = async (sku: string, stock: LabelStock) => {
    const [page] = await pagesOf([piece(sku)], stock)
    return [...new Set(page?.rectangles.map(({ height }) => Math.round((height / 72) * 25.4)))]
  }
  for (const sku of ['DT-100001', 'LAKE-100123', 'F0100123', '100123']) {
    for (const stock of ['roll-57x32', 'letter-30'] as const) {
      const [height = 0, ...more] = await heights(sku, stock)
      expect([more, height >= 10]).toEqual([[], true])
    }
  }
  expect(await heights('100123', 'jewellery-30299')).toEqual([6])
  expect(await heights('DT-100001', 'jewellery-30299')).not.toEqual([6])
})

describe('the text on a label', () => {
  test('has tag, F#, brand, model, color, size and price', async () => {
    const [flat] = await pagesOf([piece('DT-100001')], 'roll-57x32')
    expect(saidOn(flat)).toEqual(['Aster Cove 12', 'Slate · 52-18-140', '$1,299.00', 'DT-100001 · F# F0100123'])
    const [tag] = await pagesOf([piece('DT-100001')], 'jewellery-30299')
    expect(saidOn(tag)).toEqual(['DT-100001', 'F0100123', '52-18-140', 'Aster Cove 12', 'Slate', '$1,299.00'])
    const [short] = await pagesOf([piece('100123')], 'jewellery-30299')
    expect(saidOn(short)).toEqual(['100123 · F# F0100123', 'Aster Cove 12', 'Slate · 52-18-140', '$1,299.00'])
  })

  test('breaks a tag that is too long for a flag over two lines, and keeps it complete', async () => {
    const [tag] = await pagesOf([piece('STORE1-FRAME-000123')], 'jewellery-30299')
    expect(saidOn(tag)?.slice(0, 3)).toEqual(['STORE1-FRA', 'ME-000123', 'F0100123'])
  })

  test('leaves out an unknown price, color or size', async () => {
    const bare = { title_variant: '', pb_selling_price: null, size_lens_width: null, size_bridge_width: null, size_temple_length: null }
    const [page] = await pagesOf([piece('DT-100001', { ...bare, serial: 'DT-100001' })], 'roll-57x32')
    expect(saidOn(page)).toEqual(['Aster Cove 12', 'DT-100001'])
  })

  test('prints names in other alphabets; a letter that the font lacks is a box, and nothing throws', async () => {
    const textOf = async (brand_name: string) => saidOn((await pagesOf([piece('DT-1', { brand_name })], 'roll-57x32'))[0])?.[0]
    expect(await textOf('Łódź Ωμέγα Очки')).toBe('Łódź Ωμέγα Очки Cove 12')
    expect(await textOf('眼鏡 市場')).toBe('□ Cove 12')
    for (const hostile of [
      'مؤسسة البصر',
      'चश्मा',
      '👓👩‍👩‍👧',
      '\u202Eevil\u0000\n',
      '',
      ' ',
      'e\u0301'.repeat(60),
      '\u{10FFFF}',
      '(\\)</Type>',
      'ﷺ',
    ]) {
      expect(
        await pagesOf([piece('DT-1', { brand_name: hostile, title_product: hostile, title_variant: hostile })], 'jewellery-30299'),
      ).toHaveLength(1)
    }
  })
})

test('many labels fill one page after the other, in order, after the used places', async () => {
  const pieces = Array.from({ length: 32 }, (_, at) => piece(`DT-${100_001 + at}`))
  const [first = [], second = [], ...more] = await readBack(pieces, 'letter-30', { skip: 4 })
  expect(more).toEqual([])
  expect(first).toEqual([[], [], [], [], ...pieces.slice(0, 26).map(({ sku }) => [sku])])
  expect(second).toEqual([...pieces.slice(26).map(({ sku }) => [sku]), ...Array.from({ length: 24 }, () => [])])
  expect((await readBack(pieces.slice(0, 3), 'jewellery-30299', { skip: 1 })).flat()).toEqual([
    [],
    ['DT-100001'],
    ['DT-100002'],
    ['DT-100003'],
  ])
  expect(await pagesOf(pieces, 'roll-57x32')).toHaveLength(32)
})

test('a code that no label of the stock can hold is refused by name', async () => {
  const sku = 'LONG-'.repeat(60)
  const refusal = await drawLabels([piece('DT-1'), piece(sku)], 'jewellery-30299', 0, now).catch((error: unknown) => error as Refusal)
  expect(refusal).toMatchObject({ code: 'label-too-small', details: { sku } })
})
