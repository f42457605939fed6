import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
let token: string
beforeAll(async () => {
  server = await startTestServer()
  token = (await server.signIn('maya')).access_token
})
afterAll(() => server.close())

test.each(['0001-01-01T00:00:00Z', '1849-12-31T23:59:59Z', '2200-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])(
  'the server refuses to correct a time card to %s',
  async (at) => {
    const id_user = server.seed.users.ben.id_user
    const body = { id: randomUUID(), supersedes: null, id_user, direction: 'in', at, reason: 'forgot' }
    const answer = await server.request('POST', '/api/timecard/corrections', { token, body })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({ code: 'request-invalid', fields: [{ path: 'body.at' }] })
  },
)

test.each([
  ['/api/timecard/entries?id_user=1&from=1850-01-01T00:00:00Z&to=1850-01-02T00:00:00Z'],
  ['/api/timecard/entries?id_user=1&from=2199-12-31T00:00:00Z&to=2199-12-31T23:59:59Z'],
  ['/api/inventory/all-filters?not_seen_since=1850-01-01T00:00:00Z&received_before=2199-12-31T23:59:59Z'],
  ...['0001-01-01', '9999-12-31', '01/01/0001'].flatMap((day) => [
    [`/api/home/patient/search?dob=${encodeURIComponent(day)}`],
    [`/api/home/patient/search?last_exam=${encodeURIComponent(day)}`],
  ]),
])('the server can answer a question about %s', async (path) => {
  expect((await server.request('GET', path, { token })).status).toBe(200)
})

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
  'the server keeps a tablet’s work when its clock says %s',
  async (wall) => {
    const tablet = new WireTablet(server, `Tablet of ${wall}`)
    await tablet.signIn('ana')
    const sheet = await tablet.createSheet()
    const command = tablet.scan(sheet, 'A')
    const receipts = await tablet.push([{ ...command, captured: { ...command.captured, wall, server_offset_ms: null } }])
    expect(receipts).toMatchObject([{ id: command.id, outcome: 'applied' }])
  },
)
