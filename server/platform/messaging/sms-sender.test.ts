import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { smsSender } from '#server/platform/messaging/sms-sender.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: string; silent?: boolean; cut?: boolean }
let service: http.Server
let answer: Answer
let received: { headers: http.IncomingHttpHeaders; body: unknown }[]

beforeEach(async () => {
  received = []
  answer = {}
  service = http.createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
      if (answer.cut) request.socket.destroy()
      else if (!answer.silent) {
        response.writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers }).end(answer.body ?? '{}')
      }
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
afterEach(async () => {
  service.closeAllConnections()
  await new Promise((resolve) => service.close(resolve))
})

const id = '0198c2f4-0000-7000-8000-000000000001'
const portOf = () => (service.address() as AddressInfo).port
const settings = (port = portOf()) => ({
  url: `http://127.0.0.1:${port}/messages`,
  token: 'the-token',
  from: '+15185550100',
  repeatsSafely: false,
  reportSecret: null,
})
const send = (timeoutMs?: number, port?: number) =>
  smsSender(settings(port), timeoutMs).send({ id, to: '5185550123', subject: null, text: 'Your glasses are ready' })

test('a message is posted under its own id, which is the key of a repeat too', async () => {
  expect(await send()).toEqual({ as: 'sent' })
  expect(received[0]?.body).toEqual({ id, from: '+15185550100', to: '+15185550123', text: 'Your glasses are ready' })
  expect(received[0]?.headers).toMatchObject({ authorization: 'Bearer the-token', 'idempotency-key': id })
})

test.each<[number, object]>([
  [202, { as: 'sent' }],
  [400, { as: 'refused', problem: 'refused', reason: '400' }],
  [402, { as: 'refused', problem: 'refused', reason: '402' }],
  [422, { as: 'refused', problem: 'undeliverable', reason: '422' }],
  [401, { as: 'later', reason: '401' }],
  [302, { as: 'later', reason: '302' }],
  [429, { as: 'later', reason: '429' }],
  [500, { as: 'later', reason: '500' }],
  [503, { as: 'later', reason: '503' }],
  [502, { as: 'unknown', reason: '502' }],
  [504, { as: 'unknown', reason: '504' }],
])('the answer %i means %j', async (status, means) => {
  answer = { status, headers: status === 302 ? { location: 'http://127.0.0.1:9/' } : {} }
  expect(await send()).toEqual(means)
  expect(received).toHaveLength(1)
})

test('how long the service wants to be left alone is kept', async () => {
  answer = { status: 503, headers: { 'retry-after': '90' } }
  expect(await send()).toEqual({ as: 'later', reason: '503', afterS: 90 })
})

test('a page that says 200 is not the service: nobody knows what became of the message', async () => {
  answer = { headers: { 'content-type': 'text/html' }, body: '<h1>Welcome to the hotel</h1>' }
  expect(await send()).toEqual({ as: 'unknown', reason: 'not-json' })
})

test('silence means that nobody knows', async () => {
  answer = { silent: true }
  expect(await send(150)).toMatchObject({ as: 'unknown', reason: 'TimeoutError' })
  expect(received).toHaveLength(1)
})

test('a connection that is cut after the message was read means that nobody knows', async () => {
  answer = { cut: true }
  expect(await send()).toMatchObject({ as: 'unknown' })
})

test('a service that is not there has taken nothing', async () => {
  const port = portOf()
  await new Promise((resolve) => service.close(resolve))
  expect(await send(5000, port)).toEqual({ as: 'later', reason: 'ECONNREFUSED' })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
})
