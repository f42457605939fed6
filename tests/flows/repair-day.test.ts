import { Dexie } from 'dexie'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import type { Device } from '#src/sync/device/device.ts'
import { until } from '#tests/support/test-device.ts'
import { v7 as uuidv7 } from 'uuid'

const year = 365 * 86_400_000
let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await day.end()
})

const framesAtServer = async () => (await day.server.db.pool.selectFrom('frames').select('id_inventory').execute()).length

describe('a day with something broken', () => {
  test('the disk is full when a receipt comes: the work stays, and settles later without a duplicate', async () => {
    const { tablet, device } = await day.at('ben')
    const sheet = await newSheet(device)
    await allSent(device)
    let refused = 0
    vi.spyOn(device.hot.settled, 'bulkPut').mockImplementation(() => {
      refused += 1
      return Dexie.Promise.reject(new Dexie.QuotaExceededError('full'))
    })
    const command = await scan(device, sheet, day.code(0))
    await until('the disk was full', () => refused > 1)
    expect(await day.scansAtServer(sheet)).toHaveLength(1)
    expect(await device.hot.outbox.get(command.id)).toBeDefined()
    expect(await device.hot.settled.get(command.id)).toBeUndefined()
    vi.restoreAllMocks()
    await allSent(device)
    expect(await day.scansAtServer(sheet)).toHaveLength(1)
    expect(await device.hot.settled.get(command.id)).toMatchObject({ outcome: 'applied' })
    // The tablet reports the full disk.
    expect(tablet.surprises.length).toBeGreaterThan(0)
  })

  test.each([
    ['two years behind', -2 * year],
    ['three years ahead', 3 * year],
  ])('a tablet’s clock is %s: its scans have the right time, and its receipts stay', async (_, error) => {
    const tablet = day.tablet()
    tablet.clockErrorMs = error
    let device = await tablet.open()
    await day.signIn(device, 'ana')
    const sheet = await newSheet(device)
    await allSent(device)
    tablet.network.online = false
    await scan(device, sheet, day.code(0))
    await device.close()
    device = await tablet.open()
    await scan(device, sheet, day.code(1))
    await device.session.signOut()
    tablet.network.online = true
    await day.signIn(device, 'ben')
    await allSent(device)
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => row.author_id)).toEqual(Array(2).fill(day.server.seed.users.ana.id_user))
    for (const row of rows) expect(Math.abs(Date.parse(row.captured_at) - day.server.clock.now())).toBeLessThan(10 * 60_000)
    expect(await device.hot.settled.count()).toBe(3)
  })

  test('the clock goes back by years while the tablet is off and offline: its scans are still Ana’s, and of today', async () => {
    const tablet = day.tablet()
    let device = await tablet.open()
    await day.signIn(device, 'ana')
    const sheet = await newSheet(device)
    await allSent(device)
    tablet.network.online = false
    await device.close()
    tablet.clockErrorMs = -2 * year
    device = await tablet.open()
    await scan(device, sheet, day.code(0))
    await device.session.signOut()
    tablet.network.online = true
    await day.signIn(device, 'ben')
    await allSent(device)
    const [row] = await day.scansAtServer(sheet)
    expect(row?.author_id).toBe(day.server.seed.users.ana.id_user)
    expect(Math.abs(Date.parse(row?.captured_at ?? '') - day.server.clock.now())).toBeLessThan(10 * 60_000)
  })

  test.each([
    ['years', 3 * year],
    ['an hour', 55 * 60_000],
  ])('the clock is corrected by %s while a retry waits: it does not wait that long', async (_, error) => {
    const tablet = day.tablet({ haste: 100 })
    tablet.clockErrorMs = error
    const device = await tablet.open()
    await day.signIn(device, 'ben')
    const sheet = await newSheet(device)
    await allSent(device)
    tablet.network.between = (path) => (path === '/api/sync/push' ? json500() : null)
    const command = await scan(device, sheet, day.code(0))
    await until('it waits', async () => (await device.hot.outbox.get(command.id))?.state === 'retry-wait')
    tablet.clockErrorMs = 0
    tablet.network.between = null
    await allSent(device)
  })

  test('the server is restored from a backup: devices rebuild the mirror and send again, and nothing is doubled', async () => {
    const { tablet, device } = await day.at('ben')
    const { device: other } = await day.at('ana')
    const sheet = await newSheet(device)
    const kept = await scan(device, sheet, day.code(0))
    await allSent(device)
    const lost = [await scan(device, sheet, day.code(1)), await scan(device, sheet, day.code(2))]
    await allSent(device)
    await until('all frames are here', async () => device.frames.size() === (await framesAtServer()))
    await until('the other tablet has all three', async () => (await other.hot.scans.count()) === 3)

    // The backup is older than the last two scans, and lacks one frame.
    const forgotten = day.server.seed.frames.warehouse[5]?.id_inventory ?? 0
    const ids = lost.map(({ id }) => id)
    await day.server.db.write([], async ({ trx }) => {
      await trx.deleteFrom('count_scans').where('id', 'in', ids).execute()
      await trx.deleteFrom('receipts').where('command_id', 'in', ids).execute()
      await trx.deleteFrom('frames').where('id_inventory', '=', forgotten).execute()
      await trx.updateTable('server_state').set({ epoch: uuidv7() }).execute()
    })
    await Promise.all([device.probe(), other.probe()])
    await until('what was forgotten is there again', async () => (await day.scansAtServer(sheet)).length === 3)
    await allSent(device, other)
    expect(new Set((await day.scansAtServer(sheet)).map((row) => row.id))).toEqual(new Set([kept.id, ...ids]))
    const receipts = await day.receiptsAtServer()
    expect(receipts).toHaveLength(4)
    for (const one of [device, other]) {
      await one.pull()
      await until('the mirror has no frame too many', () => one.frames.get(forgotten) === null)
      expect(one.frames.size()).toBe(await framesAtServer())
      await until('and every scan', async () => (await one.hot.scans.count()) === 3)
    }
    expect(await device.hot.settled.count()).toBe(4)
    expect(tablet.surprises).toEqual([])
  })

  test('a scan that is confirmed during the first load does not vanish from the screen', async () => {
    const tablet = day.tablet()
    const device = await tablet.open()
    let let_go = () => {}
    const held = new Promise<void>((resolve) => (let_go = resolve))
    let isHeld = false
    // The server answered the load of the scans before this scan. The answer arrives after the scan's receipt.
    tablet.network.between = async (path, init) => {
      if (!/pull\?collection=[a-z_%0-9A-Z]*count_scans/.test(path) || isHeld) return null
      isHeld = true
      const text = await (await day.answer(path, init)).text()
      await held
      return new Response(text, { headers: { 'content-type': 'application/x-ndjson' } })
    }
    await day.signIn(device, 'ben')
    await until('the load has begun', () => isHeld)
    const sheet = await newSheet(device)
    const command = await scan(device, sheet, day.code(0))
    await allSent(device)
    const missing: string[] = []
    const look = setInterval(() => {
      void device.hot.scans.get(command.id).then((row) => row === undefined && missing.push('gone'))
    }, 1)
    let_go()
    await until('the load is through', () => device.mirror.progress.getState().lastPulledAt !== null)
    clearInterval(look)
    expect(missing).toEqual([])
    expect(await device.hot.scans.get(command.id)).toBeDefined()
  })

  test('every scan that the screen calls sent has a receipt, on any network', async () => {
    const { tablet, device } = await day.at('ben', { haste: 100 })
    const sheet = await newSheet(device)
    const falsely: string[] = []
    let isOver = false
    const looking = (async () => {
      while (!isOver) {
        falsely.push(...(await claimedWithoutProof(device)))
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
    })()
    let calls = 0
    tablet.network.between = async (path, init) => {
      if (path !== '/api/sync/push') return null
      calls += 1
      if (calls % 4 === 1) return new Response('<html>portal</html>', { headers: { 'content-type': 'text/html' } })
      if (calls % 4 === 2) throw new TypeError('Failed to fetch')
      if (calls % 4 === 3) return new Response((await (await day.answer(path, init)).text()).slice(0, -9))
      return null
    }
    for (let nth = 0; nth < 12; nth += 1) await scan(device, sheet, day.code(nth))
    await until('everything was sent', async () => {
      await device.drain()
      return (await device.hot.outbox.count()) === 0
    })
    isOver = true
    await looking
    expect(falsely).toEqual([])
  })

  /**
   * Returns the scans in the mirror that the server does not have. The screen marks exactly the mirrored scans as Sent.
   */
  async function claimedWithoutProof(device: Device): Promise<string[]> {
    const here = await device.hot.scans.toCollection().primaryKeys()
    const there = new Set((await day.server.db.pool.selectFrom('receipts').select('command_id').execute()).map((row) => row.command_id))
    return here.filter((id) => !there.has(id))
  }
})

const json500 = () =>
  new Response(JSON.stringify({ error: 'Something went wrong on the server', code: 'server-failed' }), {
    status: 500,
    headers: { 'content-type': 'application/json' },
  })
