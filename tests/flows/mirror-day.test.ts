import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import { createPunching } from '#src/sync/session/punching.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { v7 as uuidv7 } from 'uuid'

let server: TestServer
let tablet: FakeTablet
let device: Device

beforeEach(async () => {
  server = await startTestServer()
  tablet = new FakeTablet(
    async (path, init) => await server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } }),
    { start: server.clock.now() },
  )
  device = await tablet.open()
})
afterEach(async () => {
  await tablet.close()
  await server.close()
})

const signIn = async (username: string) => await device.session.signIn(await server.signIn(username, device.deviceId))
const framesAtServer = () => server.db.pool.selectFrom('frames').select('id_inventory').execute()

describe('the mirror', () => {
  test('after the first load the tablet has every frame of the chain, also those of other stores', async () => {
    await signIn('ben')
    const all = await framesAtServer()
    await until('all frames are here', () => device.frames.size() === all.length)
    const foreign = server.seed.frames.eastside[0]
    expect(device.frames.find(foreign?.sku ?? '')).toMatchObject({ frame: { id_inventory: foreign?.id_inventory } })
    expect(tablet.surprises).toEqual([])
  })

  test('a pull that breaks off continues where it was cut', async () => {
    let cuts = 0
    tablet.network.between = async (path, init) => {
      if (!path.startsWith('/api/sync/pull?collection=frames') || cuts >= 1) return null
      cuts += 1
      const answer = await server.app.request(path, init, { connection: { remoteAddress: '127.0.0.1', encrypted: false } })
      const lines = (await answer.text()).trim().split('\n')
      return new Response(`${lines.slice(0, -1).join('\n')}\n`, { headers: { 'content-type': 'application/x-ndjson' } })
    }
    await signIn('ben')
    const all = await framesAtServer()
    await until('all frames are here', () => device.frames.size() === all.length)
    expect(cuts).toBe(1)
    const asked = () => tablet.network.callsTo('/api/sync/pull?collection=frames').map(({ path }) => path.includes('cursor='))
    // The tablet stores the first rows before it asks for the rest.
    await until('it asks for the rest', () => asked().length > 1)
    expect(asked().slice(0, 2)).toEqual([false, true])
  })

  test('a change at the server is on the tablet within moments', async () => {
    await signIn('ben')
    await until('the first pull is through', () => device.mirror.progress.getState().lastPulledAt !== null)
    const id = uuidv7()
    const answer = await server.request('POST', '/api/inventory/count_sheets', {
      token: (await server.signIn('maya')).access_token,
      body: { id_count_sheet: id, notes: 'from the office' },
    })
    expect(answer.status).toBe(200)
    await until('the sheet is on the tablet', async () => (await device.hot.sheets.get(id))?.notes === 'from the office')
    await until('and what it expects', async () => (await device.hot.items.toArray()).some((page) => page.id_count_sheet === id))
  })
})

describe('the time clock', () => {
  test('an offline punch arrives without a session', async () => {
    const punching = createPunching(device, {
      now: () => tablet.now(),
      monotonic: () => 0,
      newId: () => uuidv7(),
      pause: async () => undefined,
    })
    await punching.keepSealingKey()
    tablet.network.online = false
    const result = await punching.punch({ username: 'ben', password: seedPassword, direction: 'in' })
    expect(result).toMatchObject({ kind: 'saved', direction: 'in' })
    tablet.network.online = true
    await device.drain()
    await until('the punch was sent', async () => (await device.hot.outbox.count()) === 0)
    const rows = await server.db.pool.selectFrom('punches').select(['id_user', 'direction']).execute()
    expect(rows).toEqual([{ id_user: server.seed.users.ben.id_user, direction: 'in' }])
  })
})
