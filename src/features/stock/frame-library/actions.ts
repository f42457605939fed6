import type { Model } from '#contract/library/frame-library.ts'
import { modelPhotoEndpoints } from '#contract/library/model-photos.ts'
import { longestPhotoSide, longestThumbnailSide, mostPhotoBytes, mostThumbnailBytes } from '#contract/core/photo.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { scaleImage, toBase64 } from '#src/device/scale-image.ts'
import type { Device } from '#src/sync/device/device.ts'

type Caller = Pick<Device, 'call'>
type OfModel = Pick<Model, 'id_model' | 'id_photo'>
/** Enough for a photo over a slow connection. */
const timeoutMs = 60_000

/**
 * Puts a photo on a model, in place of the photo that the user saw.
 * @throws Error with a message for the user, when this device cannot read the file as an image
 */
export async function putPhoto(device: Caller, { id_model, id_photo }: OfModel, file: Blob): Promise<Outcome<unknown>> {
  const photo = await scaleImage(file, { longest: longestPhotoSide, mostBytes: mostPhotoBytes })
  const thumbnail = await scaleImage(new Blob([Uint8Array.from(photo)]), { longest: longestThumbnailSide, mostBytes: mostThumbnailBytes })
  const body = { replaces: id_photo, photo: toBase64(photo), thumbnail: toBase64(thumbnail) }
  return await device.call(modelPhotoEndpoints.putModelPhoto, { params: { id_model: String(id_model) }, body }, { timeoutMs })
}

export async function removePhoto(device: Caller, idModel: number, idPhoto: string): Promise<Outcome<unknown>> {
  const params = { id_model: String(idModel) }
  return await device.call(modelPhotoEndpoints.removeModelPhoto, { params, query: { replaces: idPhoto } }, { timeoutMs })
}
