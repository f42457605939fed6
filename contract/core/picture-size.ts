/** How large a picture is, told from its first bytes. What browsers decode is as large as this, however small its file. */

/** A panorama of the eye, or a scan of a large sheet at 600 dots an inch, has fewer. */
const mostPixels = 100_000_000
const longestSide = 30_000

type PictureSize = { width: number; height: number }

export function isPictureTooLarge({ width, height }: PictureSize): boolean {
  return width > longestSide || height > longestSide || width * height > mostPixels
}

/** Null for what is no picture, and for one whose head cannot be read. */
export function pictureSize(bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return sizeOf(bytes, view)
  } catch (error) {
    // The head says that there is more than there is.
    if (error instanceof RangeError) return null
    throw error
  }
}

function sizeOf(bytes: Uint8Array, view: DataView): PictureSize | null {
  const at = (offset: number, text: string) => Array.from(text).every((letter, index) => bytes[offset + index] === letter.charCodeAt(0))
  if (at(0, '\u00ff\u00d8\u00ff')) return sizeOfJpeg(view)
  if (at(0, '\u0089PNG\r\n')) return { width: view.getUint32(16), height: view.getUint32(20) }
  if (at(0, 'GIF8')) return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (at(0, 'RIFF') && at(8, 'WEBP')) return sizeOfWebp(view, (text) => at(12, text))
  if (at(0, 'II*\u0000') || at(0, 'MM\u0000*')) return sizeOfTiff(view, at(0, 'II'))
  if (at(4, 'ftyp')) return sizeOfHeic(bytes, view)
  return null
}

/** Segment after segment to the frame, which says it. */
function sizeOfJpeg(view: DataView): PictureSize | null {
  let place = 2
  for (;;) {
    if (view.getUint8(place) !== 0xff) return null
    const marker = view.getUint8(place + 1)
    if (marker === 0xff) place += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) place += 2
    else if (marker === 0xd9 || marker === 0xda) return null
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { height: view.getUint16(place + 5), width: view.getUint16(place + 7) }
    } else place += 2 + view.getUint16(place + 2)
  }
}

function sizeOfWebp(view: DataView, isKind: (text: string) => boolean): PictureSize | null {
  if (isKind('VP8 ')) return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (isKind('VP8L')) {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (!isKind('VP8X')) return null
  const at = (place: number) => 1 + view.getUint16(place, true) + view.getUint8(place + 2) * 0x1_0000
  return { width: at(24), height: at(27) }
}

/** Of its first page. */
function sizeOfTiff(view: DataView, isLittle: boolean): PictureSize | null {
  const first = view.getUint32(4, isLittle)
  const entries = view.getUint16(first, isLittle)
  const found: Partial<PictureSize> = {}
  for (let entry = 0; entry < entries; entry++) {
    const place = first + 2 + entry * 12
    const tag = view.getUint16(place, isLittle)
    if (tag !== 256 && tag !== 257) continue
    const isShort = view.getUint16(place + 2, isLittle) === 3
    found[tag === 256 ? 'width' : 'height'] = isShort ? view.getUint16(place + 8, isLittle) : view.getUint32(place + 8, isLittle)
  }
  return found.width === undefined || found.height === undefined ? null : { width: found.width, height: found.height }
}

/** A HEIC lists its whole picture and its tiles near its head: the largest is the whole. */
function sizeOfHeic(bytes: Uint8Array, view: DataView): PictureSize | null {
  let largest: PictureSize | null = null
  const last = Math.min(bytes.length, 256 * 1024) - 16
  for (let place = 8; place < last; place++) {
    if (bytes[place] !== 0x69 || view.getUint32(place) !== 0x69737065) continue
    const size = { width: view.getUint32(place + 8), height: view.getUint32(place + 12) }
    if (largest === null || size.width * size.height > largest.width * largest.height) largest = size
  }
  return largest
}
