import { longestThumbnailSide, mostThumbnailBytes } from '#contract/core/photo.ts'
import { scaleImage, toBase64 } from '#src/device/scale-image.ts'

/** A small picture of an image, as base64; null for what this device cannot draw, which is shown by an icon then. */
export async function makeThumbnail(file: Blob): Promise<string | null> {
  if (typeof createImageBitmap === 'undefined') return null
  try {
    return toBase64(await scaleImage(file, { longest: longestThumbnailSide, mostBytes: mostThumbnailBytes }))
  } catch {
    return null
  }
}
