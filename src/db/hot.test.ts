import 'fake-indexeddb/auto'
import { Dexie, liveQuery } from 'dexie'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HotDatabase } from '#src/db/hot.ts'

let hot: HotDatabase

beforeEach(async () => {
  hot = new HotDatabase('live')
  await hot.openSafely()
})
afterEach(async () => {
  hot.close()
  await Dexie.delete('live')
})

/** Keeps everything that is written next waiting, as a slow disk does. */
async function slowDisk(): Promise<void> {
  await hot.transaction('rw', hot.facts, async () => {
    for (let times = 0; times < 100; times += 1) await hot.facts.count()
  })
}

test('a live query shows what is written when it is on the disk, and not before', async () => {
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
