/**
 * The type of a file by its first bytes. Its name and its sender's claim do not count. Both sides ask here, so a tablet
 * refuses a file at once instead of after the upload.
 */

export const fileTypes = [
  { mime: 'application/pdf', title: 'PDF', ending: 'pdf', shown: 'page' },
  { mime: 'image/jpeg', title: 'JPEG image', ending: 'jpg', shown: 'image' },
  { mime: 'image/png', title: 'PNG image', ending: 'png', shown: 'image' },
  { mime: 'image/webp', title: 'WebP image', ending: 'webp', shown: 'image' },
  { mime: 'image/gif', title: 'GIF image', ending: 'gif', shown: 'image' },
  { mime: 'image/heic', title: 'HEIC image', ending: 'heic', shown: 'no' },
  { mime: 'image/tiff', title: 'TIFF image', ending: 'tiff', shown: 'no' },
  { mime: 'application/dicom', title: 'DICOM image', ending: 'dcm', shown: 'no' },
] as const satisfies readonly {
  mime: string
  title: string
  ending: string
  /** How a browser shows the type: as an image, in a frame, or not at all. */
  shown: 'image' | 'page' | 'no'
}[]

export type FileType = (typeof fileTypes)[number]
export type FileMime = FileType['mime']
export const fileMimes = fileTypes.map(({ mime }) => mime) as [FileMime, ...FileMime[]]

/** The number of first bytes that tells all types apart. */
export const tellingBytes = 132

/** Returns the type of these bytes; null for every type that the app does not accept. */
export function typeOfBytes(head: Uint8Array): FileType | null {
  const mime = mimeOf(head)
  return fileTypes.find((type) => type.mime === mime) ?? null
}

/** Returns the type that a row names. */
export function typeNamed(mime: FileMime): FileType {
  const found = fileTypes.find((type) => type.mime === mime)
  if (!found) throw new Error('a type that is not in the table')
  return found
}

/** The brands under which phones write HEIC. */
const heicBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

function mimeOf(head: Uint8Array): FileMime | null {
  const at = (offset: number, text: string) =>
    head.length >= offset + text.length && Array.from(text).every((letter, index) => head[offset + index] === letter.charCodeAt(0))
  if (at(0, '%PDF-')) return 'application/pdf'
  if (at(0, '\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (at(0, '\u0089PNG\r\n\u001a\n')) return 'image/png'
  if (at(0, 'RIFF') && at(8, 'WEBP')) return 'image/webp'
  if (at(0, 'GIF87a') || at(0, 'GIF89a')) return 'image/gif'
  if (at(4, 'ftyp') && heicBrands.some((brand) => at(8, brand))) return 'image/heic'
  if (at(0, 'II*\u0000') || at(0, 'MM\u0000*')) return 'image/tiff'
  if (at(128, 'DICM')) return 'application/dicom'
  return null
}
