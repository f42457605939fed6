import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { allSent, ClinicDay, close, newSheet, scan, stateOf, undo } from '#tests/support/clinic-day.ts'
import type { Device } from '#src/sync/device/device.ts'
import { until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const knows = (device: Device, sheet: string) => until('the sheet came', async () => (await device.hot.sheets.get(sheet)) !== undefined)

async function sheetAtServer(sheet: string) {
  return await day.server.db.pool.selectFrom('count_sheets').selectAll().where('id_count_sheet', '=', sheet).executeTakeFirstOrThrow()
}

/** Returns how many frames the server would mark Missing. */
async function missingOf(device: Device, sheet: string, overridden: string[] | null = null): Promise<number> {
  const attempt = await close(device, sheet, 9999, overridden)
  await until('the wrong number was refused', async () => (await stateOf(device, attempt)) === 'needs-attention')
  const { last_error } = (await device.hot.outbox.get(attempt.id)) ?? {}
  expect(last_error?.code).toBe('count-number-wrong')
  await device.outbox.discard(attempt.id, 'only asked')
  await allSent(device)
  return Number(/^\d+/.exec(last_error?.message ?? '')?.[0])
}

describe('the day a count is closed', () => {
  test('a silent tablet with the sheet open blocks the close, until the manager closes without it by name', async () => {
    const a = await day.at('maya')
    const b = await day.at('ben')
    await b.device.rename('Tablet B')
    const sheet = await newSheet(a.device)
    await scan(a.device, sheet, day.code(0))
    await allSent(a.device)
    await knows(b.device, sheet)
    b.device.openSheet(sheet)
    const present = () => day.server.db.pool.selectFrom('count_devices').selectAll().where('device_id', '=', b.device.deviceId).execute()
    await until('the server knows of the second tablet', async () => (await present()).some((device) => device.open))

    b.tablet.network.online = false
    await scan(b.device, sheet, day.code(1))
    day.server.clock.advance(60_000)
    const refused = await close(a.device, sheet, 0)
    await until('the closing was refused', async () => (await stateOf(a.device, refused)) === 'needs-attention')
    expect((await a.device.hot.outbox.get(refused.id))?.last_error).toMatchObject({ code: 'count-devices-unsent' })
    expect((await a.device.hot.outbox.get(refused.id))?.last_error?.message).toContain('Tablet B')
    await a.device.outbox.discard(refused.id, 'waits for the other tablet')
    await allSent(a.device)

    const without = [b.device.deviceId]
    const missing = await missingOf(a.device, sheet, without)
    await close(a.device, sheet, missing, without)
    await allSent(a.device)
    expect(await sheetAtServer(sheet)).toMatchObject({ phase: 'closed', result: { override_devices: ['Tablet B'] } })

    // The tablet comes back: its scan is not lost, and does not slip into the closed sheet.
    b.tablet.network.online = true
    await b.device.probe()
    await until('its scan needs attention', () => b.device.connection.getState().needsAttention === 1)
    expect((await b.device.hot.outbox.toArray()).map((command) => command.last_error?.code)).toEqual(['count-closed'])
  })

  test('a second tab also reports the open sheet', async () => {
    const { tablet, device } = await day.at('ben')
    const sheet = await newSheet(device)
    await allSent(device)
    const leave = device.openSheet(sheet)
    const isOpen = async () => {
      const rows = await day.server.db.pool.selectFrom('count_devices').selectAll().where('id_count_sheet', '=', sheet).execute()
      return rows.some((row) => row.open)
    }
    await until('the server knows', isOpen)
    const second = await tablet.open()
    await scan(second, sheet, day.code(0))
    await second.drain()
    await allSent(second)
    expect(await isOpen()).toBe(true)
    leave()
    await until('the server knows that it was left', async () => !(await isOpen()))
  })

  test('a tablet that opened a sheet offline reports it as soon as it can', async () => {
    const { tablet, device } = await day.at('ben')
    const sheet = await newSheet(device)
    await allSent(device)
    tablet.network.online = false
    device.openSheet(sheet)
    await device.probe()
    tablet.network.online = true
    await until('the server knows', async () => {
      const rows = await day.server.db.pool.selectFrom('count_devices').selectAll().where('id_count_sheet', '=', sheet).execute()
      return rows.some((row) => row.open)
    })
  })

  test('a frame that is sold during the count is not missing', async () => {
    const { device } = await day.at('maya')
    const sheet = await newSheet(device)
    for (let nth = 1; nth < 27; nth += 1) await scan(device, sheet, day.code(nth))
    await allSent(device)
    const before = await missingOf(device, sheet)
    day.server.clock.advance(60_000)
    const sold = day.server.seed.frames.downtown[0]
    if (!sold) throw new Error('There is nothing to sell')
    await day.server.db.write(['chain'], async ({ trx, revision }) => {
      await trx
        .updateTable('frames')
        .set({ status: 'Sold', changed_at: new Date(day.server.clock.now()).toISOString(), revision: revision('chain') })
        .where('id_inventory', '=', sold.id_inventory)
        .execute()
    })
    const missing = await missingOf(device, sheet)
    expect(missing).toBe(before - 1)
    await close(device, sheet, missing)
    await allSent(device)
    const frame = await day.server.db.pool
      .selectFrom('frames')
      .select('status')
      .where('id_inventory', '=', sold.id_inventory)
      .executeTakeFirstOrThrow()
    expect(frame.status).toBe('Sold')
    expect((await sheetAtServer(sheet)).phase).toBe('closed')
  })

  test('a user undoes a sent scan, and the other tablet sees both events', async () => {
    const [a, b] = [await day.at('ben'), await day.at('ana')]
    const sheet = await newSheet(a.device)
    const made = await scan(a.device, sheet, day.code(0))
    await allSent(a.device)
    await undo(a.device, sheet, made.id)
    await allSent(a.device)
    await until('the second tablet has it', async () => (await b.device.hot.scans.toArray()).some((row) => row.negates === made.id))
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => row.negates)).toEqual([null, made.id])
  })

  test('a recount starts while another tablet is offline: its earlier scans belong to the first walk', async () => {
    const [a, b] = [await day.at('maya'), await day.at('ben')]
    const sheet = await newSheet(a.device)
    await allSent(a.device)
    await knows(b.device, sheet)
    b.tablet.network.online = false
    await scan(b.device, sheet, day.code(0))
    for (const { tablet } of [a, b]) tablet.pass(60_000)
    day.server.clock.advance(60_000)
    await a.device.outbox.record('count.recount', `count:${sheet}`, { id_count_sheet: sheet }, { title: 'Recount' })
    await allSent(a.device)
    expect(await sheetAtServer(sheet)).toMatchObject({ walk: 2 })
    for (const { tablet } of [a, b]) tablet.pass(60_000)
    day.server.clock.advance(60_000)
    await scan(b.device, sheet, day.code(1))
    b.tablet.network.online = true
    await b.device.probe()
    await allSent(b.device)
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => [row.raw_code, row.walk])).toEqual([
      [day.code(0), 1],
      [day.code(1), 2],
    ])
  })
})
