import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { errorBody } from '#contract/core/errors.ts'
import { listFiles, mostFileBytes, patientFile, uploadProgress } from '#contract/patients/patient-files.ts'
import { patientAudit, patientRecord } from '#contract/patients/patients.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const storage = memoryStorage()
/** Runs before the storage keeps a file, and may throw. */
let fault: (() => void) | null = null
const shaky: Storage = { ...storage, put: async (...given) => (fault?.(), await storage.put(...given)) }
/** Maya manages all stores, Ana is an optician of Downtown, Ben a stock clerk. */
const tokens = { maya: '', ana: '', ben: '' }
let patientId: string
beforeAll(async () => {
  server = await startTestServer({ storage: shaky })
})
afterAll(() => server.close())
beforeEach(async () => {
  fault = null
  for (const name of ['maya', 'ana', 'ben'] as const) tokens[name] = (await server.signIn(name)).access_token
  patientId = await newPatient()
})

async function newPatient(): Promise<string> {
  const body = {
    first_name: 'Zuzana',
    last_name: 'Quillfeather',
    street_address: '12 Quarry Ln',
    city: 'Larkspur',
    state: 'NY',
    zip_code: '12345',
    gender: 'Female',
  }
  const answer = await server.request('POST', '/api/patient/add', { token: tokens.ana, body })
  return v.parse(patientRecord, await answer.json()).id
}
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
async function begin(token = tokens.ana, id = patientId): Promise<string> {
  const answer = await server.request('GET', `/api/patient/${id}/generate-filename-doc`, { token })
  if (answer.status !== 200) throw new Error((await refusalOf(answer)).code)
  return ((await answer.json()) as { filename: string }).filename
}
function formOf(name: string, bytes: Uint8Array | string, field = 'file'): FormData {
  const form = new FormData()
  form.set(field, new File([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)], name))
  return form
}
const send = (name: string, bytes: Uint8Array | string, query = '', token = tokens.ana) =>
  server.request('POST', `/upload/${query}`, { token, body: formOf(name, bytes) })
const attach = (body: Record<string, unknown>, token = tokens.ana) =>
  server.request('POST', '/api/patient/file', { token, body: { id_patient: patientId, ...body } })
async function uploaded(more: Record<string, unknown> = {}, bytes: Uint8Array | string = pdf) {
  const path = await (await send(await begin(), bytes)).text()
  return v.parse(patientFile, await (await attach({ file_path: path, ...more })).json())
}
const content = (id: string, token = tokens.ana) => server.request('GET', `/api/patient/file/${id}/content`, { token })
async function auditOf(id = patientId) {
  const answer = await server.request('GET', `/api/patient/${id}/audit`, { token: tokens.maya })
  return v.parse(patientAudit.response, await answer.json()).entries
}
async function inStore(storeId: number) {
  await server.db.pool.updateTable('patients').set({ store_id: storeId }).where('id', '=', patientId).execute()
}
const pdf = `%PDF-1.4\n${'of a referral '.repeat(200)}\n%%EOF`

