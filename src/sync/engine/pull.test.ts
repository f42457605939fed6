import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { v7 as uuidv7 } from 'uuid'
import type { PullLine } from '#contract/sync/sync.ts'
import { MirrorStore } from '#src/db/packed/mirror-store.ts'
import type { Device } from '#src/sync/device/device.ts'
import { putRows } from '#src/sync/device/mirror-tables.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
const other = '0199d0f0-0000-7000-8000-000000000002'
let clinic: FakeClinic
let tablet: FakeTablet
let device: Device
/** The clinic's answer to a pull of sheets. It has no news of other collections. */
let sheets: () => Response | Promise<Response>
let frames: () => Response | Promise<Response>

const columns = ['id_count_sheet', 'store_id', 'revision', 'notes']
const header = (more: Partial<PullLine> = {}): PullLine => ({
  type: 'header',
  collection: 'count_sheets',
  epoch: clinic.epoch,
  scope: 'store:1',
  columns,
  total: 1,
  replace: false,
  server_time: new Date().toISOString(),
  ...(more as object),
})
const page = (rows: unknown[][], cursor: string, revision = 1): PullLine => ({ type: 'page', rows, removed: [], cursor, revision })
const end = (cursor: string, revision = 1): PullLine => ({ type: 'end', cursor, revision })
const lines = (...said: unknown[]) =>
  new Response(said.map((line) => `${JSON.stringify(line)}\n`).join(''), { headers: { 'content-type': 'application/x-ndjson' } })
const nothing = (collection: string) => lines(header({ collection, total: 0 } as object), end('nothing'))
/** The first collection that a path asks for. The server may end its answer after any of them. */
const askedFirst = (path: string) => /pull\?collection=([a-z_]+)/.exec(path)?.[1] ?? null

const notes = async () => (await device.hot.sheets.toArray()).map((row) => row.notes)
const cursor = async () => (await device.hot.cursors.get('count_sheets store:1'))?.cursor
const surprises = () => tablet.surprises.map(String)

beforeEach(async () => {
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 50 })
  sheets = () => lines(header({ replace: true }), page([[sheet, 1, 1, 'old']], 'first'), end('first'))
  frames = () => lines(header({ collection: 'frames', scope: 'chain', replace: true, total: 0 }), end('nothing'))
  tablet.network.between = (path) => {
    const asked = askedFirst(path)
    if (asked === 'count_sheets') return sheets()
    if (asked === 'frames') return frames()
    return asked === null ? null : nothing(asked)
  }
  device = await tablet.open()
  await device.session.signIn(person('ben'))
  await until('the first pull is through', async () => (await notes()).length === 1 && (await cursor()) === 'first')
  await device.pull()
})
afterEach(async () => {
  vi.restoreAllMocks()
  await tablet.close()
})

