import { IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test } from 'vitest'
import type { Frame } from '#contract/stock/frames.ts'
import { frameColumns } from '#src/db/mirrors/frame-layout.ts'
import { compare, ids, PlainFilter } from '#tests/support/plain-frame-filter.ts'
import { closeMirrors, epoch, frameOf, framesOf, load, open, pageOf, randomFrom, rowOf } from '#tests/support/test-frame-mirror.ts'

afterEach(closeMirrors)

test('callers who ask for a store at the same time share one reading, and a caller after a change gets a new one', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(500, 5)
  await load(mirror, frames)
  const store = frames[0]!.store_id
  const [one, other] = await Promise.all([mirror.readStore(store), mirror.readStore(store)])
  expect(one).toBe(other)
  expect(ids([...one])).toEqual(ids(mirror.ofStore(store)))
  const again = await mirror.readStore(store)
  expect(again).not.toBe(one)
})

test('answers on 100,000 frames match those of a plain filter, before and after a restart', { timeout: 120_000 }, async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(100_000, 7)
  const plain = new PlainFilter(frames)
  const mirror = open(indexedDB)
  const began = performance.now()
  await load(mirror, frames)
  const loaded = performance.now()
  compare(mirror, plain, randomFrom(11), 15)
  mirror.close()

  const again = open(indexedDB)
  const opening = performance.now()
  await again.ready()
  const ready = performance.now()
  compare(again, plain, randomFrom(12), 15)
  const asked = performance.now()
  for (let at = 0; at < 1000; at++) again.find(frames[at * 97]!.serial)
  const found = performance.now()
  for (let at = 0; at < 100; at++) again.search(frames[at * 97]!.serial.slice(2, 6), 20)
  const searched = performance.now()
  expect(await again.cursor()).toEqual({ epoch, cursor: 'end', complete: true })
  const ms = (from: number, to: number, share = 1) => `${((to - from) / share).toFixed(3)} ms`
  process.stdout.write(
    `100,000 frames (in-memory IndexedDB): first load ${ms(began, loaded)}, reopened ${ms(opening, ready)}, ` +
      `find ${ms(asked, found, 1000)}, search ${ms(found, searched, 100)}\n`,
  )
})

test('changes and removals show at once, after a restart, and after they are folded into the pages', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(3000, 21)
  const plain = new PlainFilter(frames)
  const mirror = open(indexedDB)
  await load(mirror, frames, 700)
  const random = randomFrom(22)
  for (let round = 1; round <= 4; round++) {
    const changed = Array.from({ length: 60 }, () => frameOf(1 + Math.floor(random() * 3100), random, 10_000 + round))
    const last = new Map(changed.map((frame) => [frame.id_inventory, frame]))
    const removed = [round * 10, round * 10 + 1, 9_999].filter((id) => !last.has(id))
    await mirror.applyPage(pageOf([...last.values()], `change ${round}`, removed))
    for (const frame of last.values()) plain.frames.set(frame.id_inventory, frame)
    for (const id of removed) plain.frames.delete(id)
    compare(mirror, plain, random, 30)
    const reopened = open(indexedDB)
    await reopened.ready()
    compare(reopened, plain, random, 30)
    if (round % 2 === 0) await mirror.fold()
    compare(mirror, plain, random, 30)
  }
  const reopened = open(indexedDB)
  await reopened.ready()
  compare(reopened, plain, random, 60)
  expect(await reopened.cursor()).toEqual({ epoch, cursor: 'change 4', complete: true })
})

test('an older answer that arrives late does not overwrite a newer row', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(20, 75)
  await load(mirror, frames)
  await mirror.applyPage(pageOf([{ ...frames[0]!, status: 'Sold', revision: 900 }], 'newer'))
  await mirror.applyPage(pageOf([{ ...frames[0]!, status: 'On Hold', revision: 800 }], 'late'))
  expect(mirror.get(1)?.status).toBe('Sold')
})

test('an unreadable row changes nothing', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(50, 73)
  await load(mirror, frames)
  const torn = { ...pageOf([{ ...frames[0]!, serial: 'NEW', revision: 99 }], 'torn'), rows: [rowOf(frames[0]!), ['no number']] }
  await expect(mirror.applyPage(torn)).rejects.toThrow('without its number')
  expect(await mirror.cursor()).toMatchObject({ cursor: 'end' })
  compare(mirror, new PlainFilter(frames), randomFrom(74), 10)
})

test('columns that the server adds or moves do not mix up the rows', async () => {
  const mirror = open(new IDBFactory())
  const [frame] = framesOf(1, 76)
  const columns = ['color_of_the_future', ...frameColumns.toReversed()]
  await mirror.beginReplace(1)
  await mirror.applyPage({ columns, rows: [['teal', ...rowOf(frame!).toReversed()]], removed: [], cursor: 'c', epoch })
  await mirror.endReplace('end', epoch)
  expect(mirror.get(1)).toEqual(frame)
})

test('the mirror folds many changes when the browser is idle', async () => {
  const indexedDB = new IDBFactory()
  const idle: (() => void)[] = []
  const mirror = open(indexedDB, { whenIdle: (work) => idle.push(work) })
  const frames = framesOf(4000, 77)
  await load(mirror, frames)
  expect(idle).toHaveLength(0)
  const changed = frames.slice(0, 1500).map((frame): Frame => ({ ...frame, status: 'ICT', revision: 9000 }))
  await mirror.applyPage(pageOf(changed, 'changed', ids(frames.slice(2000, 2200))))
  expect(idle).toHaveLength(1)
  idle[0]!()
  const plain = new PlainFilter([...changed, ...frames.slice(1500, 2000), ...frames.slice(2200)])
  await mirror.fold()
  compare(mirror, plain, randomFrom(78), 20)
  const again = open(indexedDB)
  await again.ready()
  compare(again, plain, randomFrom(79), 20)
})