describe('the three calls', () => {
  test('receive a file and put it into the record, byte for byte', async () => {
    const name = await begin()
    expect(name).toMatch(/^doc-[0-9a-f]{32}$/)
    const sent = await send(name, pdf)
    expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const path = await sent.text()
    expect(path).toMatch(/^patient-files\/[0-9a-f-]{36}$/)
    const answer = await attach({ file_path: path, filename: 'Überweisung “Dr. Ø”.pdf', category: 'referral', note: 'by post' })
    const file = v.parse(patientFile, await answer.json())
    expect(file).toMatchObject({
      id_patient: patientId,
      file_path: path,
      filename: 'Überweisung “Dr. Ø”.pdf',
      category: 'referral',
      note: 'by post',
      mime: 'application/pdf',
      size: pdf.length,
      uploaded_by: 'Ana Teixeira',
    })
    expect(await (await server.request('GET', `/api/patient/file/${file.id_file}`, { token: tokens.ana })).json()).toEqual(file)
    expect(await (await content(file.id_file)).text()).toBe(pdf)
  })

  test('repeated give the same file', async () => {
    const name = await begin()
    const path = await (await send(name, pdf)).text()
    const [one, other] = await Promise.all([attach({ file_path: path }), attach({ file_path: path })])
    const first = await one.json()
    expect(await other.json()).toEqual(first)
    expect(await (await attach({ file_path: path, category: 'imaging' })).json()).toEqual(first)
    expect((await refusalOf(await send(name, pdf))).code).toBe('key-reused')
    expect(first).toMatchObject({ filename: 'Document.pdf', category: 'other' })
  })

  test('by two uploads with one id make one file, the first; an id of another user is refused', async () => {
    const id_file = uuidv7()
    const paths = await Promise.all([1, 2].map(async () => await (await send(await begin(), pdf)).text()))
    const answers = await Promise.all(paths.map((file_path) => attach({ file_path, id_file })))
    const [first, second] = await Promise.all(answers.map(async (answer) => v.parse(patientFile, await answer.json())))
    expect(first).toMatchObject({ id_file })
    expect(second).toEqual(first)
    // Covers an upload that has expired, and a path that the server does not know.
    expect(await (await attach({ file_path: 'patient-files/forgotten', id_file })).json()).toEqual(first)
    const listed = await server.request('GET', `/api/patient/file?id_patient=${patientId}`, { token: tokens.ana })
    expect(v.parse(listFiles.response, await listed.json()).files.map((file) => file.id_file)).toEqual([id_file])
    expect((await auditOf()).filter(({ action }) => action === 'file.upload')).toHaveLength(1)
    const name = await begin(tokens.maya)
    const path = await (await send(name, pdf, '', tokens.maya)).text()
    const refused = await attach({ file_path: path, id_file }, tokens.maya)
    expect([refused.status, (await refusalOf(refused)).code]).toEqual([409, 'key-reused'])
    expect((await attach({ file_path: path, id_file: 'no id' }, tokens.maya)).status).toBe(422)
  })

  test('with a second upload before the last call hold its content, and keep nothing of the first', async () => {
    const name = await begin()
    const before = storage.kept.size
    await send(name, pdf)
    const path = await (await send(name, `${pdf} corrected`)).text()
    expect(storage.kept.size).toBe(before + 1)
    const file = v.parse(patientFile, await (await attach({ file_path: path })).json())
    expect(await (await content(file.id_file)).text()).toBe(`${pdf} corrected`)
  })

  test('work only for the user who began and for the same patient', async () => {
    const name = await begin()
    expect((await refusalOf(await send(name, pdf, '', tokens.maya))).code).toBe('upload-unknown')
    const path = await (await send(name, pdf)).text()
    expect((await refusalOf(await attach({ file_path: path }, tokens.maya))).code).toBe('upload-unknown')
    expect((await refusalOf(await attach({ file_path: path, id_patient: await newPatient() }))).code).toBe('upload-unknown')
    expect((await refusalOf(await attach({ file_path: 'patient-files/../secrets.json' }))).code).toBe('upload-unknown')
    expect((await attach({ file_path: path })).status).toBe(200)
  })

  test('expire after a day, and the server deletes the received bytes', async () => {
    const name = await begin()
    const path = await (await send(name, pdf)).text()
    const half = await begin()
    await send(half, pdf.slice(0, 500), `?offset=0&length=${pdf.length}`)
    const kept = await uploaded()
    server.clock.advance(24 * 3_600_000 + 1)
    tokens.ana = (await server.signIn('ana')).access_token
    expect((await refusalOf(await send(name, pdf))).code).toBe('upload-unknown')
    expect((await refusalOf(await attach({ file_path: path }))).code).toBe('upload-unknown')
    // Uploads of earlier tests expired too. Each new upload removes some.
    for (let nth = 0; nth < 5; nth += 1) await begin()
    expect(storage.kept.has(path)).toBe(false)
    expect([...storage.kept.keys()].filter((key) => key.startsWith('uploads/'))).toEqual([])
    expect(await (await content(kept.id_file)).text()).toBe(pdf)
    expect(await (await attach({ file_path: kept.file_path })).json()).toEqual(kept)
  })
})

