import * as v from 'valibot'

/** Photos of an insurance card: what they may be, and how large. */

export const photoSides = ['front', 'back'] as const
export type PhotoSide = (typeof photoSides)[number]
export const longestPhotoSide = 1600
export const mostPhotoBytes = 3 * 1024 * 1024
export const photoMimes = ['image/jpeg', 'image/png', 'image/webp'] as const
type PhotoMime = (typeof photoMimes)[number]

/** What a photo is by its first bytes, whatever its sender says of it; null for what is not taken. */
export function photoMime(bytes: Uint8Array): PhotoMime | null {
  const at = (offset: number, text: string) => text.split('').every((letter, index) => bytes[offset + index] === letter.charCodeAt(0))
  if (at(0, '\u00ff\u00d8\u00ff')) return 'image/jpeg'
  if (at(0, '\u0089PNG\r\n\u001a\n')) return 'image/png'
  return at(0, 'RIFF') && at(8, 'WEBP') ? 'image/webp' : null
}

/** Base64, with or without the head of a `data:` address; null when it is neither. */
function bytesOf(text: string): Uint8Array | null {
  const base64 = text.replace(/^data:image\/[a-z+.-]{1,20};base64,/, '')
  if (base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const binary = atob(base64)
  const bytes = new Uint8Array(binary.length)
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
  return bytes
}

const fromText = v.pipe(
  v.string(),
  v.maxLength(Math.ceil(mostPhotoBytes / 3) * 4 + 64, 'must be at most 3 MB'),
  v.rawTransform(({ dataset, addIssue, NEVER }): Uint8Array => {
    const bytes = bytesOf(dataset.value)
    if (bytes) return bytes
    addIssue({ message: 'must be an image as base64' })
    return NEVER
  }),
)

/** A photo as a file's bytes (from a form) or as base64. */
export const photo = v.pipe(
  v.union([v.instance(Uint8Array), fromText]),
  v.check((bytes) => bytes.length <= mostPhotoBytes, 'must be at most 3 MB'),
  v.check((bytes) => photoMime(bytes) !== null, 'must be a JPEG, PNG or WebP image'),
)
