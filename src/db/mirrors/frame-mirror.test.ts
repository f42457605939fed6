import { IDBFactory, IDBKeyRange, IDBObjectStore, IDBTransaction } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import type { Frame } from '#contract/stock/frames.ts'
import { normaliseCode } from '#contract/core/codes.ts'
import type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'
import { MirrorBusy, type MirrorWriter } from '#src/db/packed/mirror-writer.ts'
import { openFrameMirror } from '#src/db/mirrors/open-frame-mirror.ts'
import { FrameSet } from '#src/db/mirrors/frame-set.ts'
import { FrameLayout, frameColumns, upcKey } from '#src/db/mirrors/frame-layout.ts'
import { packPages, type PageCodec, type StoredText } from '#src/db/packed/packed-pages.ts'
import { eventually } from '#tests/support/eventually.ts'

type Mirror = FrameMirror & MirrorWriter

const epoch = '0198c2f4-0000-7000-8000-000000000001'
const opened: Mirror[] = []

afterEach(() => {
  vi.restoreAllMocks()
  for (const mirror of opened.splice(0)) mirror.close()
})

function open(indexedDB: IDBFactory, more: { whenIdle?: (work: () => void) => void; name?: string; codec?: PageCodec } = {}): Mirror {
  const mirror = openFrameMirror({ indexedDB, IDBKeyRange, name: 'mirror-of-test', whenIdle: () => undefined, ...more })
  opened.push(mirror)
  return mirror
}

/** Mulberry32: the same chain of frames for every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function checked(digits: string): string {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return digits + String((10 - (sum % 10)) % 10)
}

function frameOf(id: number, random: () => number, revision = id): Frame {
  const upc = random()
  return {
    id_inventory: id,
    sku: `${String(100_000 + id)}`,
    serial: `F${String(Math.floor(random() * 90_000_000) + 10_000_000)}-${id.toString(36)}`,
    upc:
      upc < 0.1 ? null : upc < 0.15 ? `X-${Math.floor(random() * 500)}` : checked(String(Math.floor(random() * 30_000)).padStart(11, '0')),
    status: 'Ready for Sale',
    store_id: 1 + Math.floor(random() * 20),
    brand_id: 1 + (id % 30),
    brand_name: `Brand ${id % 30}`,
    vendor_id: 1 + (id % 7),
    title_product: `Model "${id % 900}"`,
    title_variant: 'Black\nMatte',
    size_lens_width: 52,
    size_bridge_width: 18,
    size_temple_length: 140,
    pb_selling_price: 19_900,
    board_location: null,
    last_seen_at: null,
    version: 1,
    revision,
  }
}

const framesOf = (count: number, seed: number) => {
  const random = randomFrom(seed)
  return Array.from({ length: count }, (_, at) => frameOf(at + 1, random))
}

const rowOf = (frame: Frame): unknown[] =>
  Object.values(frameColumns.map((column) => Object.entries(frame).find(([key]) => key === column)?.[1]))

function pageOf(frames: Frame[], cursor: string, removed: number[] = []) {
  return { columns: [...frameColumns], rows: frames.map(rowOf), removed, cursor, epoch }
}

async function load(mirror: Mirror, frames: Frame[], perPage = 5000): Promise<void> {
  await mirror.beginReplace(frames.length)
  for (let from = 0; from < frames.length; from += perPage) {
    await mirror.applyPage(pageOf(frames.slice(from, from + perPage), `at ${from + perPage}`))
  }
  await mirror.endReplace('end', epoch)
}

const codesOf = new WeakMap<Frame, readonly string[]>()

/** The same questions, answered by going through all rows. */
class PlainFilter {
  readonly frames: Map<number, Frame>
  constructor(frames: Iterable<Frame>) {
    this.frames = new Map([...frames].map((frame) => [frame.id_inventory, frame]))
  }

