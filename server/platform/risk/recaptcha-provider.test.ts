import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { recaptchaProvider } from '#server/platform/risk/recaptcha-provider.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: string; silent?: boolean }
let service: http.Server
let answer: Answer
let received: { method?: string; body: URLSearchParams }[]
let logged: string

beforeEach(async () => {
  received = []
  logged = ''
  answer = {}
  service = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ method: request.method, body: new URLSearchParams(Buffer.concat(chunks).toString()) })
      if (!answer.silent)
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
})

function provider(timeoutMs?: number) {
  const { port } = service.address() as AddressInfo
  const log = pino({ base: null }, { write: (line) => void (logged += line) })
  const settings = { provider: 'recaptcha', siteKey: 'site', secret: 'the-secret', scriptUrl: '', minimumScore: 0.5 } as const
  return recaptchaProvider({ ...settings, verifyUrl: `http://127.0.0.1:${port}/verify` }, log, timeoutMs)
}
const says = (body: unknown) => (answer = { body: JSON.stringify(body) })
const good = { success: true, action: 'login', score: 0.9, hostname: 'clinic.example' }

test('the service is asked with the secret, the token and the address, and a good verdict lets the person in', async () => {
  says(good)
  expect(await provider().assess('the-token', '10.0.0.1')).toBe(true)
  expect(received[0]?.method).toBe('POST')
  expect(Object.fromEntries(received[0]!.body)).toEqual({ secret: 'the-secret', response: 'the-token', remoteip: '10.0.0.1' })
})

test('a score at the limit passes', async () => {
  says({ ...good, score: 0.5 })
  expect(await provider().assess('t', '10.0.0.1')).toBe(true)
})

test.each([
  ['the token is not good', { success: false, 'error-codes': ['timeout-or-duplicate'] }],
  ['it was made for another action', { ...good, action: 'signup' }],
  ['it names no action', { success: true, score: 0.9 }],
  ['the score is too low', { ...good, score: 0.49 }],
  ['there is no score', { success: true, action: 'login' }],
  ['success is only a word', { ...good, success: 'true' }],
  ['the answer is a list', []],
])('refused when %s', async (_why, body) => {
  says(body)
  expect(await provider().assess('t', '10.0.0.1')).toBe(false)
})

test.each<[string, Answer]>([
  ['answers with an error', { status: 500, body: JSON.stringify(good) }],
  ['answers with a page', { body: '<html>sign in to the hotel</html>' }],
  ['sends elsewhere', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }],
])('refused when the service %s', async (_why, said) => {
  answer = said
  expect(await provider().assess('t', '10.0.0.1')).toBe(false)
  expect(logged).toContain('refused')
})

test('refused when the service is silent for too long', async () => {
  answer = { silent: true }
  expect(await provider(100).assess('t', '10.0.0.1')).toBe(false)
  expect(received).toHaveLength(1)
})

test('an empty token is refused without asking', async () => {
  says(good)
  expect(await provider().assess('', '10.0.0.1')).toBe(false)
  expect(received).toHaveLength(0)
})

test('neither the secret nor a token is logged', async () => {
  says({ success: false, 'error-codes': ['invalid-input-secret'] })
  await provider().assess('the-token', '10.0.0.1')
  expect(logged).toContain('invalid-input-secret')
  expect(logged).not.toMatch(/the-secret|the-token|10\.0\.0\.1/)
})
