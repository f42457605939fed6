import 'fake-indexeddb/auto'
import { Dexie, liveQuery } from 'dexie'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HotDatabase, type OutboxCommand } from '#src/db/hot/hot.ts'

let hot: HotDatabase

beforeEach(async () => {
  hot = new HotDatabase('live')
  await hot.openSafely()
})
afterEach(async () => {
  hot.close()
  await Dexie.delete('live')
})

/** Makes later writes wait, as a slow disk does. */
async function slowDisk(): Promise<void> {
  await hot.transaction('rw', hot.facts, async () => {
    for (let times = 0; times < 100; times += 1) await hot.facts.count()
  })
}

test('a live query shows a row once it is on the disk, and not before', async () => {
  let isWaiting = true
  let readings = 0
  const shown: { key: string; early: boolean }[] = []
  const subscription = liveQuery(() => hot.facts.toArray()).subscribe((facts) => {
    readings += 1
    shown.push(...facts.map(({ key }) => ({ key, early: isWaiting })))
  })
  await expect.poll(() => readings).toBe(1)
  const disk = slowDisk()
  void disk.then(() => (isWaiting = false))
  await hot.facts.add({ key: 'a', value: 1 })
  await expect.poll(() => shown).toEqual([{ key: 'a', early: false }])
  subscription.unsubscribe()
})

test('a page that leaves undoes its open write and does not block the next page', async () => {
  const left = new HotDatabase('live')
  await left.openSafely()
  let begun = 0
  let isOver = false
  const writing = left.transaction('rw', left.facts, async () => {
    await left.facts.add({ key: 'half', value: 1 })
    // On a frozen page this transaction never ends. Here it ends with the test.
    while (!isOver) begun += await left.facts.count()
  })
  writing.catch(() => undefined)
  await expect.poll(() => begun).toBeGreaterThan(0)
  left.leave()
  const kept = await Promise.race([hot.facts.toArray(), new Promise((resolve) => setTimeout(() => resolve('waits'), 1000))])
  isOver = true
  expect(kept).toEqual([])
  await expect(writing).rejects.toThrow()
  expect(left.isOpen()).toBe(false)
})

describe('commands added without Dexie', () => {
  function scan(number: number, more: Partial<OutboxCommand> = {}): OutboxCommand {
    return {
      id: `0199d0f0-0000-7000-8000-00000000010${number}`,
      lane: 'count:a',
      lane_seq: number,
      kind: 'count.scan',
      version: 1,
      body: {},
      store_id: 1,
      author: { id_user: 2, name: 'Ben Halvorsen' },
      capture_token: 'capture-ben',
      device_id: 'tablet',
      captured: { wall: '2026-11-20T14:00:00.000Z', time_zone: 'America/New_York', server_offset_ms: 0, monotonic_ms: 1 },
      state: 'queued',
      body_hash: null,
      attempts: 0,
      failing_since: null,
      not_before: 0,
      last_error: null,
      created_at: '2026-11-20T14:00:00.000Z',
      title: 'Scan',
      ...more,
    }
  }
  const approve = () => undefined

  test.each([
    ['all commands', () => hot.outbox.toArray()],
    ['their count', async () => Array.from({ length: await hot.outbox.count() })],
    ['a command by its id', () => hot.outbox.where('id').equals(scan(1).id).toArray()],
    ['the commands of a state', () => hot.outbox.where('state').equals('queued').toArray()],
    ['the commands of a lane', () => hot.outbox.where('[lane+lane_seq+device_id]').between(['count:a'], ['count:b']).toArray()],
  ])('a live query of %s runs again', async (_, ask) => {
    const shown: number[] = []
    const subscription = liveQuery(ask).subscribe((found) => void shown.push(found.length))
    await expect.poll(() => shown).toEqual([0])
    await hot.addToOutbox([scan(1)], ['lane:count:a'], approve)
    await expect.poll(() => shown).toEqual([0, 1])
    subscription.unsubscribe()
  })

  test('are added all or none: one taken number refuses the others too', async () => {
    await hot.addToOutbox([scan(1)], [], approve)
    const again = hot.addToOutbox([scan(2), scan(3, { lane_seq: 1 })], [], approve)
    await expect(again).rejects.toMatchObject({ name: 'ConstraintError' })
    expect(await hot.outbox.count()).toBe(1)
  })

  test('are not added when the facts behind them have changed', async () => {
    await hot.facts.put({ key: 'lane:count:a', value: 7 })
    const refused = hot.addToOutbox([scan(1)], ['lane:count:a', 'lane:count:b'], (facts) => {
      expect(facts).toEqual([{ key: 'lane:count:a', value: 7 }, undefined])
      throw new RangeError('too late')
    })
    await expect(refused).rejects.toThrow('too late')
    expect(await hot.outbox.count()).toBe(0)
  })

  test('are refused by a closed database', async () => {
    hot.close()
    await expect(hot.addToOutbox([scan(1)], [], approve)).rejects.toMatchObject({ name: 'InvalidStateError' })
  })
})