describe('the mirror', () => {
  test('gets its sheets while the frames hang', async () => {
    frames = () => new Promise<Response>(() => undefined)
    void device.pull()
    await until('the frames are asked for', () => tablet.network.callsTo('/api/sync/pull?collection=frames').length > 1)
    sheets = () => lines(header(), page([[sheet, 1, 2, 'recounted']], 'second'), end('second'))
    void device.pull()
    await until('the sheet is here', async () => (await notes()).includes('recounted'), 2000)
  })

  test('at the front desk does not ask for counts, and keeps those of a colleague who counts here', async () => {
    await device.session.signIn({ ...person('leo', 5), permissions: ['frame.look-up', 'time.punch'] })
    const before = tablet.network.calls.length
    const asked = () => tablet.network.calls.slice(before).map(({ path }) => path)
    await device.pull()
    await until('it asks for punches', () => asked().some((path) => path.includes('punches')))
    expect(asked().filter((path) => /count_|patients/.test(path))).toEqual([])
    expect(await notes()).toEqual(['old'])
    expect(surprises()).toEqual([])
  })

  test('is replaced completely or not at all', async () => {
    sheets = () => lines(header({ replace: true }))
    void device.pull()
    await until('it was asked for', () => tablet.network.callsTo('/api/sync/pull?collection=count_sheets').length > 3)
    expect(await notes()).toEqual(['old'])
    sheets = () => lines(header({ replace: true }), page([[other, 1, 5, 'new']], 'fifth'), end('fifth'))
    await device.pull()
    await until('it is replaced', async () => (await cursor()) === 'fifth')
    expect(await notes()).toEqual(['new'])
    sheets = () => lines(header({ replace: true }), end('sixth'))
    await device.pull()
    await until('it is empty', async () => (await cursor()) === 'sixth')
    expect(await notes()).toEqual([])
    expect(surprises()).toEqual([])
  })

  test('is not touched when there is no news', async () => {
    sheets = () => lines(header(), page([[sheet, 1, 2, 'good']], 'second', 2), end('third', 3))
    await device.pull()
    expect(await cursor()).toBe('third')
    const put = vi.spyOn(device.hot.cursors, 'put')
    sheets = () => lines(header(), end('third', 3))
    await device.pull()
    expect(put).not.toHaveBeenCalled()
    sheets = () => lines(header(), end('fourth', 4))
    await device.pull()
    expect(put).toHaveBeenCalledOnce()
    expect(await cursor()).toBe('fourth')
  })

  test('keeps the last page and its end together, and keeps a page when its end was cut off', async () => {
    const put = vi.spyOn(device.hot.cursors, 'put')
    sheets = () => lines(header(), page([[sheet, 1, 2, 'two']], 'second', 2), page([[other, 1, 3, 'three']], 'third', 3), end('third', 3))
    await device.pull()
    expect(put.mock.calls.map(([row]) => [row.cursor, row.complete])).toEqual([
      ['second', false],
      ['third', true],
    ])
    put.mockClear()
    const asked: (string | undefined)[] = []
    sheets = () => {
      asked.push(tablet.network.calls.at(-1)?.path.split('cursor=')[1]?.split('%2C')[0])
      return asked.length === 1 ? lines(header(), page([[sheet, 1, 4, 'four']], 'fourth', 4)) : lines(header(), end('fourth', 4))
    }
    await device.pull()
    expect(asked).toEqual(['third', 'fourth'])
    expect(put.mock.calls.map(([row]) => [row.cursor, row.complete])).toEqual([
      ['fourth', false],
      ['fourth', true],
    ])
    expect(await notes()).toEqual(['four', 'three'])
  })

  test('measures the server’s time from the request, not from the answer', async () => {
    const whole = ['count_sheets', 'count_scans', 'count_decisions', 'count_items', 'punches']
    sheets = () => {
      const server_time = new Date(tablet.now()).toISOString()
      tablet.pass(8000)
      return lines(...whole.flatMap((collection) => [header({ collection, server_time } as object), end('first')]))
    }
    frames = () => new Promise<Response>(() => undefined)
    void device.pull()
    await until('it was measured', () => Math.abs(device.serverOffsetMs() ?? Infinity) < 60_000)
    // Half of the round trip, or less.
    expect(device.serverOffsetMs()).toBeGreaterThan(-6000)
  })

  test('stops before a row that it cannot keep, and says so', async () => {
    sheets = () => lines(header(), page([[sheet, 1, 2, 'good']], 'second'), page([[other, 1, 'three', 'bad']], 'third'), end('third'))
    await device.pull()
    expect(await cursor()).toBe('second')
    expect(await notes()).toEqual(['good'])
    expect(surprises()[0]).toContain('cannot keep')
  })

  test('keeps no frames after a part that could not be kept', async () => {
    const part = (id: unknown, at: string) => page([[id, `F${at}`, `S${at}`, 1]], at)
    frames = () =>
      lines(
        header({ collection: 'frames', scope: 'chain', columns: ['id_inventory', 'serial', 'sku', 'revision'], replace: true, total: 3 }),
        part(1, 'one'),
        part('torn', 'two'),
        part(3, 'three'),
        end('three'),
      )
    await device.pull()
    expect(surprises()[0]).toContain('without its number')
    const asked = () => tablet.network.callsTo('/api/sync/pull?collection=frames').map(({ path }) => path.split('cursor=')[1])
    await until('it is asked for behind the last that was kept', () => asked().includes('one'))
    expect(asked()).not.toContain('three')
  })

  test('packs frames while the disk writes the part before, and ends only after the last write', async () => {
    const seen: string[] = []
    const as = <K extends 'write' | 'encodePage'>(name: K) => Reflect.get(MirrorStore.prototype, name) as MirrorStore[K]
    const [write, encodePage] = [as('write'), as('encodePage')]
    vi.spyOn(MirrorStore.prototype, 'encodePage').mockImplementation(function (this: MirrorStore, ...given) {
      seen.push('packed')
      return encodePage.apply(this, given)
    })
    vi.spyOn(MirrorStore.prototype, 'write').mockImplementation(async function (this: MirrorStore, ...given) {
      const after = await write.apply(this, given)
      await new Promise((resolve) => setTimeout(resolve, 50))
      seen.push('kept')
      return after
    })
    const part = (id: number, at: string) => page([[id, `F${at}`, `S${at}`, 1]], at)
    const told = header({
      collection: 'frames',
      scope: 'chain',
      columns: ['id_inventory', 'serial', 'sku', 'revision'],
      replace: true,
      total: 2,
    })
    frames = () => lines(told, part(1, 'one'), part(2, 'two'), { type: 'page', rows: 'none' })
    await device.pull()
    expect(surprises()[0]).toContain('ValiError')
    // The set was begun, and then the two parts came.
    expect(seen).toEqual(['kept', 'packed', 'packed', 'kept', 'kept'])
  })

  test.each([
    ['an invalid line', () => lines(header(), { type: 'page', rows: 'none' }), 'ValiError'],
    [
      'an error of our own',
      () => (vi.spyOn(device.hot.cursors, 'put').mockRejectedValue(new TypeError('a bug')), nothing('count_sheets')),
      'a bug',
    ],
  ])('%s is reported, and does not count as a bad network', async (_, answer, said) => {
    sheets = answer
    await device.pull()
    expect(surprises()[0]).toContain(said)
  })

  test('asks once for all collections of an event, and again only for those that an answer left out', async () => {
    const pulls = () => tablet.network.callsTo('/api/sync/pull?collection=').map(({ path }) => new URL(path, 'http://x').searchParams)
    const hot = ['count_sheets', 'count_scans', 'count_decisions', 'count_items', 'punches']
    const all = (from: number) => lines(...hot.slice(from).flatMap((name) => [header({ collection: name } as object), end(`${name} 2`)]))
    sheets = () => all(0)
    let before = pulls().length
    await device.pull()
    const [whole, ...more] = pulls()
      .slice(before)
      .filter((query) => query.get('collection') !== 'frames')
    expect(more).toEqual([])
    expect(whole?.get('collection')).toBe(hot.join())
    expect(whole?.get('cursor')?.split(',')).toHaveLength(hot.length)

    sheets = () => lines(header({ collection: 'count_sheets' } as object), end('alone'))
    before = pulls().length
    await device.pull()
    const names = pulls()
      .slice(before)
      .map((query) => query.get('collection'))
    expect(names).toContain(hot.slice(1).join())
    expect(await cursor()).toBe('alone')
    expect(surprises()).toEqual([])
  })

  test('asks for the home info when an answer is for another store', async () => {
    sheets = () => lines(header({ scope: 'store:2', replace: true }), page([[other, 2, 5, 'theirs']], 'theirs'), end('theirs'))
    const asked = () => tablet.network.callsTo('/api/home/home').length
    const before = asked()
    await device.pull()
    await until('it asks', () => asked() > before)
    expect(await notes()).toEqual(['old'])
    expect(surprises()).toEqual([])
  })

  test('a stream that was cut is no error', async () => {
    let times = 0
    sheets = () => {
      times += 1
      const whole = `${JSON.stringify(header())}\n${JSON.stringify(page([[sheet, 1, 2, 'cut']], 'second'))}\n`
      return times > 3
        ? lines(header(), end('second'))
        : new Response(whole.slice(0, -20), { headers: { 'content-type': 'application/x-ndjson' } })
    }
    await device.pull()
    expect(await cursor()).toBe('second')
    expect(surprises()).toEqual([])
  })

  test.each(['count_scans', 'punches', 'count_sheets', 'count_decisions'] as const)(
    'never puts an older row of %s over a newer one',
    async (name) => {
      // The heartbeat of a slow machine would pull and replace them.
      tablet.network.online = false
      const row = { id: uuidv7(), id_count_sheet: sheet, store_id: 1, id_user: 2, key: 'k', at: '2026-11-20T14:00:00.000Z' }
      const table = {
        count_scans: device.hot.scans,
        punches: device.hot.punches,
        count_sheets: device.hot.sheets,
        count_decisions: device.hot.decisions,
      }
      await putRows(device.hot, name, [{ ...row, revision: 7 }])
      await putRows(device.hot, name, [{ ...row, revision: 6 }])
      expect((await table[name].toArray()).map(({ revision }) => revision)).toEqual([7])
      await putRows(device.hot, name, [{ ...row, revision: 8 }])
      expect((await table[name].toArray()).map(({ revision }) => revision)).toEqual([8])
    },
  )
})

