import zlib from 'node:zlib'

/** The black rectangles and the lines of text of a page, in points from its upper left corner. */
export type PdfPage = {
  width: number
  height: number
  rectangles: { x: number; y: number; width: number; height: number }[]
  texts: PdfText[]
}
/** A line of text: its start, size and weight. */
export type PdfText = { text: string; x: number; size: number; bold: boolean }

/** Reads the PDFs of our server: compressed streams, and fonts with a table to Unicode. It reads no other PDFs. */
export function readPdf(bytes: Uint8Array): { pages: PdfPage[]; source: string } {
  const source = Buffer.from(bytes).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id = '', body = ''] of source.matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id, body)
  const at = (id: string | undefined) => objects.get(id ?? '') ?? ''
  const pages = [...objects.values()]
    .filter((body) => body.includes('/Type /Page\n'))
    .map((page) => {
      const [, width = '', height = ''] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(page) ?? []
      const resources = at(/\/Resources (\d+) 0 R/.exec(page)?.[1])
      const fonts = new Map(
        [...resources.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id]) => {
          const letters = lettersOf(streamOf(at(/\/ToUnicode (\d+) 0 R/.exec(at(id))?.[1])))
          return [name, { letters, bold: /\/BaseFont \S*Bold/.test(at(id)) }] as const
        }),
      )
      const content = streamOf(at(/\/Contents (\d+) 0 R/.exec(page)?.[1]))
      return { width: Number(width), height: Number(height), ...drawnBy(content, fonts, Number(height)) }
    })
  return { pages, source }
}

type PdfFont = { letters: Map<string, string>; bold: boolean }

function drawnBy(content: string, fonts: Map<string, PdfFont>, height: number): Pick<PdfPage, 'rectangles' | 'texts'> {
  const rectangles: PdfPage['rectangles'] = []
  const texts: PdfText[] = []
  let font: PdfFont | undefined
  let size = 0
  let x = 0
  // Our library starts each page upside down. The parser relies on that.
  if (!content.startsWith(`1 0 0 -1 0 ${height} cm`)) throw new Error('The page does not begin as it used to')
  for (const line of content.split('\n')) {
    const rectangle = /^([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+) re$/.exec(line)
    if (rectangle) {
      const [x = 0, y = 0, w = 0, h = 0] = rectangle.slice(1).map(Number)
      rectangles.push({ x, y, width: w, height: h })
    }
    x = Number(/^1 0 0 1 ([-\d.]+) [-\d.]+ Tm$/.exec(line)?.[1] ?? x)
    const chosen = /^\/(F\d+) ([\d.]+) Tf$/.exec(line)
    if (chosen) {
      font = fonts.get(chosen[1] ?? '')
      size = Number(chosen[2])
    }
    if (line.endsWith(' TJ')) {
      const glyphs = [...line.matchAll(/<([0-9a-f]+)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
      texts.push({ text: glyphs.map((glyph) => font?.letters.get(glyph) ?? '?').join(''), x, size, bold: font?.bold ?? false })
    }
  }
  return { rectangles, texts }
}

function streamOf(body: string): string {
  const found = /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(body)
  return found ? zlib.inflateSync(Buffer.from(found[1] ?? '', 'latin1')).toString('latin1') : ''
}

/** Returns the letters of a font's glyphs: `<0000> <0012> [<0041> <0042> …]`. */
function lettersOf(table: string): Map<string, string> {
  const letters = new Map<string, string>()
  for (const [, first = '', list = ''] of table.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/gi)) {
    let glyph = Number.parseInt(first, 16)
    for (const [, hex = ''] of list.matchAll(/<([0-9a-f ]*)>/gi)) {
      const units = hex.replace(/\s/g, '').match(/.{4}/g) ?? []
      letters.set(glyph.toString(16).padStart(4, '0'), String.fromCharCode(...units.map((unit) => Number.parseInt(unit, 16))))
      glyph += 1
    }
  }
  return letters
}

/** Returns the printed dots of a part of a page. A dot is black when its center is inside a rectangle. */
export function printed(
  page: PdfPage,
  part: { x: number; y: number; width: number; height: number },
  dpi: number,
): { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number; colorSpace: 'srgb' } {
  const dot = 72 / dpi
  const width = Math.round(part.width / dot)
  const height = Math.round(part.height / dot)
  const data = new Uint8ClampedArray(width * height * 4).fill(255)
  for (const bar of page.rectangles) {
    const left = Math.max(0, Math.ceil((bar.x - part.x) / dot - 0.5))
    const right = Math.min(width, Math.ceil((bar.x + bar.width - part.x) / dot - 0.5))
    const top = Math.max(0, Math.ceil((bar.y - part.y) / dot - 0.5))
    const bottom = Math.min(height, Math.ceil((bar.y + bar.height - part.y) / dot - 0.5))
    for (let row = top; row < bottom; row++) {
      for (let column = left; column < right; column++) data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  }
  return { data, width, height, colorSpace: 'srgb' }
}
