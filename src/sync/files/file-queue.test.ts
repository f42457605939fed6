import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { KeptBytes } from '#src/db/indexed/kept-bytes.ts'
import type { FileQueue } from '#src/sync/device/device.ts'
import { countUnsentFiles, readUnsentFiles } from '#src/sync/files/unsent-files.ts'
import { FileDesk } from '#tests/support/file-desk.ts'
import { onDisk } from '#tests/support/on-disk.ts'
import { mayasHome, refused } from '#tests/support/screen-device.ts'
import { until } from '#tests/support/test-device.ts'

const ben = { ...mayasHome, id_user: 2, username: 'ben', first_name: 'Ben', last_name: 'Halvorsen' }
const idPatient = '0190a000-0000-7000-8000-00000000000a'
const partBytes = 512 * 1024

let desk: FileDesk
beforeEach(() => {
  desk = new FileDesk(mayasHome)
})
afterEach(() => {
  vi.restoreAllMocks()
  desk.end()
})

function bytesOf(length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).map((_, index) => (index * 31 + (index >> 8) * 7) & 0xff)
}
const choose = (queue: FileQueue, length = 1000, name = 'Glaucoma letter.pdf') =>
  queue.add({ idPatient, name, category: 'referral', blob: new Blob([bytesOf(length)]) })
const first = (queue: FileQueue) => queue.state.getState().files[0]
const isAt = (queue: FileQueue, state: string) => () => queue.state.getState().files.some((file) => file.state === state)
/** For each file in the record: whether it is the file of this length, byte for byte. */
const inRecord = (length: number) => [...desk.server.attached.values()].map(({ bytes }) => Buffer.from(bytes).equals(bytesOf(length)))
const partsOnDisk = async () => {
  const bytes = new KeptBytes(desk.tablet.environment())
  const ids = await bytes.ids()
  bytes.close()
  return ids
}

async function openWithKey() {
  const tab = await desk.open()
  await desk.giveKey(tab.hot)
  return tab
}

