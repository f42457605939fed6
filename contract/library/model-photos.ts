import * as v from 'valibot'
import { endpoint } from '#contract/core/endpoint.ts'
import { mostPhotoBytes, photo, thumbnail } from '#contract/core/photo.ts'
import { rowId, uuid } from '#contract/core/primitives.ts'

/**
 * The photo of a model, one for each. It has an id that never comes again: another photo has another one, so what was fetched under an id
 * may be kept for as long as there is room.
 */

const ofModel = v.object({ id_model: v.pipe(v.string(), v.regex(/^[1-9]\d{0,8}$/), v.transform(Number)) })
const ofPhoto = v.object({ id_photo: uuid })
const photoNow = v.object({ id_model: rowId, id_photo: v.nullable(uuid) })
// As base64, with the small one.
const bodyLimit = Math.ceil(mostPhotoBytes / 3) * 4 + 64 * 1024

export const modelPhotoEndpoints = {
  putModelPhoto: endpoint({
    method: 'PUT',
    path: '/api/frame_library/model_photo/{id_model}',
    summary: 'A photo of a model, with its small one, in place of the one that was seen (`replaces`). The same photo again changes nothing',
    access: 'library.write',
    params: ofModel,
    body: v.object({ replaces: v.nullable(uuid), photo, thumbnail }),
    bodyLimit,
    response: photoNow,
    refuses: ['model-unknown', 'photo-changed', 'storage-unreachable', 'file-infected', 'scanner-unreachable'],
  }),
  removeModelPhoto: endpoint({
    method: 'DELETE',
    path: '/api/frame_library/model_photo/{id_model}',
    summary: 'Takes away the photo that was seen; where there is none, nothing happens',
    access: 'library.write',
    params: ofModel,
    query: v.object({ replaces: uuid }),
    response: photoNow,
    refuses: ['model-unknown', 'photo-changed', 'storage-unreachable'],
  }),
  modelPhoto: endpoint({
    method: 'GET',
    path: '/api/frame_library/photo/{id_photo}',
    summary: 'A photo of a model; a browser may keep it',
    access: 'frame.look-up',
    params: ofPhoto,
    answers: 'file',
    response: v.blob(),
    cached: 'browser',
    refuses: ['photo-unknown', 'storage-unreachable'],
  }),
  modelThumbnail: endpoint({
    method: 'GET',
    path: '/api/frame_library/photo/{id_photo}/thumbnail',
    summary: 'The same in small, for lists',
    access: 'frame.look-up',
    params: ofPhoto,
    answers: 'file',
    response: v.blob(),
    cached: 'browser',
    refuses: ['photo-unknown', 'storage-unreachable'],
  }),
} as const