describe('a thumbnail', () => {
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('a small picture')])
  const thumbnail = jpeg.toString('base64')
  const png = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.from('of an eye')])
  const read = (id: string, token = tokens.ana) => server.request('GET', `/api/patient/file/${id}/thumbnail`, { token })

  test('is stored beside its file, served to users who may see the file, and never cached', async () => {
    const file = await uploaded({ thumbnail }, png)
    expect(file).toMatchObject({ has_thumbnail: true, mime: 'image/png' })
    const answer = await read(file.id_file)
    expect(['content-type', 'cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name))).toEqual([
      'image/jpeg',
      'no-store',
      'nosniff',
    ])
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(jpeg)
    expect((await read(file.id_file, tokens.ben)).status).toBe(403)
    const views = async () => (await auditOf()).filter(({ action, detail }) => action === 'patient.view' && detail === 'files')
    expect(await views()).toHaveLength(1)
    await server.request('GET', `/api/patient/file?id_patient=${patientId}`, { token: tokens.ana })
    expect(await views()).toHaveLength(1)
    await inStore(2)
    expect((await refusalOf(await read(file.id_file))).code).toBe('patient-of-other-store')
  })

  test('sent again is stored once; a file may have none; one that is no JPEG or too large is refused', async () => {
    const id_file = uuidv7()
    const file = await uploaded({ thumbnail, id_file }, png)
    const thumbnails = () => [...storage.kept.keys()].filter((key) => key.startsWith('patient-thumbnails/')).length
    const before = thumbnails()
    expect(await uploaded({ thumbnail, id_file }, png)).toEqual(file)
    expect(thumbnails()).toBe(before)
    const plain = await uploaded()
    expect(plain.has_thumbnail).toBe(false)
    expect((await refusalOf(await read(plain.id_file))).code).toBe('file-unknown')
    const path = await (await send(await begin(), pdf)).text()
    for (const bad of [png.toString('base64'), 'no base64!', Buffer.concat([jpeg, Buffer.alloc(24 * 1024)]).toString('base64')]) {
      expect((await refusalOf(await attach({ file_path: path, thumbnail: bad }))).fields).toMatchObject([{ path: 'body.thumbnail' }])
    }
    expect((await attach({ file_path: path })).status).toBe(200)
  })
})

describe('a sent file', () => {
  test.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>', 415, 'file-type-unknown'],
    ['<!doctype html><script>alert(1)</script>', 415, 'file-type-unknown'],
    ['MZ this is a program', 415, 'file-type-unknown'],
    ['', 422, 'file-empty'],
  ])('with the content %j is refused under any name', async (bytes, status, code) => {
    const name = await begin()
    const before = storage.kept.size
    const answer = await send(name, bytes)
    expect([answer.status, (await refusalOf(answer)).code]).toEqual([status, code])
    expect(storage.kept.size).toBe(before)
    expect((await send(name, pdf)).status).toBe(200)
  })

  test('that is too large is refused with the limit', async () => {
    const name = await begin()
    const large = new Uint8Array(mostFileBytes + 1)
    large.set(Buffer.from('%PDF-'))
    for (const answer of [await send(name, large), await send(name, pdf, `?offset=0&length=${mostFileBytes + 1}`)]) {
      expect(answer.status).toBe(413)
      expect(await refusalOf(answer)).toMatchObject({ code: 'file-too-large', details: { limit_bytes: mostFileBytes } })
    }
    const announced = await server.request('POST', '/upload/', {
      token: tokens.ana,
      body: 'x',
      headers: { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '99999999999' },
    })
    expect((await refusalOf(announced)).code).toBe('file-too-large')
  })

  test('that is no form with a file is refused, and never causes a server error', async () => {
    const name = await begin()
    const boundary = 'multipart/form-data; boundary=edge'
    const tries: [BodyInit, string | null, string][] = [
      ['{}', null, 'content-type-wrong'],
      ['nonsense', boundary, 'request-unreadable'],
      ['--edge\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncut', boundary, 'request-unreadable'],
      [`--edge\r\nContent-Disposition: form-data; name="file"\r\n\r\n${name}\r\n--edge--\r\n`, boundary, 'request-invalid'],
      ['x', 'multipart/form-data; boundary', 'request-unreadable'],
    ]
    for (const [body, type, code] of tries) {
      const answer = await server.request('POST', '/upload/', {
        token: tokens.ana,
        body,
        ...(type && { headers: { 'content-type': type } }),
      })
      expect((await refusalOf(answer)).code).toBe(code)
      expect(answer.status).toBeLessThan(500)
    }
    const other = await server.request('POST', '/upload/', { token: tokens.ana, body: formOf(name, pdf, 'photo') })
    expect((await refusalOf(other)).fields).toEqual([{ path: 'body.file', message: 'This field is required' }])
    for (const hostile of ['../../etc/passwd', 'doc-', `${name}\0`, `DOC-${name.slice(4)}`, "' or 1=1 --"]) {
      expect((await refusalOf(await send(hostile, pdf))).code).toMatch(/upload-unknown|request-unreadable|request-invalid/)
    }
  })

  test.each([
    ['filename', ''],
    ['filename', 'x'.repeat(201)],
    ['filename', 'nul\0'],
    ['category', 'secret'],
    ['note', 'x'.repeat(501)],
    ['id_patient', '1'],
    ['file_path', 7],
  ])('with %s %j is refused at that field', async (field, value) => {
    const path = await (await send(await begin(), pdf)).text()
    const answer = await attach({ file_path: path, [field]: value })
    expect(answer.status).toBe(422)
    expect((await refusalOf(answer)).fields?.map((problem) => problem.path)).toEqual([`body.${field}`])
    expect((await attach({ file_path: path })).status).toBe(200)
  })
})