describe('a chosen file', () => {
  test('counts as saved once all of it is on the disk', async () => {
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    const seen: string[] = []
    queue.state.subscribe(({ files: [file] }) => file && seen.push(file.state))
    const put = vi.spyOn(KeptBytes.prototype, 'put').mockImplementation(async function (this: KeptBytes, ...given) {
      expect(first(queue)).toMatchObject({ state: 'keeping', kept: 'soon' })
      expect(await countUnsentFiles(hot)).toEqual({ waiting: 0, refused: 0 })
      put.mockRestore()
      await this.put(...given)
    })
    await choose(queue, 2 * partBytes + 5)
    expect(first(queue)).toMatchObject({
      kept: 'yes',
      size: 2 * partBytes + 5,
      name: 'Glaucoma letter.pdf',
      category: 'referral',
      idPatient,
    })
    expect(new Set(seen.slice(0, seen.indexOf('waiting')))).toEqual(new Set(['keeping']))
    expect(await countUnsentFiles(hot)).toEqual({ waiting: 1, refused: 0 })
    expect(await partsOnDisk()).toEqual([first(queue)?.id])
  })

  test('is sent, and none of it stays on the disk', async () => {
    const { queue, hot } = await openWithKey()
    await choose(queue, 2 * partBytes + 5)
    await until('it is sent', isAt(queue, 'sent'))
    const id = first(queue)?.id ?? ''
    expect([...desk.server.attached]).toMatchObject([
      [id, { filename: 'Glaucoma letter.pdf', category: 'referral', id_patient: idPatient }],
    ])
    expect(inRecord(2 * partBytes + 5)).toEqual([true])
    expect(await readUnsentFiles(hot)).toEqual([])
    expect(await partsOnDisk()).toEqual([])
    expect(await hot.facts.where('key').startsWith('keeping-file').count()).toBe(0)
  })

  test('cannot be read on the disk without the key', async () => {
    desk.server.reachable = false
    const { queue } = await openWithKey()
    await queue.add({
      idPatient,
      name: 'Quillfeather glaucoma.pdf',
      category: 'insurance card',
      blob: new Blob([`%PDF ${'Zuzana Quillfeather '.repeat(60_000)}`]),
    })
    const disk = await onDisk(desk.tablet)
    expect(disk).toContain('unsent-file ')
    expect(disk).not.toMatch(/Quillfeather|Zuzana|glaucoma|insurance card/)
    expect(disk).not.toContain(idPatient)
  })

  test('on a full disk stays on the page, which says so and sends it', async () => {
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    const put = vi.spyOn(KeptBytes.prototype, 'put')
    put.mockImplementationOnce(() => Promise.resolve()).mockRejectedValueOnce(new DOMException('Full', 'QuotaExceededError'))
    await choose(queue, 2 * partBytes)
    expect(first(queue)).toMatchObject({ kept: 'disk-full', state: 'waiting' })
    expect(await countUnsentFiles(hot)).toEqual({ waiting: 0, refused: 0 })
    await until('it is tidied up', async () => (await hot.facts.where('key').startsWith('keeping-file').count()) === 0)
    desk.server.reachable = true
    await queue.run(true)
    await until('it is sent', isAt(queue, 'sent'))
    expect(inRecord(2 * partBytes)).toEqual([true])
  })

  test('without a key is not written to the disk', async () => {
    desk.server.reachable = false
    const { queue } = await desk.open()
    await choose(queue)
    expect(first(queue)).toMatchObject({ kept: 'no-key', state: 'waiting' })
    expect(await partsOnDisk()).toEqual([])
  })

  test('is refused when the device can no longer read it', async () => {
    const { queue } = await openWithKey()
    const blob = new Blob([bytesOf(100)])
    vi.spyOn(blob, 'slice').mockReturnValue(new Blob([]))
    await queue.add({ idPatient, name: 'Gone.pdf', category: 'other', blob })
    expect(first(queue)).toMatchObject({ state: 'refused', problem: { code: 'file-unreadable' } })
  })

  test('is there once when its last write hangs and arrives later', async () => {
    desk.change = { diskPatienceMs: 2000 }
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    let letGo = () => {}
    const put = vi.spyOn(hot.facts, 'put')
    put.mockImplementationOnce((async (...given: Parameters<typeof hot.facts.put>) => {
      await new Promise<void>((resolve) => (letGo = resolve))
      return await hot.facts.put(...given)
    }) as never)
    await choose(queue)
    expect(first(queue)).toMatchObject({ kept: 'disk-failed' })
    letGo()
    desk.server.reachable = true
    await queue.run(true)
    await until('it is sent', isAt(queue, 'sent'))
    await queue.run(true)
    expect(desk.server.attached.size).toBe(1)
  })

  test('is gone when it is discarded during the save', async () => {
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    const put = vi.spyOn(KeptBytes.prototype, 'put').mockImplementation(async function (this: KeptBytes, ...given) {
      put.mockRestore()
      await queue.discard(first(queue)?.id ?? '')
      await this.put(...given)
    })
    await choose(queue, 3 * partBytes)
    await until('nothing is left', async () => (await partsOnDisk()).length === 0)
    expect(queue.state.getState().files).toEqual([])
    expect(await readUnsentFiles(hot)).toEqual([])
  })
})

describe('a browser that is killed', () => {
  test.each([
    ['the call never arrives', false],
    ['the answer never arrives', true],
  ])('between any two steps of sending, when %s: the file is in the record once, complete', async (_words, isDone) => {
    const length = 2 * partBytes + 7
    for (let step = 1; ; step += 1) {
      desk.end()
      desk = new FileDesk(mayasHome)
      desk.server.reachable = false
      let tab = await openWithKey()
      await choose(tab.queue, length)
      desk.server.reachable = true
      let calls = 0
      let killed = false
      desk.server.between = () => {
        calls += 1
        if (calls !== step) return false
        killed = true
        tab.close()
        if (!isDone) throw new Error('The browser is gone')
        return true
      }
      void tab.queue.run(true)
      await until(`step ${step}`, async () => killed || (await readUnsentFiles(tab.hot)).length === 0)
      desk.server.between = () => false
      if (!killed) {
        expect(step).toBeGreaterThan(5)
        return
      }
      tab = await desk.open()
      await until('it was read', () => tab.queue.state.getState().ready)
      expect(tab.queue.state.getState().files).toHaveLength(1)
      await tab.queue.run(true)
      await until('it is sent', isAt(tab.queue, 'sent'))
      expect(inRecord(length)).toEqual([true])
      expect(await readUnsentFiles(tab.hot)).toEqual([])
    }
  })

  test.each([0, 1, 2, 3])('when %i parts were saved: nothing waits, and the parts are deleted within hours', async (saved) => {
    desk.server.reachable = false
    const { queue, hot, close } = await openWithKey()
    let written = 0
    const original: unknown = Reflect.get(KeptBytes.prototype, 'put')
    vi.spyOn(KeptBytes.prototype, 'put').mockImplementation(async function (this: KeptBytes, ...given) {
      if (written++ >= saved) return await new Promise<void>(() => undefined)
      if (typeof original === 'function') await original.apply(this, given)
    })
    choose(queue, 3 * partBytes).catch(() => undefined)
    await until('so many are written', () => written > saved || (saved === 3 && first(queue)?.kept === 'yes'))
    const kept = await readUnsentFiles(hot)
    close()
    vi.restoreAllMocks()
    const after = await desk.open()
    await until('it was read', () => after.queue.state.getState().ready)
    expect(after.queue.state.getState().files).toHaveLength(kept.length)
    if (kept.length > 0) return
    after.close()
    desk.tablet.pass(2 * 3_600_000)
    const later = await desk.open()
    await until('it is tidied up', async () => (await partsOnDisk()).length === 0)
    expect(await later.hot.facts.where('key').startsWith('keeping-file').count()).toBe(saved === 0 ? 1 : 0)
  })

  test('when a file had just been sent: its remaining bytes are deleted', async () => {
    const { queue, close } = await openWithKey()
    vi.spyOn(KeptBytes.prototype, 'drop').mockReturnValue(new Promise(() => undefined))
    await choose(queue)
    await until('it is in the record', () => desk.server.attached.size === 1)
    close()
    vi.restoreAllMocks()
    const after = await desk.open()
    await until('it is tidied up', async () => (await partsOnDisk()).length === 0)
    expect(after.queue.state.getState().files).toEqual([])
    expect(desk.server.attached.size).toBe(1)
  })
})

