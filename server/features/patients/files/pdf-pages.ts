import { constants, inflateSync } from 'node:zlib'

/** More than any real stream of objects holds. Unpacking stops here, so a decompression bomb does no harm. */
const mostInflatedEach = 4 * 1024 * 1024
const mostInflated = 64 * 1024 * 1024

/**
 * Returns the number of pages of a PDF from its objects. It draws and runs nothing. Encrypted parts count only as far
 * as they can be read.
 * @returns Infinity when it hides more objects than any document has
 */
export function pdfPages(bytes: Buffer): number {
  const text = bytes.toString('latin1')
  const found = pagesIn(text)
  let inflated = 0
  for (const { index } of text.matchAll(/\/Type\s*\/ObjStm\b/g)) {
    const begin = /stream\r?\n/g
    begin.lastIndex = index
    const start = begin.exec(text)
    if (!start) break
    const from = start.index + start[0].length
    const end = text.indexOf('endstream', from)
    const objects = inflate(bytes.subarray(from, end === -1 ? undefined : end))
    if (objects === null) return Infinity
    inflated += objects.length
    if (inflated > mostInflated) return Infinity
    const more = pagesIn(objects)
    found.pages += more.pages
    found.said = Math.max(found.said, more.said)
  }
  return Math.max(found.pages, found.said)
}

/** Counts the page objects, and finds the highest number in a page list. */
function pagesIn(text: string): { pages: number; said: number } {
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0
  let said = 0
  for (const { index } of text.matchAll(/\/Type\s*\/Pages\b/g)) {
    // The count is in the same dictionary, before or after its type.
    const near = text.slice(Math.max(0, index - 200), index + 200)
    for (const [, count] of near.matchAll(/\/Count\s+(\d{1,9})\b/g)) said = Math.max(said, Number(count))
  }
  return { pages, said }
}

/** Returns an empty text for bytes that cannot be unpacked, and null for too many. */
function inflate(bytes: Buffer): string | null {
  try {
    return inflateSync(bytes, { maxOutputLength: mostInflatedEach, finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')
  } catch (error) {
    return error instanceof RangeError ? null : ''
  }
}
