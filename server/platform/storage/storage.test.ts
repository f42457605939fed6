import { createHash, createHmac } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#contract/core/errors.ts'
import { diskStorage } from '#server/platform/storage/disk-storage.ts'
import { s3Storage } from '#server/platform/storage/s3-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { memoryStorage } from '#tests/support/memory-storage.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-files-'))
const root = path.join(folder, 'files')
const settings = { bucket: 'clinic-files', region: 'eu-central-1', accessKeyId: 'LOCALKEY', secretAccessKey: 'local secret/+=' }
/** The objects of a bucket, and a status that it answers instead when set. */
const bucket = { objects: new Map<string, Buffer>(), answer: null as number | null, refused: 0 }
let server: http.Server
let endpoint = ''

beforeAll(async () => {
  server = http.createServer((request, response) => void answerS3(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A bucket over HTTP that computes the signature from the published rules, without the client's code. */
async function answerS3(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const end = (status: number, content?: Buffer) => response.writeHead(status).end(content)
  if (bucket.answer !== null) return void end(bucket.answer)
  if (request.headers.authorization !== signatureOf(request, body)) {
    bucket.refused += 1
    return void end(403)
  }
  const [, name, ...rest] = (request.url ?? '').split('/')
  const key = rest.join('/')
  if (name !== settings.bucket) return void end(404)
  if (request.method === 'PUT') return void (bucket.objects.set(key, body), end(200))
  if (request.method === 'DELETE') return void (bucket.objects.delete(key), end(204))
  const found = bucket.objects.get(key)
  return void (found ? end(200, found) : end(404))
}

function signatureOf(request: http.IncomingMessage, body: Buffer): string {
  const hash = (data: Buffer | string) => createHash('sha256').update(data).digest('hex')
  const sign = (key: Buffer | string, data: string) => createHmac('sha256', key).update(data).digest()
  const at = String(request.headers['x-amz-date'])
  const day = at.slice(0, 8)
  const given = String(request.headers['x-amz-content-sha256'] ?? '')
  if (given !== 'UNSIGNED-PAYLOAD' && given !== hash(body)) return 'a body other than the one that was signed'
  const [, signed = ''] = /SignedHeaders=([^,]+)/.exec(request.headers.authorization ?? '') ?? []
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const asked = [request.method, request.url, '', headers.join(''), signed, given].join('\n')
  const scope = `${day}/${settings.region}/s3/aws4_request`
  const key = [settings.region, 's3', 'aws4_request'].reduce<Buffer>(sign, sign(`AWS4${settings.secretAccessKey}`, day))
  const signature = sign(key, ['AWS4-HMAC-SHA256', at, scope, hash(asked)].join('\n')).toString('hex')
  return `AWS4-HMAC-SHA256 Credential=${settings.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

async function* inPieces(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.byteLength; from += size) yield bytes.subarray(from, from + size)
}
async function read(storage: Storage, key: string): Promise<Buffer | null> {
  const stream = await storage.get(key)
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}
const put = (storage: Storage, key: string, text: string, size = Buffer.byteLength(text)) =>
  storage.put(key, inPieces(Buffer.from(text)), size)

const kinds: [string, () => Storage][] = [
  ['a folder', () => diskStorage(root)],
  ['a bucket', () => s3Storage({ ...settings, endpoint })],
  ['memory', () => memoryStorage()],
]

describe.each(kinds)('files in %s', (_name, open) => {
  test('are read back as stored, replaced, and gone after deletion', async () => {
    const storage = open()
    const bytes = Buffer.from(Array.from({ length: 70_001 }, (_, at) => (at * 31) % 251))
    await storage.put('patient-files/one', inPieces(bytes), bytes.byteLength)
    expect((await read(storage, 'patient-files/one'))?.equals(bytes)).toBe(true)
    await put(storage, 'patient-files/one', 'another')
    expect(String(await read(storage, 'patient-files/one'))).toBe('another')
    await storage.delete('patient-files/one')
    await storage.delete('patient-files/one')
    expect(await read(storage, 'patient-files/one')).toBeNull()
  })

  test.each([3, 100])('of another length than announced (%i) are not stored, and the former content stays', async (size) => {
    const storage = open()
    await put(storage, 'uploads/two', 'before')
    await expect(put(storage, 'uploads/two', 'too long or too short', size)).rejects.toThrow('another size')
    expect(String(await read(storage, 'uploads/two'))).toBe('before')
  })

  test.each(['../secrets', '/etc/passwd', 'a/../../b', 'a//b', 'A', 'a\0', '', 'a/b/c/d/e'])('are never stored under %j', async (key) => {
    await expect(put(open(), key, 'text')).rejects.toThrow('not a key')
  })
})

describe('files in a folder', () => {
  test('leave nothing behind when they break off, and only their owner can read them', async () => {
    const storage = diskStorage(root)
    await expect(
      storage.put(
        'uploads/broken',
        (async function* () {
          yield Buffer.from('half')
          throw new Error('cut')
        })(),
        8,
      ),
    ).rejects.toThrow('cut')
    await put(storage, 'uploads/whole', 'whole')
    const names = fs.readdirSync(path.join(root, 'uploads'))
    expect(names.filter((name) => name.includes('broken') || name.endsWith('.part'))).toEqual([])
    expect(fs.statSync(path.join(root, 'uploads/whole')).mode & 0o077).toBe(0)
    expect(fs.statSync(path.join(root, 'uploads')).mode & 0o077).toBe(0)
  })
})

describe('files in a bucket', () => {
  test('are requested under a signature that another key does not give', async () => {
    const before = bucket.refused
    const wrong = s3Storage({ ...settings, endpoint, secretAccessKey: 'another' })
    await expect(put(wrong, 'uploads/three', 'text')).rejects.toThrow('403')
    expect(bucket.refused).toBeGreaterThan(before)
    expect(bucket.objects.has('uploads/three')).toBe(false)
  })

  test('that are unreachable are a passing fault, and do not reveal their address', async () => {
    bucket.answer = 503
    const storage = s3Storage({ ...settings, endpoint })
    await expect(read(storage, 'uploads/four')).rejects.toMatchObject({ code: 'storage-unreachable', retry_after_s: 5 })
    bucket.answer = null
    const nowhere = s3Storage({ ...settings, endpoint: 'http://127.0.0.1:1' })
    const fault: unknown = await put(nowhere, 'uploads/four', 'text').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Refusal)
    expect(String(fault)).not.toContain('127.0.0.1')
  })
})
