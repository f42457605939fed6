import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mostPhotoBytes, mostThumbnailBytes } from '#contract/core/photo.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

const storage = memoryStorage()
let server: TestServer
const tokens = { maya: '', ben: '', ana: '' }
let idProduct = 0

beforeAll(async () => {
  server = await startTestServer({ storage })
  // Here the third seeded user works at the front desk, and may look but not write.
  await server.db.pool
    .updateTable('users')
    .set({ role_ids: ['front_desk'] })
    .where('username', '=', 'ana')
    .execute()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
  const product = await call('POST', '/api/product/add', { ...style, brand_id: 1 })
  idProduct = product.body.id_product
})
afterAll(() => server.close())

const style = { title: 'Pictured 1', material: null, shape: null, gender: null, rim: null, launch_date: null, discontinued_at: null }
const sizes = { eye: 52, bridge: 18, temple: 140, a: null, b: null, ed: null, dbl: null }
const jpeg = (length = 64, salt = 0) => Uint8Array.from({ length }, (_, at) => [0xff, 0xd8, 0xff, 0xe0][at] ?? (at + salt) % 251)
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3])
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function call(method: string, path: string, body?: unknown, token = tokens.maya) {
  const answer = await server.request(method, path, { token, ...(body !== undefined && { body }) })
  return { status: answer.status, body: await answer.json() }
}
async function newModel(color_name: string): Promise<number> {
  const model = { id_product: idProduct, color_code: '', color_name, ...sizes, upc: null, min_qty: 0, discontinued_at: null }
  return (await call('POST', '/api/frame_library/add_model', model)).body.id_model
}
const modelOf = async (id: number) =>
  (await call('GET', `/api/frame_library/models_by_product/${idProduct}`)).body.models.find(({ id_model }: any) => id_model === id)
const put = (id: number, more: Record<string, unknown> = {}, token = tokens.maya) =>
  call(
    'PUT',
    `/api/frame_library/model_photo/${id}`,
    { replaces: null, photo: base64(jpeg()), thumbnail: base64(jpeg(20)), ...more },
    token,
  )
const remove = (id: number, replaces: string, token = tokens.maya) =>
  call('DELETE', `/api/frame_library/model_photo/${id}?replaces=${replaces}`, undefined, token)
const read = (id: string, token = tokens.ana) => server.request('GET', `/api/frame_library/photo/${id}`, { token })
const readSmall = (id: string) => server.request('GET', `/api/frame_library/photo/${id}/thumbnail`, { token: tokens.ana })
const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())

