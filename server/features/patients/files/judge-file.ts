import { Refusal } from '#contract/core/errors.ts'
import { type FileType, typeOfBytes } from '#contract/patients/file-types.ts'
import { isPictureTooLarge, pictureSize } from '#contract/core/picture-size.ts'
import { pdfPages } from '#server/features/patients/files/pdf-pages.ts'

/** An hour of a document scanner. More pages are an attack on the readers. */
const mostPdfPages = 2000

/**
 * Returns the type of a whole file from its content.
 * @throws Refusal file-type-unknown, file-picture-too-large, file-pages-too-many
 */
export function judgeFile(bytes: Uint8Array): FileType {
  const type = typeOrRefusal(bytes)
  const size = pictureSize(bytes)
  if (size && isPictureTooLarge(size)) throw new Refusal('file-picture-too-large', { details: size })
  if (type.mime !== 'application/pdf') return type
  const pages = pdfPages(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (pages > mostPdfPages) throw new Refusal('file-pages-too-many', { details: { limit: mostPdfPages } })
  return type
}

/** Returns the type of a file from its first bytes. @throws Refusal file-type-unknown */
export function typeOrRefusal(head: Uint8Array): FileType {
  const type = typeOfBytes(head)
  if (!type) throw new Refusal('file-type-unknown')
  return type
}
