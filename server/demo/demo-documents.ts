import { crc32, deflateSync } from 'node:zlib'
import type { SeededRandom } from '#server/demo/seeded-random.ts'

/**
 * One page of lines in a plain typeface, with a larger first line. Letters outside of Latin-1 become question marks.
 */
export function pdfOf(lines: readonly string[]): Uint8Array {
  const latin = (text: string) => Array.from(text.replaceAll('’', "'"), (letter) => (letter.charCodeAt(0) < 256 ? letter : '?')).join('')
  const shown = lines.map((line, at) => {
    const text = latin(line).replace(/[\\()]/g, String.raw`\$&`)
    return `BT /F1 ${at === 0 ? 18 : 11} Tf 72 ${770 - at * 22} Td (${text}) Tj ET`
  })
  const content = shown.join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return String(place).padStart(10, '0')
  })
  const table = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${place} 00000 n \n`).join('')}`
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

/** The back of an eye, as a camera sees it: a disc with a bright spot, and vessels that start there. */
export function eyePng(random: SeededRandom, side = 256): Uint8Array {
  const middle = side / 2
  const disc = { x: middle + side * (random.chance(0.5) ? 0.22 : -0.22), y: middle + random.int(-6, 6) }
  const bends = Array.from({ length: 5 }, () => random.int(10, 40) / 10)
  const rows = Buffer.alloc(side * (side * 3 + 1))
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      const fromMiddle = Math.hypot(x - middle, y - middle) / middle
      const at = y * (side * 3 + 1) + 1 + x * 3
      if (fromMiddle > 0.96) continue
      const fromDisc = Math.hypot(x - disc.x, y - disc.y) / middle
      const angle = Math.atan2(y - disc.y, x - disc.x)
      const isVessel =
        fromDisc > 0.1 && bends.some((bend, nth) => Math.abs(Math.sin(angle * 1.5 + fromDisc * bend + nth * 1.3)) < 0.02 / fromDisc)
      const glow = Math.max(0, 1 - fromDisc * 7)
      const shade = (1 - fromMiddle * 0.45) * (isVessel ? 0.72 : 1)
      rows[at] = Math.min(255, 196 * shade + 90 * glow)
      rows[at + 1] = Math.min(255, 88 * shade + 140 * glow)
      rows[at + 2] = Math.min(255, 42 * shade + 90 * glow)
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, pngPart('IHDR', head), pngPart('IDAT', deflateSync(rows)), pngPart('IEND', Buffer.alloc(0))])
}

function pngPart(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}
