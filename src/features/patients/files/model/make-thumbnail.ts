import { longestThumbnailSide, mostThumbnailBytes } from '#contract/core/photo.ts'
import { scaleImage, toBase64 } from '#src/device/scale-image.ts'

/** Returns a thumbnail as base64, or null when this device cannot draw the file. The list then shows an icon. */
export async function makeThumbnail(file: Blob): Promise<string | null> {
  if (typeof createImageBitmap === 'undefined') return null
  try {
    return toBase64(await scaleImage(file, { longest: longestThumbnailSide, mostBytes: mostThumbnailBytes }))
  } catch {
    return null
  }
}
