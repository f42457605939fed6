import { createRequire } from 'node:module'
import { type Font, openSync } from 'fontkit'

const { resolve } = createRequire(import.meta.url)

/** Narrow, because labels are. They have Latin, Greek, Cyrillic, Armenian, Georgian, Arabic and many signs. */
export const labelFonts = {
  plain: resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf'),
  bold: resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf'),
} as const
export type LabelFont = keyof typeof labelFonts

const known: Partial<Record<LabelFont, Font>> = {}

/** Returns one line in the font's letters. A run of letters that the font lacks becomes one `□`. */
export function printable(text: string, font: LabelFont): string {
  const { hasGlyph } = glyphsOf(font)
  const line = text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Surrogate}]/gu, '')
    .trim()
  return Array.from(line)
    .map((letter) => (hasGlyph(letter) ? letter : '□'))
    .join('')
    .replace(/□(?:\s*□)+/g, '□')
}

function glyphsOf(font: LabelFont): { hasGlyph: (letter: string) => boolean } {
  const opened = (known[font] ??= openFont(font))
  return { hasGlyph: (letter) => opened.hasGlyphForCodePoint(letter.codePointAt(0) ?? 0) }
}

function openFont(font: LabelFont): Font {
  const opened = openSync(labelFonts[font])
  if (!('hasGlyphForCodePoint' in opened)) throw new Error('The labels’ font is a collection')
  return opened
}
