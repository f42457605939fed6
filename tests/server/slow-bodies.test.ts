import net from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { bodyBudgetsOf } from '#server/platform/http/body-budget.ts'
import { type Listening, listen } from '#server/listen.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
let listening: Listening | null = null
const sockets: net.Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listening?.stop()
  listening = null
  await server.close()
})

const announced = 9_000_000

/** Announces a large body, sends a part of it and stops. */
async function stall(port: number, path: string, token: string): Promise<{ answer: () => string }> {
  const socket = net.connect(port, '127.0.0.1')
  sockets.push(socket)
  let answer = ''
  socket.on('data', (part) => (answer += String(part))).on('error', () => {})
  await new Promise((resolve) => socket.once('connect', resolve))
  const isUpload = path === '/upload/'
  socket.write(
    [
      `POST ${path} HTTP/1.1`,
      'host: clinic.example',
      `authorization: Bearer ${token}`,
      `content-type: ${isUpload ? 'multipart/form-data; boundary=x' : 'application/json'}`,
      `content-length: ${announced}`,
      '',
      '',
    ].join('\r\n'),
  )
  socket.write(Buffer.alloc(200_000, 'x'))
  return { answer: () => answer }
}

test.each([
  ['/api/patient/insurance', 'large', 3],
  ['/upload/', 'files', 9],
] as const)('endless bodies for %s take limited memory, and no other call waits for them', async (path, kind, most) => {
  server = await startTestServer()
  const { access_token: token } = await server.signIn('maya')
  const { access_token: other } = await server.signIn('ben')
  listening = await listen(server.services)
  const { port } = listening
  const stalled = await Promise.all(Array.from({ length: 60 }, () => stall(port, path, token)))
  await expect.poll(() => stalled.filter(({ answer }) => answer().includes(' 429 ')).length).toBe(60 - most)
  const budget = bodyBudgetsOf(server.services.db)[kind]
  expect(budget.taken).toBe(most * announced)

  const asked = await fetch(`http://127.0.0.1:${port}/api/sync/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${other}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(asked.status).toBe(422)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => budget.taken).toBe(0)
})