describe('the photo of a model', () => {
  test('is visible to all who may look up frames, large and small, and browsers may cache it', async () => {
    const id = await newModel('Slate')
    expect((await modelOf(id)).id_photo).toBeNull()
    const { status, body } = await put(id, { photo: base64(png) }, tokens.ben)
    expect([status, body.id_model]).toEqual([200, id])
    expect((await modelOf(id)).id_photo).toBe(body.id_photo)
    const large = await read(body.id_photo)
    expect(large.headers.get('content-type')).toBe('image/png')
    expect(large.headers.get('cache-control')).toBe('private, max-age=31536000, immutable')
    expect(large.headers.get('content-security-policy')).toContain('sandbox')
    expect(await bytesOf(large)).toEqual(png)
    const small = await readSmall(body.id_photo)
    expect(small.headers.get('content-type')).toBe('image/jpeg')
    expect(await bytesOf(small)).toEqual(jpeg(20))
    // A photo makes no new version of the model, so a user who changes its prices can continue.
    expect((await modelOf(id)).version).toBe(1)
    const record = await server.db.pool.selectFrom('library_history').selectAll().where('id_model', '=', id).orderBy('id').execute()
    expect(record.map(({ action, rep, detail }) => [action, rep, detail])).toEqual([
      ['model.add', 'Maya Okonjo', ''],
      ['model.change', 'Ben Halvorsen', 'photo'],
    ])
  })

  test('is stored once, however often it is sent; a new one replaces only the photo that the user saw', async () => {
    const id = await newModel('Rose')
    const first = (await put(id)).body.id_photo
    expect((await put(id)).body.id_photo).toBe(first)
    const late = await put(id, { photo: base64(jpeg(64, 7)) })
    expect([late.status, late.body.code, late.body.details]).toEqual([409, 'photo-changed', { id_photo: first }])
    const { status, body } = await put(id, { photo: base64(jpeg(64, 7)), replaces: first })
    expect(status).toBe(200)
    expect(body.id_photo).not.toBe(first)
    const gone = await read(first)
    expect([gone.status, (await gone.json()).code]).toEqual([404, 'photo-unknown'])
    expect(await bytesOf(await read(body.id_photo))).toEqual(jpeg(64, 7))
  })

  test('when two users send one at once, one is refused, and nothing is left over', async () => {
    const id = await newModel('Moss')
    const before = storage.kept.size
    const answers = await Promise.all([put(id, { photo: base64(jpeg(70)) }), put(id, { photo: base64(jpeg(80)) }, tokens.ben)])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(storage.kept.size).toBe(before + 2)
    expect((await read((await modelOf(id)).id_photo)).status).toBe(200)
  })

  test('is removed by a user who saw it, with all its bytes', async () => {
    const id = await newModel('Plum')
    const before = storage.kept.size
    const { id_photo } = (await put(id)).body
    const other = (await put(await newModel('Fern'))).body.id_photo
    expect((await remove(id, other)).body.code).toBe('photo-changed')
    expect((await remove(id, id_photo)).body).toEqual({ id_model: id, id_photo: null })
    expect((await modelOf(id)).id_photo).toBeNull()
    expect((await read(id_photo)).status).toBe(404)
    // A repeated removal, and one with another model's photo, change nothing.
    expect((await remove(id, id_photo)).status).toBe(200)
    expect((await remove(id, other)).status).toBe(200)
    expect((await read(other)).status).toBe(200)
    expect(storage.kept.size).toBe(before + 2)
  })

  test.each([
    ['photo', base64(new TextEncoder().encode('<svg onload=alert(1)>')), 'must be a JPEG, PNG or WebP image'],
    ['photo', 'not base64!', undefined],
    ['photo', base64(jpeg(mostPhotoBytes + 1)), 'must be at most 3 MB'],
    ['thumbnail', base64(png), 'must be a JPEG image as base64'],
    ['thumbnail', base64(jpeg(mostThumbnailBytes + 1)), 'must be at most 24 KB'],
    ['replaces', 'the last one', undefined],
  ])('is refused at its field when %s is invalid or too large (%#)', async (field, value, message) => {
    const kept = storage.kept.size
    const { status, body } = await put(1, { [field]: value })
    expect([status, body.code, body.fields[0].path]).toEqual([422, 'request-invalid', `body.${field}`])
    if (message !== undefined) expect(body.fields[0].message).toBe(message)
    expect(storage.kept.size).toBe(kept)
  })

  test('is refused before it has arrived when it is far too large', async () => {
    const { status, body } = await put(1, { photo: base64(jpeg(2 * mostPhotoBytes)) })
    expect([status, body.code]).toEqual([413, 'request-too-large'])
  })

  test('cannot be changed by other roles, nor added to an unknown model', async () => {
    const id = await newModel('Sand')
    expect((await put(id, {}, tokens.ana)).body.code).toBe('permission-missing')
    const { id_photo } = (await put(id)).body
    expect((await remove(id, id_photo, tokens.ana)).body.code).toBe('permission-missing')
    expect((await put(999_999)).body.code).toBe('model-unknown')
    expect((await remove(999_999, id_photo)).body.code).toBe('model-unknown')
    const nobodys = await read('0199f0a0-0000-7000-8000-00000000dead')
    expect([nobodys.status, (await nobodys.json()).code]).toEqual([404, 'photo-unknown'])
    expect((await read('nothing')).status).toBe(422)
    expect((await server.request('GET', `/api/frame_library/photo/${id_photo}`, {})).status).toBe(401)
  })

  test('is in the record of a piece of the model', async () => {
    const [frame] = server.seed.frames.downtown
    const record = async () => (await call('GET', `/api/inventory/lookup?sku=${frame!.sku}`, undefined, tokens.ana)).body
    const before = await record()
    expect(before.id_photo).toBeNull()
    const { id_photo } = (await put(before.id_model)).body
    expect((await record()).id_photo).toBe(id_photo)
  })
})
