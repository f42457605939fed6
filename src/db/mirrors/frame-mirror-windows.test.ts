import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, expect, test } from 'vitest'
import { MirrorBusy } from '#src/db/packed/mirror-writer.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { eventually } from '#tests/support/eventually.ts'
import { compare, matchOf, PlainFilter } from '#tests/support/plain-frame-filter.ts'
import { closeMirrors, epoch, framesOf, load, open, opened, pageOf, randomFrom } from '#tests/support/test-frame-mirror.ts'

afterEach(closeMirrors)

test('a second window learns what the first one wrote, and can write too', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(2000, 61)
  const one = open(indexedDB)
  const two = open(indexedDB)
  await two.ready()
  await load(one, frames)
  await eventually(() => expect(two.size()).toBe(2000))
  await one.applyPage(pageOf([{ ...frames[4]!, serial: 'FROM-ONE', revision: 9000 }], 'one'))
  await eventually(() => expect(matchOf(two, 'FROM-ONE')).toEqual({ by: 'serial', ids: [5] }))
  await two.applyPage(pageOf([{ ...frames[5]!, serial: 'FROM-TWO', revision: 9001 }], 'two'))
  await one.applyPage(pageOf([{ ...frames[6]!, serial: 'ONE-AGAIN', revision: 9002 }], 'three'))
  for (const window of [one, two]) {
    await eventually(() => expect(['FROM-ONE', 'FROM-TWO', 'ONE-AGAIN'].map((code) => matchOf(window, code)?.ids)).toEqual([[5], [6], [7]]))
  }
  await one.fold()
  await two.fold()
  const plain = new PlainFilter(frames)
  plain.frames.set(5, { ...frames[4]!, serial: 'FROM-ONE', revision: 9000 })
  plain.frames.set(6, { ...frames[5]!, serial: 'FROM-TWO', revision: 9001 })
  plain.frames.set(7, { ...frames[6]!, serial: 'ONE-AGAIN', revision: 9002 })
  const three = open(indexedDB)
  await three.ready()
  for (const window of [one, two, three]) compare(window, plain, randomFrom(62), 20)
})

test('a frozen window reads the pages again when another window has folded its changes', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(1000, 63)
  const one = open(indexedDB)
  await load(one, frames)
  const frozen = openFrameMirror({
    indexedDB,
    IDBKeyRange,
    name: 'mirror-of-test',
    BroadcastChannel: SilentChannel,
    whenIdle: () => undefined,
  })
  opened.push(frozen)
  await frozen.ready()
  await one.applyPage(pageOf([{ ...frames[0]!, serial: 'WHILE-FROZEN', revision: 9000 }], 'one'))
  await one.fold()
  expect(frozen.find('WHILE-FROZEN')).toBeNull()
  await frozen.applyPage(pageOf([{ ...frames[1]!, serial: 'AWAKE', revision: 9001 }], 'two'))
  expect(matchOf(frozen, 'WHILE-FROZEN')).toEqual({ by: 'serial', ids: [1] })
  expect(matchOf(frozen, 'AWAKE')).toEqual({ by: 'serial', ids: [2] })
})

test('two windows that load the frames at the same time end with one whole set', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(300, 64)
  const one = open(indexedDB)
  await one.beginReplace(300)
  await one.applyPage(pageOf(frames.slice(0, 100), 'at 100'))
  const two = open(indexedDB)
  await two.beginReplace(300)
  // The first window slept. It must not add to the second window's set, which lacks the first 100 rows.
  await expect(one.applyPage(pageOf(frames.slice(100, 200), 'at 200'))).rejects.toThrow(MirrorBusy)
  await expect(one.endReplace('end', epoch)).rejects.toThrow(MirrorBusy)
  expect(await two.cursor()).toBeNull()
  await two.applyPage(pageOf(frames.slice(0, 200), 'at 200'))
  // A window that reads the cursor continues the load from there, even if another window began it.
  expect(await one.cursor()).toEqual({ epoch, cursor: 'at 200', complete: false })
  await one.applyPage(pageOf(frames.slice(200), 'at 300'))
  await one.endReplace('end', epoch)
  await expect(two.applyPage(pageOf(frames.slice(200), 'at 300'))).rejects.toThrow(MirrorBusy)
  for (const window of [one, open(indexedDB)]) {
    await window.ready()
    compare(window, new PlainFilter(frames), randomFrom(65), 20)
  }
})

test('a window that brings changes does not end the load of another window', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(100, 66)
  const one = open(indexedDB)
  await load(one, frames)
  expect(await one.cursor()).toMatchObject({ complete: true })
  const two = open(indexedDB)
  await two.beginReplace(100)
  await two.applyPage(pageOf(frames.slice(0, 50), 'at 50'))
  await expect(one.applyPage(pageOf([{ ...frames[0]!, revision: 900 }], 'changed'))).rejects.toThrow(MirrorBusy)
  const three = open(indexedDB)
  await three.ready()
  await expect(three.endReplace('changed', epoch)).rejects.toThrow(MirrorBusy)
  compare(three, new PlainFilter(frames), randomFrom(67), 20)
  expect(await three.cursor()).toEqual({ epoch, cursor: 'at 50', complete: false })
})

test('clearing deletes rows and cursor, in this window and in the other one', async () => {
  const indexedDB = new IDBFactory()
  const one = open(indexedDB)
  const two = open(indexedDB)
  await load(one, framesOf(100, 81))
  await eventually(() => expect(two.size()).toBe(100))
  await one.clear()
  expect(one.size()).toBe(0)
  expect(await one.cursor()).toBeNull()
  await eventually(() => expect(two.size()).toBe(0))
})

test('a window does not hold up the upgrade by a newer app, and still answers from memory', async () => {
  const indexedDB = new IDBFactory()
  const mirror = open(indexedDB)
  const frames = framesOf(100, 82)
  await load(mirror, frames)
  await new Promise<void>((resolve, reject) => {
    const request = indexedDB.open('mirror-of-test', 2)
    request.onupgradeneeded = () => undefined
    request.onblocked = () => reject(new Error('The upgrade was held up'))
    request.onerror = () => reject(request.error ?? new Error('The upgrade failed'))
    request.onsuccess = () => {
      request.result.close()
      resolve()
    }
  })
  expect(matchOf(mirror, frames[3]!.serial)).toEqual({ by: 'serial', ids: [4] })
  await expect(mirror.applyPage(pageOf([], 'later'))).rejects.toThrow('was closed')
})

/** The channel of a window that hears nothing from the others. */
class SilentChannel extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} of a frozen window`)
  }
}