describe('the user of a file', () => {
  test('another user sees that a file waits and whose it is, and nothing more; they do not send it', async () => {
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    await choose(queue)
    desk.server.reachable = true
    desk.seat(null)
    expect(queue.state.getState().files).toEqual([])
    desk.home = ben
    await desk.giveKey(hot)
    desk.told()
    await until('the file is strange', () => queue.state.getState().strange.length === 1)
    await queue.run(true)
    expect(queue.state.getState()).toMatchObject({ files: [], strange: [{ author: 'Maya Okafor', why: 'person' }] })
    expect(JSON.stringify(queue.state.getState())).not.toMatch(/glaucoma|referral/i)
    expect(desk.server.asked).toEqual([])
  })

  test('nothing more is sent when its user leaves during a call', async () => {
    const { queue } = await openWithKey()
    desk.server.between = (path) => {
      if (path === '/upload/') desk.seat(ben)
      return false
    }
    await choose(queue, 3 * partBytes)
    await until('the file is strange', () => queue.state.getState().strange.length === 1)
    await queue.run(true)
    expect(desk.server.asked.filter((path) => path === '/upload/')).toHaveLength(1)
    desk.server.between = () => false
    desk.seat(mayasHome)
    await until('it is sent', isAt(queue, 'sent'))
    expect(inRecord(3 * partBytes)).toEqual([true])
  })

  test('an unsaved file leaves with its user, is hidden by the lock, and comes back after it', async () => {
    desk.server.reachable = false
    const { queue } = await openWithKey()
    vi.spyOn(KeptBytes.prototype, 'put').mockRejectedValue(new DOMException('Full', 'QuotaExceededError'))
    await choose(queue)
    desk.isLocked = true
    desk.told()
    expect(queue.state.getState().files).toEqual([])
    desk.isLocked = false
    desk.told()
    await until('it is back', isAt(queue, 'waiting'))
    desk.seat(ben)
    desk.seat(mayasHome)
    await queue.run(true)
    expect(queue.state.getState().files).toEqual([])
  })

  test('a file of another store waits until its user is back there', async () => {
    desk.server.reachable = false
    const { queue } = await openWithKey()
    await choose(queue)
    desk.server.reachable = true
    desk.seat({ ...mayasHome, store_id: 2 })
    await until('it is of another store', () => queue.state.getState().strange[0]?.why === 'store')
    await queue.run(true)
    expect(desk.server.asked).toEqual([])
    desk.seat(mayasHome)
    await until('it is sent', isAt(queue, 'sent'))
  })

  test('a file kept with a key that no longer exists shows as unreadable, and can be discarded', async () => {
    desk.server.reachable = false
    const { queue, hot } = await openWithKey()
    await choose(queue)
    desk.seat(null)
    await hot.facts.delete('patients-key')
    desk.home = mayasHome
    await desk.giveKey(hot)
    desk.told()
    await until('its key has changed', () => queue.state.getState().strange[0]?.why === 'key-changed')
    await queue.discard(queue.state.getState().strange[0]?.id ?? '')
    expect(await readUnsentFiles(hot)).toEqual([])
    expect(await partsOnDisk()).toEqual([])
  })

  test('without a session a file waits', async () => {
    desk.isOpen = false
    const { queue } = await openWithKey()
    await choose(queue)
    await queue.run(true)
    expect(desk.server.asked).toEqual([])
    expect(first(queue)).toMatchObject({ kept: 'yes', state: 'waiting' })
  })
})