  #codes(frame: Frame): readonly string[] {
    let codes = codesOf.get(frame)
    if (!codes) {
      codes = [normaliseCode(frame.serial), normaliseCode(frame.sku), frame.upc === null ? '' : upcKey(frame.upc)]
      codesOf.set(frame, codes)
    }
    return codes
  }

  #ordered(kind: number, isHit: (code: string) => boolean, storeId?: number): number[] {
    const hits: { code: string; id: number }[] = []
    for (const frame of this.frames.values()) {
      const code = this.#codes(frame)[kind]!
      if (code !== '' && isHit(code) && (storeId === undefined || frame.store_id === storeId)) hits.push({ code, id: frame.id_inventory })
    }
    return hits.sort((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : a.id - b.id)).map((hit) => hit.id)
  }

  find(raw: string): { by: string; ids: number[] } | null {
    const code = normaliseCode(raw)
    for (const [kind, by] of ['serial', 'sku', 'upc'].entries()) {
      const hits = this.#ordered(kind, (candidate) => candidate === (by === 'upc' ? upcKey(code) : code))
      if (hits.length > 0) return { by, ids: by === 'upc' ? hits : hits.slice(0, 1) }
    }
    return null
  }

  search(typed: string, limit: number): number[] {
    const needle = normaliseCode(typed)
    const upc = /^\d+$/.test(needle) ? needle.replace(/^0+/, '') : needle
    const ids = new Set<number>()
    for (const rule of [
      (code: string, part: string) => code === part,
      (code: string, part: string) => code.startsWith(part),
      (code: string, part: string) => code.includes(part),
    ]) {
      for (const [kind, part] of [needle, needle, upc].entries()) {
        if (part !== '') for (const id of this.#ordered(kind, (code) => rule(code, part))) ids.add(id)
      }
    }
    return [...ids].slice(0, limit)
  }

  endingWith(typed: string, storeId: number, limit: number): number[] {
    const needle = normaliseCode(typed)
    const ids = new Set([0, 1].flatMap((kind) => this.#ordered(kind, (code) => code.endsWith(needle), storeId)))
    return [...ids].slice(0, limit)
  }

  ofStore(storeId: number): number[] {
    return [...this.frames.values()]
      .filter((frame) => frame.store_id === storeId)
      .map((frame) => frame.id_inventory)
      .sort((a, b) => a - b)
  }
}

const ids = (frames: Frame[]) => frames.map((frame) => frame.id_inventory)
const matchOf = (mirror: Mirror, code: string) => {
  const match = mirror.find(code)
  if (!match) return null
  return { by: match.by, ids: match.by === 'upc' ? ids(match.frames) : [match.frame.id_inventory] }
}

function compare(mirror: Mirror, plain: PlainFilter, random: () => number, questions: number): void {
  const all = [...plain.frames.values()]
  for (let asked = 0; asked < questions; asked++) {
    const frame = all[Math.floor(random() * all.length)]!
    const code = [frame.serial, frame.sku, frame.upc ?? 'nothing', frame.serial.toLowerCase(), `]C1${frame.sku}\r\n`][asked % 5]!
    expect(matchOf(mirror, code), code).toEqual(plain.find(code))
    const from = Math.floor(random() * code.length)
    const part = asked % 2 === 0 ? code.slice(0, 2 + Math.floor(random() * 4)) : code.slice(from, from + 3)
    expect(ids(mirror.search(part, 20)), part).toEqual(plain.search(part, 20))
    const end = code.slice(-4)
    expect(ids(mirror.endingWith(end, frame.store_id, 10)), end).toEqual(plain.endingWith(end, frame.store_id, 10))
    expect(mirror.get(frame.id_inventory)).toEqual(frame)
  }
  const store = all[0]!.store_id
  expect(ids(mirror.ofStore(store))).toEqual(plain.ofStore(store))
  expect(mirror.size()).toBe(plain.frames.size)
}

test('a store that is changed while it is read in steps is read whole', async () => {
  const layout = new FrameLayout()
  const frames = framesOf(2000, 3)
  const set = new FrameSet(layout)
  const tuples = (some: Frame[]) => some.map(rowOf)
  await set.addPages([...packPages(0, layout, tuples(frames))])
  const store = frames[0]!.store_id
  const here = frames.filter((frame) => frame.store_id === store)
  const moved = frames.find((frame) => frame.store_id !== store)!

  const undisturbed = [...stepsOf(set.readingStore(store))]
  expect(undisturbed.length).toBeGreaterThan(10)
  expect(undisturbed.at(-1)).toEqual(here)

  const reading = set.readingStore(store)
  for (let step = 0; step < 5; step++) reading.next()
  set.apply({ rows: tuples([{ ...moved, store_id: store, revision: 9000 }]), removed: [here[0]!.id_inventory] })
  const found = [...stepsOf(reading)].at(-1) as Frame[]
  expect(ids(found)).toEqual([...ids(here.slice(1)), moved.id_inventory].sort((a, b) => a - b))
})

/** What a generator yields, and at last what it returns. */
function* stepsOf<T>(steps: Generator<undefined, T>): Generator<T | undefined> {
  for (;;) {
    const { done, value } = steps.next()
    yield value
    if (done) return
  }
}

test('those who ask for a store at the same time share one reading, and whoever asks after a change has it anew', async () => {
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

test('answers on 100,000 frames are those of a plain filter, before and after a restart', { timeout: 120_000 }, async () => {
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

test('changes and removals are found at once, after a restart and after they were folded into the pages', async () => {
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

test('a change of 100 rows is one record on the disk, and folding it rewrites only their pages', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(10_000, 31)
  const mirror = open(indexedDB)
  await load(mirror, frames)
  const put = vi.spyOn(IDBObjectStore.prototype, 'put')
  const stores = () =>
    put.mock.contexts.map((store) => (store instanceof IDBObjectStore ? store.name : '')).filter((name) => name !== 'state')
  const changed = frames.slice(2000, 2100).map((frame): Frame => ({ ...frame, status: 'Missing', revision: 20_000 }))
  await mirror.applyPage(pageOf(changed, 'changed'))
  expect(stores()).toEqual(['changes'])
  put.mockClear()
  await mirror.fold()
  expect(stores()).toEqual(['pages', 'pages'])
  expect(mirror.get(2050)?.status).toBe('Missing')
})

test('an interrupted rebuilding leaves the old frames in use and goes on from its cursor after a restart', async () => {
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
  // Frame 7 comes a second time, changed while the others were on their way; frame 8 is gone.
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

test('on a new tablet, frames can be found while the first load is still running', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(300, 51)
  await mirror.beginReplace(300)
  await mirror.applyPage(pageOf(frames.slice(0, 200), 'at 200'))
  expect(matchOf(mirror, frames[150]!.serial)).toEqual({ by: 'serial', ids: [151] })
  expect(mirror.find(frames[250]!.serial)).toBeNull()
  expect(mirror.size()).toBe(200)
})

test('a scan right after the start waits for its frame and not for an answer that is wrong', async () => {
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

test('a second window learns what the first one wrote, and may write itself', async () => {
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

test('a window that was frozen while another folded its changes reads the pages again', async () => {
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
  // The first window, which slept meanwhile, must put nothing into the second one's set: what came before would be missing in it.
  await expect(one.applyPage(pageOf(frames.slice(100, 200), 'at 200'))).rejects.toThrow(MirrorBusy)
  await expect(one.endReplace('end', epoch)).rejects.toThrow(MirrorBusy)
  expect(await two.cursor()).toBeNull()
  await two.applyPage(pageOf(frames.slice(0, 200), 'at 200'))
  // Who asks for the cursor goes on from there, whoever began it.
  expect(await one.cursor()).toEqual({ epoch, cursor: 'at 200', complete: false })
  await one.applyPage(pageOf(frames.slice(200), 'at 300'))
  await one.endReplace('end', epoch)
  await expect(two.applyPage(pageOf(frames.slice(200), 'at 300'))).rejects.toThrow(MirrorBusy)
  for (const window of [one, open(indexedDB)]) {
    await window.ready()
    compare(window, new PlainFilter(frames), randomFrom(65), 20)
  }
})

test('a window that brings changes while another loads anew does not end that one’s loading', async () => {
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

test('a full disk leaves rows, cursor and memory as they were', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(400, 71)
  const mirror = open(indexedDB)
  await load(mirror, frames)
  const put = vi.spyOn(IDBObjectStore.prototype, 'put')
  put.mockImplementation(() => {
    throw new DOMException('The disk is full', 'QuotaExceededError')
  })
  const changed = [{ ...frames[0]!, serial: 'NEVER-STORED', revision: 9000 }]
  await expect(mirror.applyPage(pageOf(changed, 'lost', [2]))).rejects.toThrow('The disk is full')
  await expect(mirror.beginReplace(10)).rejects.toThrow('The disk is full')
  put.mockRestore()
  for (const window of [mirror, open(indexedDB)]) {
    await window.ready()
    compare(window, new PlainFilter(frames), randomFrom(72), 20)
    expect(await window.cursor()).toEqual({ epoch, cursor: 'end', complete: true })
  }
  await mirror.applyPage(pageOf(changed, 'later'))
  expect(matchOf(mirror, 'NEVER-STORED')).toEqual({ by: 'serial', ids: [1] })
})

test('parts are given one behind the other, and count when the disk has them', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(900, 75)
  const mirror = open(indexedDB)
  await mirror.beginReplace(900)
  const given: string[] = []
  const parts = [0, 300, 600].map((from) =>
    // The last of a part comes again with the next one, changed.
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

test('what follows a part that the disk did not take fails as well, until the cursor has been asked for', async () => {
  const indexedDB = new IDBFactory()
  const frames = framesOf(400, 77)
  const mirror = open(indexedDB)
  await mirror.beginReplace(400)
  await mirror.applyPage(pageOf(frames.slice(0, 100), 'at 100'))
  const commit = vi.spyOn(IDBTransaction.prototype, 'commit')
  // All of it lies with the browser, and then the disk is full.
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

test('a row that cannot be read changes nothing', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(50, 73)
  await load(mirror, frames)
  const torn = { ...pageOf([{ ...frames[0]!, serial: 'NEW', revision: 99 }], 'torn'), rows: [rowOf(frames[0]!), ['no number']] }
  await expect(mirror.applyPage(torn)).rejects.toThrow('without its number')
  expect(await mirror.cursor()).toMatchObject({ cursor: 'end' })
  compare(mirror, new PlainFilter(frames), randomFrom(74), 10)
})

test('an older answer that arrives late does not overwrite a newer row', async () => {
  const mirror = open(new IDBFactory())
  const frames = framesOf(20, 75)
  await load(mirror, frames)
  await mirror.applyPage(pageOf([{ ...frames[0]!, status: 'Sold', revision: 900 }], 'newer'))
  await mirror.applyPage(pageOf([{ ...frames[0]!, status: 'On Hold', revision: 800 }], 'late'))
  expect(mirror.get(1)?.status).toBe('Sold')
})

test('columns that the server adds or moves do not mix up the rows', async () => {
  const mirror = open(new IDBFactory())
  const [frame] = framesOf(1, 76)
  const columns = ['colour_of_the_future', ...frameColumns.toReversed()]
  await mirror.beginReplace(1)
  await mirror.applyPage({ columns, rows: [['teal', ...rowOf(frame!).toReversed()]], removed: [], cursor: 'c', epoch })
  await mirror.endReplace('end', epoch)
  expect(mirror.get(1)).toEqual(frame)
})

test('many changes are folded by themselves when the browser is idle', async () => {
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

test('clearing forgets rows and cursor, here and in the other window', async () => {
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

test('nothing readable lies on the disk when the codec encrypts: neither in pages nor in changes', async () => {
  const indexedDB = new IDBFactory()
  const codec = await encryptingCodec()
  const mirror = open(indexedDB, { codec })
  const frames = framesOf(300, 83)
  await load(mirror, frames, 100)
  const changed = { ...frames[7]!, status: 'ICT' as const, revision: 9000 }
  await mirror.applyPage(pageOf([changed], 'changed', [9]))
  const onDisk = async () => {
    const kept = [...(await recordsOf(indexedDB, 'pages')), ...(await recordsOf(indexedDB, 'changes'))]
    return Buffer.concat(kept.flatMap((record) => Object.values(record).filter((part) => typeof part !== 'number')).map(bytesOf))
  }
  for (const stage of ['changed', 'folded']) {
    const bytes = await onDisk()
    expect(bytes.length).toBeGreaterThan(10_000)
    for (const secret of [frames[3]!.serial, changed.sku, changed.title_product, 'ICT'])
      expect([stage, bytes.includes(secret)]).toEqual([stage, false])
    await mirror.fold()
  }
  const plain = new PlainFilter([...frames.filter((frame) => ![8, 9].includes(frame.id_inventory)), changed])
  const again = open(indexedDB, { codec })
  await again.ready()
  compare(again, plain, randomFrom(84), 20)

  // Whoever has the disk and not the key has nothing.
  const thief = open(indexedDB, { codec: await encryptingCodec() })
  await expect(thief.ready()).rejects.toThrow()
  expect(thief.size()).toBe(0)
})

test('an upgrade by a newer app is not held up by this window, which goes on answering from memory', async () => {
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

/** A window that hears nothing from the others. */
class SilentChannel extends BroadcastChannel {
  constructor(name: string) {
    super(`${name} of a frozen window`)
  }
}

/** As patients will be kept: AES-GCM under a key that only this window has, asynchronous as Web Crypto is. */
async function encryptingCodec(): Promise<PageCodec> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  return {
    async encode(text) {
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, new TextEncoder().encode(text))
      return new Uint8Array([...iv, ...new Uint8Array(sealed)])
    },
    async decode(stored) {
      const bytes = Uint8Array.from(bytesOf(stored))
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(12)))
    },
  }
}

function bytesOf(stored: StoredText): Buffer {
  return Buffer.from(typeof stored === 'string' ? new TextEncoder().encode(stored) : stored)
}

function recordsOf(indexedDB: IDBFactory, store: string): Promise<Record<string, StoredText>[]> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('mirror-of-test')
    opening.onerror = () => reject(opening.error ?? new Error('The mirror does not open'))
    opening.onsuccess = () => {
      const reading: IDBRequest<Record<string, StoredText>[]> = opening.result.transaction(store).objectStore(store).getAll()
      reading.onsuccess = () => {
        opening.result.close()
        resolve(reading.result)
      }
    }
  })
}
