import { createHash, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { Refusal } from '#contract/core/errors.ts'
import { photoMime } from '#contract/core/photo.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { recordChange, writingLibrary } from '#server/features/stock/frame-library/save-library.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import type { Services } from '#server/platform/services.ts'
import { scanFile } from '#server/platform/storage/scan-file.ts'
import { once } from '#server/platform/storage/storage.ts'

type PhotoNow = { id_model: number; id_photo: string | null }
type Standing = { id_photo: string; sha256: string }
type Given = { replaces: string | null; photo: Uint8Array; thumbnail: Uint8Array }

/**
 * Replaces a model's photo, when it is still the one that the user saw. A repeat after a lost answer changes nothing.
 * @throws Refusal model-unknown, photo-changed, storage-unreachable, file-infected, scanner-unreachable
 */
export async function putModelPhoto(
  services: Services,
  scope: Scope,
  idModel: number,
  { replaces, photo, thumbnail }: Given,
): Promise<PhotoNow> {
  const { db, storage } = services
  const mime = photoMime(photo)
  if (!mime) throw new Error('a photo that the contract does not take')
  const sha256 = createHash('sha256').update(photo).digest('hex')
  // Checks before storing, so that no bytes are stored for a refusal.
  const seen = await photoOf(db.pool, idModel)
  if (seen?.sha256 === sha256) return { id_model: idModel, id_photo: seen.id_photo }
  if ((seen?.id_photo ?? null) !== replaces) throw changed(seen)

  await scanFile(services, photo)
  await scanFile(services, thumbnail)
  // Stored before the row, which makes it the model's photo. Bytes without a row only cost space.
  const id_photo = randomUUID()
  const keys = keysOf(id_photo)
  await storage.put(keys.photo, once(photo), photo.byteLength)
  await storage.put(keys.thumbnail, once(thumbnail), thumbnail.byteLength)
  const now = await writingLibrary(services, async ({ trx }, at) => {
    const standing = await photoOf(trx, idModel)
    // Another call may have put a photo there at the same moment.
    if (standing?.sha256 === sha256 || (standing?.id_photo ?? null) !== replaces) return standing
    const row = { id_photo, mime, size: photo.byteLength, sha256, at, id_user: scope.id_user, rep: scope.name }
    await trx
      .insertInto('model_photos')
      .values({ id_model: idModel, ...row })
      .onConflict((conflict) => conflict.column('id_model').doUpdateSet(row))
      .execute()
    await recordChange(trx, scope, at, 'model.change', { id_model: idModel }, ['photo'])
    return row
  })
  const isPut = now?.id_photo === id_photo
  const useless = isPut ? replaces : id_photo
  if (useless !== null) await drop(services, useless)
  if (now?.sha256 !== sha256) throw changed(now)
  return { id_model: idModel, id_photo: now.id_photo }
}

/** Removes the photo that the user saw. @throws Refusal model-unknown, photo-changed, storage-unreachable */
export async function removeModelPhoto(services: Services, scope: Scope, idModel: number, replaces: string): Promise<PhotoNow> {
  const isRemoved = await writingLibrary(services, async ({ trx }, at) => {
    const standing = await photoOf(trx, idModel)
    if (standing === null) return false
    if (standing.id_photo !== replaces) throw changed(standing)
    await trx.deleteFrom('model_photos').where('id_model', '=', idModel).execute()
    await recordChange(trx, scope, at, 'model.change', { id_model: idModel }, ['photo'])
    return true
  })
  // Drops bytes only when they were this model's, so that no caller can delete another model's photo.
  if (isRemoved) await drop(services, replaces)
  return { id_model: idModel, id_photo: null }
}

/** Returns the photo or its thumbnail, which browsers may cache. @throws Refusal photo-unknown, storage-unreachable */
export async function readModelPhoto(services: Services, idPhoto: string, which: 'photo' | 'thumbnail'): Promise<Response> {
  const row = await services.db.pool.selectFrom('model_photos').select('mime').where('id_photo', '=', idPhoto).executeTakeFirst()
  // A photo that was replaced since its row was read is gone too.
  const content = row ? await services.storage.get(keysOf(idPhoto)[which]) : null
  if (!row || !content) throw new Refusal('photo-unknown')
  return new Response(content, {
    headers: {
      'content-type': which === 'photo' ? row.mime : 'image/jpeg',
      'content-disposition': 'inline',
      'cache-control': 'private, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    },
  })
}

/** @throws Refusal model-unknown */
async function photoOf(db: Kysely<Schema>, idModel: number): Promise<Standing | null> {
  const row = await db
    .selectFrom('models')
    .leftJoin('model_photos as photo', 'photo.id_model', 'models.id_model')
    .select(['photo.id_photo', 'photo.sha256'])
    .where('models.id_model', '=', idModel)
    .executeTakeFirst()
  if (!row) throw new Refusal('model-unknown')
  return row.id_photo === null || row.sha256 === null ? null : { id_photo: row.id_photo, sha256: row.sha256 }
}

function changed(now: Standing | null): Refusal {
  return new Refusal('photo-changed', { details: { id_photo: now?.id_photo ?? null } })
}

function keysOf(idPhoto: string) {
  return { photo: `model-photos/${idPhoto}`, thumbnail: `model-thumbnails/${idPhoto}` }
}

async function drop({ storage }: Services, idPhoto: string): Promise<void> {
  const keys = keysOf(idPhoto)
  await storage.delete(keys.photo)
  await storage.delete(keys.thumbnail)
}