describe('answers of the server', () => {
  test('a refused file waits for the user, other files are sent, and a retry sends it', async () => {
    const { queue, hot } = await openWithKey()
    desk.server.refusal = { path: '/upload/', answer: refused(413, 'file-too-large') }
    await choose(queue, 1000, 'one.pdf')
    await until('it is refused', isAt(queue, 'refused'))
    expect(first(queue)?.problem).toMatchObject({ code: 'file-too-large', status: 413 })
    expect(await countUnsentFiles(hot)).toEqual({ waiting: 0, refused: 1 })
    desk.server.refusal = null
    await choose(queue, 2000, 'two.pdf')
    await until('the other is sent', isAt(queue, 'sent'))
    await queue.retry(queue.state.getState().files.find(({ state }) => state === 'refused')?.id ?? '')
    await until('both are sent', () => desk.server.attached.size === 2)
  })

  test('a file that fails at the server is tried for half an hour and then set aside; another file is sent meanwhile', async () => {
    const { queue } = await openWithKey()
    desk.server.refusal = { path: '/upload/', answer: refused(500, 'server-failed') }
    await choose(queue)
    for (let tries = 0; tries < 8; tries += 1) {
      const before = desk.server.asked.filter((path) => path === '/upload/').length
      desk.tablet.pass(6 * 60_000)
      await queue.run(true)
      await until(
        'it was tried',
        () => desk.server.asked.filter((path) => path === '/upload/').length > before || first(queue)?.state === 'refused',
      )
    }
    await until('it is set aside', isAt(queue, 'refused'))
    expect(first(queue)?.problem).toMatchObject({ code: 'server-failed' })
  })

  test('a server that makes no progress is not asked for ever', async () => {
    const { queue } = await openWithKey()
    desk.server.refusal = { path: '/upload/', answer: refused(404, 'upload-unknown') }
    desk.server.between = (path) => {
      if (path === '/upload/{filename}') desk.server.uploads.clear()
      return false
    }
    await choose(queue)
    await until('it is counted as trouble', () => first(queue)?.problem?.code === 'upload-offset-wrong')
    expect(desk.server.asked.length).toBeLessThan(20)
  })

  test('a file of a patient who is not at the server yet waits for the patient', async () => {
    const { queue, hot } = await openWithKey()
    const lane = `patient:${idPatient}`
    await hot.outbox.add({
      id: '0190a000-0000-7000-8000-0000000000c1',
      lane,
      lane_seq: 1,
      kind: 'patient.create',
      device_id: 'x',
      state: 'queued',
    } as never)
    await choose(queue)
    await queue.run(true)
    expect(first(queue)).toMatchObject({ afterPatient: true, state: 'waiting' })
    expect(desk.server.asked).toEqual([])
    await hot.outbox.clear()
    await queue.run(false)
    await until('it is sent', isAt(queue, 'sent'))
  })
})

test('two tabs send a file once, one tab at a time, and both know its progress', async () => {
  desk.server.reachable = false
  const one = await openWithKey()
  const other = await desk.open()
  await choose(one.queue, 4 * partBytes)
  await until('both know of it', () => other.queue.state.getState().files.length === 1)
  let under = 0
  let most = 0
  desk.server.between = async () => {
    under += 1
    most = Math.max(most, under)
    await new Promise((resolve) => setTimeout(resolve, 1))
    under -= 1
    return false
  }
  desk.server.reachable = true
  await Promise.all([one.queue.run(true), other.queue.run(true)])
  await until('it is sent', async () => (await readUnsentFiles(one.hot)).length === 0)
  await until('both know', () => [one, other].every(({ queue }) => queue.state.getState().files.every(({ state }) => state === 'sent')))
  expect(most).toBe(1)
  expect(inRecord(4 * partBytes)).toEqual([true])
  expect(desk.server.asked.filter((path) => path === '/upload/')).toHaveLength(4)
})

test('small work goes before each part of a file', async () => {
  const order: string[] = []
  const { queue, hot } = await desk.open(() => Promise.resolve(void order.push('others')))
  await desk.giveKey(hot)
  desk.server.between = (path) => (order.push(path), false)
  await choose(queue, 2 * partBytes)
  await until('it is sent', isAt(queue, 'sent'))
  expect(order.filter((_, index) => index % 2 === 0)).toEqual(Array(order.length / 2).fill('others'))
})
