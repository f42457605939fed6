import http from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
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

describe('a server that is told to stop', () => {
  test('finishes the call under way, takes no new one, and ends the streams of events', async () => {
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
    expect((await underWay).status).toBe(200)
    await stopped
  })
})

describe('over a real connection', () => {
  test('a body of ten megabytes is refused with an answer', async () => {
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
      // The server hangs up on what it refused; what was still on its way then has nowhere to go.
      request.on('socket', (socket) => socket.on('error', () => {}))
      const chunk = Buffer.alloc(65_536, 'x')
      for (let sent = 0; sent < 160; sent++) request.write(chunk)
      request.end()
    })
    expect(answer.status).toBe(413)
    expect(answer.body).toContain('request-too-large')
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200)
  })

  test('a client that hangs up ends its stream of events', async () => {
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