test('a receipt with a row that cannot be kept still settles its command', async () => {
  const { answer } = clinic
  const kept = tablet.network.between
  tablet.network.between = async (path, init) => {
    if (path !== '/api/sync/push') return (await kept?.(path, init)) ?? null
    const body = (await (await answer(path, init)).json()) as { receipts: object[] }
    return json(200, {
      ...body,
      receipts: body.receipts.map((receipt) => ({ ...receipt, rows: [{ collection: 'count_scans', row: {} }] })),
    })
  }
  const body = { id_count_sheet: sheet, raw_code: 'A', id_inventory: null, via: 'scanner', previous_scan: null } as const
  await device.outbox.record('count.scan', `count:${sheet}`, body, { title: 'Scan A' })
  await until('it was sent', async () => (await device.hot.outbox.count()) === 0)
  expect(surprises()[0]).toContain('cannot keep')
})

test('a deleted sheet does not come back with a late receipt', async () => {
  const { answer } = clinic
  const kept = tablet.network.between
  const row = { id_count_sheet: sheet, store_id: 1, revision: 2, notes: 'late' }
  tablet.network.between = async (path, init) => {
    if (path !== '/api/sync/push') return (await kept?.(path, init)) ?? null
    const body = (await (await answer(path, init)).json()) as { receipts: object[] }
    return json(200, { ...body, receipts: body.receipts.map((receipt) => ({ ...receipt, rows: [{ collection: 'count_sheets', row }] })) })
  }
  const sendNote = async (notes: string) => {
    await device.outbox.record('count.note', `count:${sheet}`, { id_count_sheet: sheet, notes }, { title: 'Note' })
    await until('it was sent', async () => (await device.hot.outbox.count()) === 0)
  }
  sheets = () => lines(header(), end('first'))
  await sendNote('in time')
  expect(await notes()).toEqual(['late'])
  const removal: PullLine = { type: 'page', rows: [], removed: [sheet], cursor: 'gone', revision: 3 }
  sheets = () => lines(header(), removal, end('gone', 3))
  void device.pull()
  await until('it is gone', async () => (await notes()).length === 0 && (await cursor()) === 'gone')
  sheets = () => lines(header(), end('gone', 3))
  await sendNote('again')
  expect(await notes()).toEqual([])
})

test('an error while handling an event is reported, and the stream opens again', async () => {
  const kept = tablet.network.between
  let opened = 0
  vi.spyOn(device.hot.settled, 'bulkDelete').mockRejectedValue(new TypeError('a bug'))
  tablet.network.between = async (path, init) => {
    if (path !== '/api/sync/events') return (await kept?.(path, init)) ?? null
    opened += 1
    const event = { type: 'hello', epoch: uuidv7(), server_time: new Date().toISOString() }
    return new Response(`data: ${JSON.stringify(event)}\n\n`, { headers: { 'content-type': 'text/event-stream' } })
  }
  await until('the stream is opened again', () => opened > 1)
  expect(surprises().some((said) => said.includes('a bug'))).toBe(true)
})
