import { longestPhotoSide, mostPhotoBytes } from '#contract/core/photo.ts'
import { scaleImage } from '#src/device/scale-image.ts'

/** A photo of a card as it is sent. @throws Error in a person's words, when it is no image that this device can read */
export async function scalePhoto(file: Blob): Promise<Uint8Array> {
  return await scaleImage(file, { longest: longestPhotoSide, mostBytes: mostPhotoBytes })
}
