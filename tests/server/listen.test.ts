import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Listening, listen } from '#server/listen.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let listening: Listening | null = null
afterEach(async () => {
  await listening?.stop()
  listening = null
  await server.close()
})

function gate() {
  let open: (value: boolean) => void = () => {}
  const opened = new Promise<boolean>((resolve) => (open = resolve))
  return { opened, open: () => open(true) }
}
const logIn = { username: 'maya', password: 'lorgnette-demo', recaptcha_token: 'development:login:x' }
const asJson = { 'content-type': 'application/json' }

describe('a server that stops', () => {
  test('finishes the call under way, takes no new one, and ends the event streams', async () => {
    server = await startTestServer()
    const { access_token } = await server.signIn('maya')
    const risk = gate()
    const asked = gate()
    server.services.risk = {
      name: 'development',
      assess: () => {
        asked.open()
        return risk.opened
      },
    }
    listening = await listen(server.services)
    const origin = `http://127.0.0.1:${listening.port}`
    const events = await fetch(`${origin}/api/sync/events`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(events.headers.get('content-type')).toContain('text/event-stream')
    expect(events.headers.get('content-encoding')).toBeNull()
    const underWay = fetch(`${origin}/api/auth/login`, { method: 'POST', body: JSON.stringify(logIn), headers: asJson })
    await asked.opened

    let isStopped = false
    const stopped = listening.stop().then(() => (isStopped = true))
    listening = null
    await events.text()
    await expect(fetch(`${origin}/api/health`)).rejects.toThrow()
    expect(isStopped).toBe(false)
    risk.open()
    const answer = await underWay
    expect(answer.status).toBe(200)
    // An unread answer keeps its connection open.
    await answer.text()
    await stopped
  })

  test('does not wait for connections without a call', async () => {
    server = await startTestServer()
    const { access_token } = await server.signIn('maya')
    listening = await listen(server.services)
    const origin = `http://127.0.0.1:${listening.port}`
    const unused = net.connect(listening.port, '127.0.0.1')
    await once(unused, 'connect')
    const events = await fetch(`${origin}/api/sync/events`, { headers: { authorization: `Bearer ${access_token}` } })
    const read = events.text()
    // The end of the grace period never comes.
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    await listening.stop().finally(() => vi.useRealTimers())
    listening = null
    await read
  })
})

describe('over a real connection', () => {
  test('the server refuses a body of ten megabytes with an answer', async () => {
    server = await startTestServer()
    listening = await listen(server.services)
    const { port } = listening
    const answer = await new Promise<{ status: number; body: string }>((resolve, reject) => {
      const request = http.request(
        { port, method: 'POST', path: '/api/auth/login', headers: { ...asJson, 'transfer-encoding': 'chunked' } },
        (response) => {
          let body = ''
          response.on('data', (chunk: Buffer) => (body += chunk.toString()))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
        },
      )
      request.on('error', reject)
      // The server hangs up after the refusal, so the rest of the body fails to send.
      request.on('socket', (socket) => socket.on('error', () => {}))
      const chunk = Buffer.alloc(65_536, 'x')
      for (let sent = 0; sent < 160; sent++) request.write(chunk)
      request.end()
    })
    expect(answer.status).toBe(413)
    expect(answer.body).toContain('request-too-large')
    const health = await fetch(`http://127.0.0.1:${port}/api/health`)
    expect(health.status).toBe(200)
    await health.text()
  })

  test('a client that hangs up ends its event stream', async () => {
    server = await startTestServer()
    const { access_token } = await server.signIn('maya')
    listening = await listen(server.services)
    const controller = new AbortController()
    let subscribers = 0
    const { changes } = server.services
    const subscribe = changes.subscribe.bind(changes)
    changes.subscribe = (listener) => {
      subscribers++
      const stop = subscribe(listener)
      return () => {
        subscribers--
        stop()
      }
    }
    await fetch(`http://127.0.0.1:${listening.port}/api/sync/events`, {
      headers: { authorization: `Bearer ${access_token}` },
      signal: controller.signal,
    })
    await expect.poll(() => subscribers).toBe(1)
    controller.abort()
    await expect.poll(() => subscribers).toBe(0)
  })
})

/** Returns the server's answer to these bytes, until it hangs up. */
async function answerTo(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (part) => (answer += String(part))).on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  await closed
  return answer
}

describe('bytes that are no valid request', () => {
  test('get an answer with the security headers', async () => {
    server = await startTestServer()
    listening = await listen(server.services)
    const cases: [name: string, bytes: string, status: number][] = [
      ['nonsense', 'This is not HTTP\r\n\r\n', 400],
      ['a request without a host', 'GET /api/health HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
      ['a host that is none', 'GET /api/health HTTP/1.1\r\nhost: a b/c\r\nconnection: close\r\n\r\n', 400],
      ['a head that is too large', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      ['an unknown expectation', 'POST /api/auth/login HTTP/1.1\r\nhost: a\r\nexpect: tea\r\ncontent-length: 0\r\n\r\n', 417],
    ]
    for (const [name, bytes, status] of cases) {
      const answer = (await answerTo(listening.port, bytes)).toLowerCase()
      expect.soft(answer, name).toContain(`http/1.1 ${status} `)
      for (const header of ['content-security-policy: default-src', 'x-content-type-options: nosniff', 'x-frame-options: deny'])
        expect.soft(answer, name).toContain(header)
    }
  })
})

describe('the listener', () => {
  test('listens only on the configured address', async () => {
    server = await startTestServer({ config: { host: '127.0.0.1' } })
    listening = await listen(server.services)
    expect((await fetch(`http://127.0.0.1:${listening.port}/api/health`)).status).toBe(200)
    await expect(fetch(`http://127.0.0.2:${listening.port}/api/health`)).rejects.toThrow()
  })

  test('hangs up on connections beyond its limit, and takes new ones when others have closed', async () => {
    server = await startTestServer({ config: { mostConnections: 2 } })
    listening = await listen(server.services)
    const { port } = listening
    const open = await Promise.all(
      [1, 2].map(async () => {
        const socket = net.connect(port, '127.0.0.1')
        await new Promise((resolve) => socket.once('connect', resolve))
        return socket
      }),
    )
    const asked = 'GET /api/health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'
    expect(await answerTo(port, asked)).toBe('')
    for (const socket of open) socket.destroy()
    await expect.poll(() => answerTo(port, asked)).toContain('200 OK')
  })

  test('names the contact for security holes when one is configured', async () => {
    server = await startTestServer()
    expect((await server.request('GET', '/.well-known/security.txt')).status).toBe(404)
    Object.assign(server.services.config, { securityContacts: ['mailto:security@clinic.example'], publicUrl: 'https://clinic.example' })
    const answer = await server.request('GET', '/.well-known/security.txt')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(await answer.text()).toBe(
      [
        'Contact: mailto:security@clinic.example',
        'Expires: 2027-05-19T00:00:00.000Z',
        'Preferred-Languages: en',
        'Canonical: https://clinic.example/.well-known/security.txt',
        '',
      ].join('\n'),
    )
  })
})
