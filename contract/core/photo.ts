import * as v from 'valibot'
import { bytesOfBase64 } from '#contract/core/base64.ts'
import { isPictureTooLarge, pictureSize } from '#contract/core/picture-size.ts'

/** Photos and their thumbnails: allowed types and sizes. */

export const longestPhotoSide = 1600
export const mostPhotoBytes = 3 * 1024 * 1024
export const photoMimes = ['image/jpeg', 'image/png', 'image/webp'] as const
type PhotoMime = (typeof photoMimes)[number]

/** Returns the type of a photo by its first bytes; null for every other type. The sender's claim does not count. */
export function photoMime(bytes: Uint8Array): PhotoMime | null {
  const at = (offset: number, text: string) => text.split('').every((letter, index) => bytes[offset + index] === letter.charCodeAt(0))
  if (at(0, '\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (at(0, '\u0089PNG\r\n\u001a\n')) return 'image/png'
  return at(0, 'RIFF') && at(8, 'WEBP') ? 'image/webp' : null
}

const fromText = v.pipe(
  v.string(),
  v.maxLength(Math.ceil(mostPhotoBytes / 3) * 4 + 64, 'must be at most 3 MB'),
  v.rawTransform(({ dataset, addIssue, NEVER }): Uint8Array => {
    const bytes = bytesOfBase64(dataset.value)
    if (bytes) return bytes
    addIssue({ message: 'must be an image as base64' })
    return NEVER
  }),
)

function isSmallEnough(bytes: Uint8Array): boolean {
  const size = pictureSize(bytes)
  return size === null || !isPictureTooLarge(size)
}

/** A photo as a file's bytes (from a form) or as base64. */
export const photo = v.pipe(
  v.union([v.instance(Uint8Array), fromText]),
  v.check((bytes) => bytes.length <= mostPhotoBytes, 'must be at most 3 MB'),
  v.check((bytes) => photoMime(bytes) !== null, 'must be a JPEG, PNG or WebP image'),
  v.check((bytes) => isSmallEnough(bytes), 'must have at most 100 million pixels'),
)

export const longestThumbnailSide = 256
/** Former versions of the app made larger thumbnails, and other programs may. */
const mostThumbnailSide = 1024
export const mostThumbnailBytes = 24 * 1024

/** A thumbnail as a base64 JPEG. The device that uploads the image makes it. */
export const thumbnail = v.pipe(
  v.string(),
  v.maxLength((mostThumbnailBytes / 3) * 4, 'must be at most 24 KB'),
  v.rawTransform(({ dataset, addIssue, NEVER }): Uint8Array => {
    const bytes = bytesOfBase64(dataset.value)
    const size = bytes && pictureSize(bytes)
    if (size && Math.max(size.width, size.height) > mostThumbnailSide) {
      addIssue({ message: `must have at most ${mostThumbnailSide} pixels to a side` })
      return NEVER
    }
    if (bytes && photoMime(bytes) === 'image/jpeg') return bytes
    addIssue({ message: 'must be a JPEG image as base64' })
    return NEVER
  }),
)
