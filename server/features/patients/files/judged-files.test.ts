import net from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import { memoryStorage } from '#tests/support/memory-storage.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

/** A clamd that finds a virus in every file with this word. It speaks the published protocol. */
const virus = 'X5O!P%@AP-TEST-VIRUS'
const scanned: Buffer[] = []
const clamd = net.createServer((socket) => {
  let heard = Buffer.alloc(0)
  socket.on('error', () => {})
  socket.on('data', (part) => {
    heard = Buffer.concat([heard, part as Buffer])
    const file = fileIn(heard)
    if (!file) return
    scanned.push(file)
    socket.end(file.includes(virus) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
  })
})

/** The file, once all of it has arrived. */
function fileIn(heard: Buffer): Buffer | null {
  const command = 'zINSTREAM\0'
  if (heard.subarray(0, command.length).toString('latin1') !== command) return null
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= heard.length;) {
    const length = heard.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(heard.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}

let server: TestServer
const storage = memoryStorage()
let token: string
let patient: string
beforeAll(async () => {
  await new Promise<void>((listening) => clamd.listen(0, '127.0.0.1', listening))
  server = await startTestServer({ storage })
  token = (await server.signIn('ana')).access_token
  const body = {
    first_name: 'Zuzana',
    last_name: 'Quillfeather',
    street_address: '12 Quarry Ln',
    city: 'Larkspur',
    state: 'NY',
    zip_code: '12345',
    gender: 'Female',
  }
  patient = ((await (await server.request('POST', '/api/patient/add', { token, body })).json()) as { id: string }).id
})
afterEach(() => {
  delete server.services.config.scanner
  delete server.services.config.storeFileBytes
  scanned.length = 0
})
afterAll(async () => {
  clamd.close()
  await server.close()
})

const withScanner = () => {
  server.services.config.scanner = { host: '127.0.0.1', port: (clamd.address() as net.AddressInfo).port }
}
const named = () => server.request('GET', `/api/patient/${patient}/generate-filename-doc`, { token })
const begin = async () => ((await (await named()).json()) as { filename: string }).filename
async function send(bytes: Uint8Array | string, query = '', name?: string) {
  const form = new FormData()
  form.set('file', new File([typeof bytes === 'string' ? bytes : Uint8Array.from(bytes)], name ?? (await begin())))
  const answer = await server.request('POST', `/upload/${query}`, { token, body: form })
  return { status: answer.status, text: await answer.text() }
}
const keptFiles = () => [...storage.kept.keys()].filter((key) => key.startsWith('patient-files/')).length
const pdf = `%PDF-1.4\n${'of a referral '.repeat(20_000)}\n%%EOF`

/** The head of a PNG of this size, without content. */
function png(width: number, height: number): Buffer {
  const head = Buffer.from('\u0089PNG\r\n\u001a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0', 'latin1')
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return head
}

test('a picture with more pixels than a tablet can hold is refused, however small its file', async () => {
  const before = keptFiles()
  expect(await send(png(60_000, 60_000))).toMatchObject({ status: 422, text: expect.stringContaining('file-picture-too-large') })
  expect(keptFiles()).toBe(before)
  expect((await send(png(6000, 4000))).status).toBe(200)
})

test('a PDF with more pages than anyone reads is refused', async () => {
  const answer = await send(`%PDF-1.7\n<< /Type /Pages /Count 5000 >>\n${'<< /Type /Page >>\n'.repeat(3)}%%EOF`)
  expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('file-pages-too-many') })
})

test('a small thumbnail that hides a large picture, and a large card photo, are refused too', async () => {
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0xea, 0x60, 0xea, 0x60, 3, 0, 0])
  const attached = await server.request('POST', '/api/patient/file', {
    token,
    body: { file_path: 'patient-files/x', id_patient: patient, thumbnail: jpeg.toString('base64') },
  })
  expect(attached.status).toBe(422)
  const policy = { id_patient: patient, id_insurance: uuidv7(), image: png(60_000, 60_000).toString('base64') }
  const photographed = await server.request('POST', '/api/patient/insurance', { token, body: policy })
  expect(await photographed.json()).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.image' }] })
})

test('files are refused when their store has no more room, and accepted when it has', async () => {
  const name = await begin()
  server.services.config.storeFileBytes = 1000
  expect(await send(pdf, '', name)).toMatchObject({ status: 409, text: expect.stringContaining('files-full') })
  expect(await send(pdf.slice(0, 500), `?offset=0&length=${pdf.length}`, name)).toMatchObject({ status: 409 })
  server.services.config.storeFileBytes = 0
  expect((await named()).status).toBe(409)
  server.services.config.storeFileBytes = 1024 ** 3
  expect((await send(pdf, '', name)).status).toBe(200)
})

test('without a scanner files are stored unchecked; with one it sees every byte first', async () => {
  expect((await send(pdf)).status).toBe(200)
  expect(scanned).toEqual([])
  withScanner()
  expect((await send(pdf)).status).toBe(200)
  expect(scanned.map(String)).toEqual([pdf])
})

test('a file with a virus is refused and not stored, whole or in parts', async () => {
  withScanner()
  const before = keptFiles()
  const bad = `${pdf}${virus}`
  expect(await send(bad)).toMatchObject({ status: 422, text: expect.stringContaining('file-infected') })
  const name = await begin()
  expect((await send(bad.slice(0, 1000), `?offset=0&length=${bad.length}`, name)).status).toBe(200)
  expect((await send(bad.slice(1000), `?offset=1000&length=${bad.length}`, name)).status).toBe(422)
  expect(keptFiles()).toBe(before)
  expect((await server.request('GET', `/upload/${name}`, { token })).status).toBe(404)
  expect(JSON.stringify(server.logged)).toContain('Eicar-Test-Signature')
})

test('a card photo with a virus is refused', async () => {
  withScanner()
  const image = Buffer.concat([png(600, 400), Buffer.from(virus)]).toString('base64')
  const answer = await server.request('POST', '/api/patient/insurance', {
    token,
    body: { id_patient: patient, id_insurance: uuidv7(), image },
  })
  expect(await answer.json()).toMatchObject({ code: 'file-infected' })
})

test('while the scanner does not answer nothing is stored, and received parts continue later', async () => {
  server.services.config.scanner = { host: '127.0.0.1', port: 1 }
  expect(await send(pdf)).toMatchObject({ status: 503, text: expect.stringContaining('scanner-unreachable') })
  const name = await begin()
  await send(pdf.slice(0, 1000), `?offset=0&length=${pdf.length}`, name)
  expect((await send(pdf.slice(1000), `?offset=1000&length=${pdf.length}`, name)).status).toBe(503)
  withScanner()
  const progress = await (await server.request('GET', `/upload/${name}`, { token })).json()
  expect(progress).toMatchObject({ received: pdf.length, file_path: expect.stringContaining('patient-files/') })
})