describe('a file in parts', () => {
  const part = (name: string, from: number, to: number, length = pdf.length) =>
    send(name, pdf.slice(from, to), `?offset=${from}&length=${length}`)
  async function progress(name: string, token = tokens.ana) {
    const answer = await server.request('GET', `/upload/${name}`, { token })
    return v.parse(uploadProgress.response, await answer.json())
  }

  test('continues after an interruption, and is complete in the end', async () => {
    const name = await begin()
    expect(await progress(name)).toMatchObject({ received: 0, length: null, file_path: null })
    expect(await (await part(name, 0, 700)).text()).toBe('')
    // The answer to the second part was lost, so the tablet asks for the progress and continues.
    await part(name, 700, 1400)
    const repeated = await part(name, 700, 1400)
    expect(repeated.status).toBe(409)
    expect(await refusalOf(repeated)).toMatchObject({ code: 'upload-offset-wrong', details: { received: 1400 } })
    expect(await progress(name)).toMatchObject({ received: 1400, length: pdf.length, file_path: null })
    expect((await refusalOf(await server.request('GET', `/upload/${name}`, { token: tokens.maya }))).code).toBe('upload-unknown')
    const path = await (await part(name, 1400, pdf.length)).text()
    expect((await progress(name)).file_path).toBe(path)
    const file = v.parse(patientFile, await (await attach({ file_path: path })).json())
    expect(await (await content(file.id_file)).text()).toBe(pdf)
    expect([...storage.kept.keys()].filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  test('accepts each part once, even when it comes twice at the same moment', async () => {
    const name = await begin()
    const answers = await Promise.all([part(name, 0, 900), part(name, 0, 900), part(name, 0, 900)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    await part(name, 900, pdf.length)
    const { file_path } = await progress(name)
    const file = v.parse(patientFile, await (await attach({ file_path })).json())
    expect(await (await content(file.id_file)).text()).toBe(pdf)
  })

  test('of a type that the server does not accept is refused with its first part', async () => {
    const answer = await send(await begin(), 'MZ'.repeat(200), '?offset=0&length=100000')
    expect((await refusalOf(answer)).code).toBe('file-type-unknown')
  })

  test('whose first bytes are too few to know the type is refused when complete, and nothing stays', async () => {
    const name = await begin()
    await send(name, 'MZ', '?offset=0&length=300')
    const answer = await send(name, 'Z'.repeat(298), '?offset=2&length=300')
    expect((await refusalOf(answer)).code).toBe('file-type-unknown')
    expect((await server.request('GET', `/upload/${name}`, { token: tokens.ana })).status).toBe(404)
    expect([...storage.kept.keys()].filter((key) => key.startsWith('uploads/'))).toEqual([])
  })

  test('with a part at the wrong offset, or of another total length, is refused', async () => {
    const name = await begin()
    await part(name, 0, 500)
    expect((await refusalOf(await part(name, 600, 700))).code).toBe('upload-offset-wrong')
    expect((await refusalOf(await part(name, 500, 700, 900))).code).toBe('upload-offset-wrong')
    expect((await refusalOf(await part(name, 500, 700, 600))).code).toBe('request-invalid')
    expect((await refusalOf(await send(name, pdf, '?offset=-1&length=x'))).fields).toHaveLength(2)
  })

  test('is put together later when the storage fails at the end', async () => {
    const name = await begin()
    await part(name, 0, 500)
    let puts = 0
    fault = () => {
      puts += 1
      if (puts === 2) throw new TypeError('no storage')
    }
    expect((await part(name, 500, pdf.length)).status).toBe(500)
    fault = null
    const { file_path } = await progress(name)
    const file = v.parse(patientFile, await (await attach({ file_path })).json())
    expect(await (await content(file.id_file)).text()).toBe(pdf)
  })
})

describe('a file in a record', () => {
  test('is served for viewing only', async () => {
    const file = await uploaded({ filename: 'a"b\'(c)*.pdf' })
    const { headers } = await content(file.id_file)
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe("inline; filename*=UTF-8''a%22b%27%28c%29%2A.pdf")
    expect(headers.get('content-length')).toBe(String(file.size))
    const scan = await uploaded({}, 'II*\0 a tiff')
    expect((await content(scan.id_file)).headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''Document.tiff")
  })

  test('is listed newest first, and by category', async () => {
    const first = await uploaded({ category: 'referral' })
    server.clock.advance(1000)
    const second = await uploaded({ category: 'imaging' })
    const list = async (query = '') => {
      const answer = await server.request('GET', `/api/patient/file?id_patient=${patientId}${query}`, { token: tokens.ana })
      return v.parse(listFiles.response, await answer.json()).files
    }
    expect(await list()).toEqual([second, first])
    expect(await list('&category=referral')).toEqual([first])
    expect(await list('&category=consent')).toEqual([])
    expect((await server.request('GET', '/api/patient/file', { token: tokens.ana })).status).toBe(422)
  })

  test('is renamed and moved to another category, and omitted fields stay', async () => {
    const file = await uploaded({ filename: 'scan.pdf', category: 'other', note: 'kept' })
    const put = (body: unknown) => server.request('PUT', `/api/patient/file/${file.id_file}`, { token: tokens.ana, body })
    expect(await (await put({ filename: ' ../a\\b.pdf ' })).json()).toEqual({ ...file, filename: '..-a-b.pdf' })
    expect(await (await put({ category: 'consent' })).json()).toEqual({ ...file, filename: '..-a-b.pdf', category: 'consent' })
    expect((await refusalOf(await put({ filename: ' ' }))).fields?.[0]?.path).toBe('body.filename')
    expect((await refusalOf(await put({ category: 'x' }))).fields?.[0]?.path).toBe('body.category')
    const unknown = await server.request('PUT', `/api/patient/file/${patientId}`, { token: tokens.ana, body: {} })
    expect((await refusalOf(unknown)).code).toBe('file-unknown')
  })

  test('is visible and changeable only for users who may see its patient', async () => {
    const file = await uploaded()
    const path = await (await send(await begin(), pdf)).text()
    const half = await begin()
    await inStore(2)
    const asked: [string, string, unknown?][] = [
      ['GET', `/api/patient/file/${file.id_file}`],
      ['GET', `/api/patient/file/${file.id_file}/content`],
      ['PUT', `/api/patient/file/${file.id_file}`, { note: 'x' }],
      ['GET', `/api/patient/file?id_patient=${patientId}`],
      ['GET', `/api/patient/${patientId}/generate-filename-doc`],
      ['GET', `/upload/${half}`],
      ['POST', '/upload/', formOf(half, pdf)],
      ['POST', '/api/patient/file', { id_patient: patientId, file_path: path }],
    ]
    for (const [method, address, body] of asked) {
      const answer = await server.request(method, address, { token: tokens.ana, body })
      expect([address, (await refusalOf(answer)).code]).toEqual([address, 'patient-of-other-store'])
      const clerks = await server.request(method, address, { token: tokens.ben, body })
      expect([address, (await refusalOf(clerks)).code]).toEqual([address, 'permission-missing'])
    }
    expect((await content(file.id_file, tokens.maya)).status).toBe(200)
  })

  test('leaves an audit entry for upload, look and change, and its name is never in the log', async () => {
    const file = await uploaded({ filename: 'Quillfeather referral.pdf', category: 'referral' })
    for (let look = 0; look < 3; look += 1) await content(file.id_file, tokens.maya)
    await server.request('PUT', `/api/patient/file/${file.id_file}`, { token: tokens.ana, body: { note: 'read', category: 'other' } })
    await server.request('GET', `/api/patient/file?id_patient=${patientId}`, { token: tokens.maya })
    const entries = (await auditOf()).filter(({ action }) => action !== 'patient.create')
    expect(entries.map(({ action, rep, detail }) => [action, rep, detail]).reverse()).toEqual([
      ['file.upload', 'Ana Teixeira', `referral ${file.id_file}`],
      ['file.view', 'Maya Okonjo', file.id_file],
      ['file.edit', 'Ana Teixeira', `category, note ${file.id_file}`],
      ['patient.view', 'Maya Okonjo', 'files'],
    ])
    expect(JSON.stringify([entries, server.logged])).not.toMatch(/quillfeather/i)
  })
})
