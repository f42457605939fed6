import { Dexie } from 'dexie'
import { IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

let clinic: FakeClinic
let tablet: FakeTablet
let device: Device
const sheet = '0199d0f0-0000-7000-8000-000000000001'
const lane = `count:${sheet}` as const

beforeEach(async () => {
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 200 })
  tablet.network.online = false
  device = await tablet.open()
  await device.session.signIn(person('ben'))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await tablet.close()
})

const record = (code: string, on = device) =>
  on.outbox.record(
    'count.scan',
    lane,
    { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner', previous_scan: null },
    { title: `Scan ${code}` },
  )

async function saved(code: string, on = device) {
  const made = await record(code, on)
  if (!made.saved) throw new Error(made.problem.message)
  return made.command
}

const positions = async () =>
  (await device.hot.outbox.where('[lane+lane_seq]').between([lane, 0], [lane, Infinity]).toArray()).map((c) => c.lane_seq)
const empty = async () => (await device.hot.outbox.count()) === 0

describe('recording', () => {
  test('a scan is on the disk when it counts as saved, with its author and proof', async () => {
    const command = await saved('A')
    expect(await device.hot.outbox.get(command.id)).toMatchObject({
      lane_seq: 1,
      state: 'queued',
      author: { id_user: 2, name: 'ben Halvorsen' },
      capture_token: 'capture-ben',
      device_id: device.deviceId,
    })
  })

  test('work that the server did not answer belongs to its author, even after another user has signed in', async () => {
    const { home: by } = device.session.state.getState()
    await device.session.signIn(person('maya'))
    const body = { id_count_sheet: sheet, raw_code: 'A', id_inventory: null, via: 'scanner' as const, previous_scan: null }
    const made = await device.outbox.record('count.scan', lane, body, { title: 'Scan A', ...(by && { by }) })
    expect(made).toMatchObject({ saved: true, command: { author: { id_user: 2, name: 'ben Halvorsen' }, capture_token: 'capture-ben' } })
  })

  test('positions have no gaps and no duplicates, with two tabs scanning at once', async () => {
    const second = await tablet.open()
    await Promise.all(Array.from({ length: 20 }, (_, number) => saved(`${number}`, number % 2 === 0 ? device : second)))
    expect(await positions()).toEqual(Array.from({ length: 20 }, (_, number) => number + 1))
  })

  test('a position is not used twice after another tab sent its command', async () => {
    const second = await tablet.open()
    await saved('A')
    await saved('B', second)
    tablet.network.online = true
    await device.drain()
    await until('both were sent', empty)
    tablet.network.online = false
    expect((await saved('C')).lane_seq).toBe(3)
    expect((await saved('D', second)).lane_seq).toBe(4)
  })

  test('scans keep the order in which they were made', async () => {
    await Promise.all(['A', 'B', 'C', 'D'].map((code) => saved(code)))
    const rows = await device.hot.outbox.where('[lane+lane_seq]').between([lane, 0], [lane, Infinity]).toArray()
    expect(rows.map((row) => row.body['raw_code'])).toEqual(['A', 'B', 'C', 'D'])
  })

  test('a full disk says so, and no scan counts as saved', async () => {
    vi.spyOn(device.hot, 'addToOutbox').mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
    expect(await record('A')).toMatchObject({ saved: false, problem: { reason: 'disk-full' } })
    vi.restoreAllMocks()
    expect(await device.hot.outbox.count()).toBe(0)
    expect((await saved('B')).lane_seq).toBe(1)
  })

  test('10: a database that the browser closed is opened again and the scan is saved', async () => {
    device.hot.backendDB().close()
    await saved('A')
    expect(await device.hot.outbox.count()).toBe(1)
  })

  test('storage that stays closed says so', async () => {
    vi.spyOn(device.hot, 'addToOutbox').mockRejectedValue(new DOMException('gone', 'InvalidStateError'))
    expect(await record('A')).toMatchObject({ saved: false, problem: { reason: 'storage-closed' } })
  })

  describe('a database that does not answer', () => {
    const never = () => new Promise<void>(() => undefined)
    /** A tenth of a second in real time. */
    const patient = () => tablet.open({ diskPatienceMs: 100 * tablet.haste })

    test('is opened again, and the scan is saved', async () => {
      const tab = await patient()
      vi.spyOn(tab.hot, 'addToOutbox').mockImplementationOnce(never)
      expect((await saved('A', tab)).lane_seq).toBe(1)
      expect((await saved('B', tab)).lane_seq).toBe(2)
      expect(await positions()).toEqual([1, 2])
    })

    test('may have written the scan before: it is there once', async () => {
      const tab = await patient()
      const add = tab.hot.addToOutbox.bind(tab.hot)
      vi.spyOn(tab.hot, 'addToOutbox').mockImplementationOnce((...asked) => {
        void add(...asked)
        return never()
      })
      await saved('A', tab)
      expect(await positions()).toEqual([1])
    })

    test('leaves nobody waiting, and a repeat of the work saves it once', async () => {
      const tab = await patient()
      const add = tab.hot.addToOutbox.bind(tab.hot)
      let writtenLate = false
      vi.spyOn(tab.hot, 'addToOutbox').mockImplementation((...asked) => {
        if (writtenLate) void add(...asked)
        writtenLate = true
        return never()
      })
      const first = await record('A', tab)
      if (first.saved) throw new Error('It was called saved')
      expect(first.problem).toMatchObject({ reason: 'storage-closed', id: expect.any(String) as string })
      vi.restoreAllMocks()
      const second = await tab.outbox.record(
        'count.scan',
        lane,
        { id_count_sheet: sheet, raw_code: 'A', id_inventory: null, via: 'scanner', previous_scan: null },
        { title: 'Scan A', ...(first.problem.id && { id: first.problem.id }) },
      )
      expect(second).toMatchObject({ saved: true, command: { id: first.problem.id } })
      await saved('B', tab)
      expect(await positions()).toEqual([1, 2])
    })

    test('stays in doubt when the second try meets a full disk', async () => {
      const tab = await patient()
      vi.spyOn(tab.hot, 'addToOutbox').mockImplementationOnce(never).mockRejectedValue(new DOMException('full', 'QuotaExceededError'))
      const result = await record('A', tab)
      if (result.saved) throw new Error('It was called saved')
      expect(result.problem).toMatchObject({ reason: 'disk-full', id: expect.any(String) as string })
    })

    test('does not block the next scans', async () => {
      const tab = await patient()
      vi.spyOn(tab.hot, 'addToOutbox').mockImplementation(never)
      const results = await Promise.all(['A', 'B', 'C'].map((code) => record(code, tab)))
      expect(results.map((result) => result.saved)).toEqual([false, false, false])
    })
  })

  test('when nobody is signed in, a scan is not saved and a punch is', async () => {
    await device.session.deleteTokens()
    expect(await record('A')).toMatchObject({ saved: false, problem: { reason: 'signed-out' } })
    const punch = await device.outbox.record(
      'punch.record',
      'punch:ben',
      { username: 'ben', direction: 'in', sealed_password: 'sealed', key_id: 'k', store_id: null },
      { title: 'ben clocked in' },
    )
    expect(punch).toMatchObject({ saved: true, command: { author: { id_user: null, name: 'ben' }, capture_token: null } })
  })

  test('12: a newer version in another tab does not wait for this one', async () => {
    const newer = new Dexie(tablet.databaseName, { indexedDB: tablet.indexedDB, IDBKeyRange })
    newer.version(2).stores({ outbox: 'id, &[lane+lane_seq+device_id], state', patients: 'id' })
    await newer.open()
    expect(device.connection.getState().databaseBlocked).toBe('reload')
    expect(await record('A')).toMatchObject({ saved: false })
    newer.close()
    await expect(tablet.open()).rejects.toThrow(/newer version/)
  })

  test('the next start notices that the browser deleted the data', async () => {
    await device.close()
    await Dexie.delete(tablet.databaseName).catch(() => undefined)
    const empty = new FakeTablet(clinic.answer)
    for (const [key, value] of tablet.stored) empty.stored.set(key, value)
    const again = await empty.open()
    expect(again.connection.getState().databaseBlocked).toBe('wiped')
    expect(again.deviceId).not.toBe(device.deviceId)
    // If the app closes before a user reads the notice, the next start shows it again.
    await again.close()
    const next = await empty.open()
    expect(next.connection.getState().databaseBlocked).toBe('wiped')
    await next.wipeWasRead()
    expect(next.connection.getState().databaseBlocked).toBe(null)
    await next.close()
    const last = await empty.open()
    expect(last.connection.getState().databaseBlocked).toBe(null)
    await empty.close()
  })
})

describe('work that needs attention', () => {
  async function refused() {
    const command = await saved('A')
    clinic.refusals.set(command.id, { status: 422, code: 'request-invalid' })
    tablet.network.online = true
    await device.drain()
    await until('it was refused', async () => (await device.hot.outbox.get(command.id))?.state === 'needs-attention')
    return command
  }

  test('is sent again when a user retries it', async () => {
    const { id } = await refused()
    clinic.refusals.clear()
    await device.outbox.retry(id)
    await until('it was sent', empty)
    expect(clinic.applied.has(id)).toBe(true)
  })

  test('is discarded with a reason that the server keeps', async () => {
    const { id } = await refused()
    await device.outbox.discard(id, 'scanned by mistake')
    await until('the discard was sent', empty)
    const [discard] = [...clinic.applied.values()].filter((command) => command.kind === 'command.discard')
    expect(discard?.body).toMatchObject({ discarded_id: id, discarded_kind: 'count.scan', reason: 'scanned by mistake' })
    expect(await device.hot.settled.get(id)).toMatchObject({ outcome: 'discarded' })
  })

  test('work that still waits cannot be discarded', async () => {
    const { id } = await saved('A')
    await expect(device.outbox.discard(id, 'no')).rejects.toThrow()
  })
})

describe('an unsent work file', () => {
  test('goes to another tablet and is there once, even when it is imported several times', async () => {
    await saved('A')
    await saved('B')
    const text = await device.outbox.exportUnsent()
    const other = new FakeTablet(clinic.answer, { haste: 200 })
    other.network.online = false
    const second = await other.open()
    await second.session.signIn(person('ana', 3))
    await record('mine', second)
    expect(await second.outbox.importUnsent(text)).toEqual({ added: 2, known: 0, problems: [] })
    expect(await second.outbox.importUnsent(text)).toEqual({ added: 0, known: 2, problems: [] })
    other.network.online = true
    tablet.network.online = true
    await Promise.all([device.drain(), second.drain()])
    await until('both are through', async () => (await empty()) && (await second.hot.outbox.count()) === 0)
    expect(clinic.applied.size).toBe(3)
    expect([...clinic.applied.values()].filter((command) => command.device_id === device.deviceId)).toHaveLength(2)
    await other.close()
  })

  test('a damaged command is not imported, and the others are still rescued', async () => {
    await saved('A')
    const broken = await saved('B')
    await device.hot.outbox.update(broken.id, { captured: { ...broken.captured, wall: 'yesterday' } })
    const text = await device.outbox.exportUnsent()
    const other = new FakeTablet(clinic.answer)
    other.network.online = false
    const second = await other.open()
    const result = await second.outbox.importUnsent(text)
    expect(result).toMatchObject({ added: 1, known: 0 })
    expect(result.problems).toHaveLength(1)
    expect((await second.hot.outbox.toArray()).map((command) => command.body['raw_code'])).toEqual(['A'])
    await other.close()
  })

  test.each([
    ['a file of another kind', '{"hello":1}'],
    ['a text that is not JSON', 'hello'],
  ])('%s is refused with a sentence', async (_, text) => {
    const result = await device.outbox.importUnsent(text)
    expect(result).toMatchObject({ added: 0, known: 0 })
    expect(result.problems).toHaveLength(1)
  })

  test('a file that was changed is refused', async () => {
    await saved('A')
    const text = (await device.outbox.exportUnsent()).replace('"A"', '"Z"')
    expect((await device.outbox.importUnsent(text)).problems[0]).toContain('changed or damaged')
  })
})
