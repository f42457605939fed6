import { IDBFactory, IDBTransaction } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { compare, matchOf, PlainFilter } from '#tests/support/plain-frame-filter.ts'
import { closeMirrors, epoch, framesOf, load, open, pageOf, randomFrom } from '#tests/support/test-frame-mirror.ts'

afterEach(() => {
  vi.restoreAllMocks()
  closeMirrors()
})

test('on a new tablet, frames can be found while the first load is still running', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(300, 51)
  await mirror.beginReplace(300)
  await mirror.applyPage(pageOf(frames.slice(0, 200), 'at 200'))
  expect(matchOf(mirror, frames[150]!.serial)).toEqual({ by: 'serial', ids: [151] })
  expect(mirror.find(frames[250]!.serial)).toBeNull()
  expect(mirror.size()).toBe(200)
})

test('a scan right after the start waits for its frame and gets no wrong answer', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(20_000, 52)
  const before = open(indexedDB)
  await load(before, frames)
  before.close()
  const mirror = open(indexedDB)
  expect(await mirror.findSoon(frames[10]!.serial)).toMatchObject({ by: 'serial', frame: { id_inventory: 11 } })
  expect(await mirror.findSoon('NO SUCH LABEL')).toBeNull()
  expect(mirror.size()).toBe(20_000)
})

test('an interrupted rebuilding leaves the old frames in use and continues from its cursor after a restart', async () => {
  const indexedDB = new IDBFactory()
  const old = framesOf(500, 41)
  const first = open(indexedDB)
  await load(first, old)
  const fresh = framesOf(900, 42)
  await first.beginReplace(900)
  expect(await first.cursor()).toBeNull()
  await first.applyPage(pageOf(fresh.slice(0, 400), 'at 400'))
  compare(first, new PlainFilter(old), randomFrom(43), 20)
  first.close()

  const second = open(indexedDB)
  await second.ready()
  expect(await second.cursor()).toEqual({ epoch, cursor: 'at 400', complete: false })
  compare(second, new PlainFilter(old), randomFrom(44), 20)
  // Frame 7 comes again, because it changed during the load. Frame 8 is gone.
  const seven = { ...fresh[6]!, serial: 'CHANGED-7', revision: 5000 }
  await second.applyPage(pageOf([...fresh.slice(400), seven], 'at 900', [8]))
  await second.endReplace('end', epoch)
  const plain = new PlainFilter(fresh)
  plain.frames.set(7, seven)
  plain.frames.delete(8)
  compare(second, plain, randomFrom(45), 40)
  expect(await second.cursor()).toEqual({ epoch, cursor: 'end', complete: true })

  const third = open(indexedDB)
  await third.ready()
  compare(third, plain, randomFrom(46), 40)
})

test('parts may follow each other at once, and each counts when the disk has it', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(900, 75)
  const mirror = open(indexedDB)
  await mirror.beginReplace(900)
  const given: string[] = []
  const parts = [0, 300, 600].map((from) =>
    // Each part brings the last row of the part before again, changed.
    mirror
      .applyPage(
        pageOf([...(from === 0 ? [] : [{ ...frames[from - 1]!, revision: 5000 }]), ...frames.slice(from, from + 300)], `at ${from + 300}`),
      )
      .then(() => given.push(`at ${from + 300}`)),
  )
  const end = mirror.endReplace('end', epoch)
  await Promise.all([...parts, end])
  expect(given).toEqual(['at 300', 'at 600', 'at 900'])
  const loaded = frames.map((frame, at) => (at === 299 || at === 599 ? { ...frame, revision: 5000 } : frame))
  for (const window of [mirror, open(indexedDB)]) {
    await window.ready()
    expect(window.size()).toBe(900)
    compare(window, new PlainFilter(loaded), randomFrom(76), 20)
  }
})

test('after a part that the disk refuses, every part fails until the cursor is read', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(400, 77)
  const mirror = open(indexedDB)
  await mirror.beginReplace(400)
  await mirror.applyPage(pageOf(frames.slice(0, 100), 'at 100'))
  const commit = vi.spyOn(IDBTransaction.prototype, 'commit')
  // The browser has the whole part when the disk is full.
  commit.mockImplementationOnce(function (this: IDBTransaction) {
    this.abort()
  })
  const second = mirror.applyPage(pageOf(frames.slice(100, 200), 'at 200'))
  const third = mirror.applyPage(pageOf(frames.slice(200, 300), 'at 300'))
  await expect(second).rejects.toThrow()
  await expect(third).rejects.toThrow()
  await expect(mirror.applyPage(pageOf(frames.slice(300), 'at 400'))).rejects.toThrow()
  await expect(mirror.endReplace('end', epoch)).rejects.toThrow()
  expect(await mirror.cursor()).toEqual({ epoch, cursor: 'at 100', complete: false })
  for (const from of [100, 200, 300]) await mirror.applyPage(pageOf(frames.slice(from, from + 100), `at ${from + 100}`))
  await mirror.endReplace('end', epoch)
  for (const window of [mirror, open(indexedDB)]) {
    await window.ready()
    compare(window, new PlainFilter(frames), randomFrom(78), 20)
  }
})
