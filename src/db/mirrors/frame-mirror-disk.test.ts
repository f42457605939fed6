import { IDBFactory, IDBObjectStore } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import type { Frame } from '#contract/stock/frames.ts'
import type { PageCodec, StoredText } from '#src/db/packed/packed-pages.ts'
import { compare, matchOf, PlainFilter } from '#tests/support/plain-frame-filter.ts'
import { closeMirrors, epoch, framesOf, load, open, pageOf, randomFrom } from '#tests/support/test-frame-mirror.ts'

afterEach(() => {
  vi.restoreAllMocks()
  closeMirrors()
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

test('the disk holds nothing readable when the codec encrypts, neither in pages nor in changes', async () => {
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

  // A thief with the disk and without the key gets nothing.
  const thief = open(indexedDB, { codec: await encryptingCodec() })
  await expect(thief.ready()).rejects.toThrow()
  expect(thief.size()).toBe(0)
})

/** Encrypts like the patients' mirror: AES-GCM with a key that only this window has, through the asynchronous Web Crypto. */
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
