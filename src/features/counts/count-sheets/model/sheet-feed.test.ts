import { afterEach, expect, test } from 'vitest'
import type { CountScan } from '#contract/counts/count-sheets.ts'
import { eventually } from '#tests/support/eventually.ts'
import { createFakeDevice, mintId, sheetId } from '#tests/support/fake-count-device.ts'
import { SheetFeed, type SheetFollower } from './sheet-feed.ts'

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

function rowOf(revision: number, more: Partial<CountScan> = {}): CountScan {
  return {
    id: mintId(),
    id_count_sheet: sheetId,
    raw_code: `LG${revision}`,
    id_inventory: revision,
    finding: 'expected',
    finding_detail: null,
    via: 'scanner',
    negates: null,
    previous_scan: null,
    walk: 1,
    captured_at: '2026-11-21T09:10:00.000Z',
    author_id: 1,
    author_name: 'Ana Reyes',
    device_id: '01890000-0000-7000-8000-0000000000aa',
    revision,
    ...more,
  }
}

async function followed(rows: CountScan[]) {
  const device = createFakeDevice()
  await device.hot.scans.bulkPut(rows)
  const told: { total: number | null; rows: CountScan[] }[] = []
  const follower: SheetFollower = {
    takeSheet: () => undefined,
    takeScans: (total, scans) => void told.push({ total, rows: scans }),
    takeCommands: () => undefined,
    takeAttention: () => undefined,
    takeDecisions: () => undefined,
    takePages: () => undefined,
    failed: () => undefined,
    again: () => Promise.resolve(),
  }
  const feed = new SheetFeed(device.hot, sheetId, device.deviceId, follower)
  opened.push(
    () => device.hot.close(),
    () => feed.stop(),
  )
  await feed.read()
  feed.follow()
  await eventually(() => expect(told.at(-1)?.total).toBe(rows.length))
  return { device, told }
}

test('a change of a sheet that was just opened reads only its newest rows', async () => {
  const { device, told } = await followed(Array.from({ length: 3000 }, (_, at) => rowOf(at + 1)))
  await device.hot.scans.put(rowOf(3001))
  await eventually(() => expect(told.at(-1)?.total).toBe(3001))
  expect(told.at(-1)?.rows.map((row) => row.revision)).toContain(3001)
  expect(Math.max(...told.map(({ rows }) => rows.length))).toBeLessThan(600)
})

test('a burst of scans is counted once at its end, not with every scan', async () => {
  const { device, told } = await followed([rowOf(1)])
  told.splice(0)
  for (let revision = 2; revision <= 12; revision++) {
    await device.hot.scans.put(rowOf(revision))
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  await eventually(() => expect(told.at(-1)?.total).toBe(12))
  expect(told.filter(({ total }) => total === null).length).toBeGreaterThan(5)
  expect(told.filter(({ total }) => total !== null).length).toBeLessThan(4)
})

test('a late row just below the newest is read, and one far below shows in the total', async () => {
  const { device, told } = await followed(Array.from({ length: 2000 }, (_, at) => rowOf((at + 1) * 2)))
  await device.hot.scans.put(rowOf(3999))
  await eventually(() => expect(told.at(-1)?.rows.some((row) => row.revision === 3999)).toBe(true))
  await device.hot.scans.put(rowOf(11))
  await eventually(() => expect(told.at(-1)?.total).toBe(2002))
})
