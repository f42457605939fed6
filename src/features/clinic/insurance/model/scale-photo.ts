import { longestPhotoSide, mostPhotoBytes } from '#contract/core/photo.ts'
import { scaleImage } from '#src/device/scale-image.ts'

/**
 * Scales a photo of a card for sending.
 * @throws Error with a message for the user, when this device cannot read it as an image
 */
export async function scalePhoto(file: Blob): Promise<Uint8Array> {
  return await scaleImage(file, { longest: longestPhotoSide, mostBytes: mostPhotoBytes })
}
