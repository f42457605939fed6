import fs from 'node:fs'
import path from 'node:path'
import type { Page } from 'playwright-core'

/**
 * Returns the files of a browser's folder that hold one of these texts, each with the text. It tries the encodings of
 * browsers. It also unpacks the compressed tables of the databases, where deleted rows stay until a cleanup.
 */
export function textsInFolder(folder: string, texts: readonly string[]): string[] {
  const needles = texts.map((text) => ({
    text,
    written: [...new Set(['utf8', 'utf16le', 'latin1'] as const)].map((as) => Buffer.from(text, as)),
  }))
  return filesOf(folder).flatMap((file) => {
    const pieces = readPieces(file)
    return needles
      .filter(({ written }) => written.some((needle) => pieces.some((bytes) => bytes.includes(needle))))
      .map(({ text }) => `${path.relative(folder, file)}: ${text}`)
  })
}

function filesOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

function readPieces(file: string): Buffer[] {
  const bytes = fs.readFileSync(file)
  return file.endsWith('.ldb') ? [bytes, ...blocksOf(bytes)] : [bytes]
}

type Reading = { bytes: Buffer; at: number }

/** Returns the blocks of a LevelDB table, unpacked. */
function blocksOf(table: Buffer): Buffer[] {
  const footer: Reading = { bytes: table, at: table.length - 48 }
  // The footer starts with the place of the metadata.
  readPlace(footer)
  const index = blockAt(table, readPlace(footer))
  const restarts = index.readUInt32LE(index.length - 4)
  const end = index.length - 4 * (restarts + 1)
  const blocks: Buffer[] = []
  const reading: Reading = { bytes: index, at: 0 }
  while (reading.at < end) {
    readNumber(reading)
    const own = readNumber(reading)
    readNumber(reading)
    reading.at += own
    blocks.push(blockAt(table, readPlace(reading)))
  }
  return blocks
}

function blockAt(table: Buffer, { offset, size }: { offset: number; size: number }): Buffer {
  const block = table.subarray(offset, offset + size)
  return table[offset + size] === 1 ? unsnapped(block) : block
}

function readPlace(reading: Reading): { offset: number; size: number } {
  return { offset: readNumber(reading), size: readNumber(reading) }
}

function readNumber(reading: Reading): number {
  let value = 0
  for (let place = 1; ; place *= 128) {
    const byte = reading.bytes.readUInt8(reading.at++)
    value += (byte & 127) * place
    if (byte < 128) return value
  }
}

/** Unpacks Snappy’s format: plain bytes, and copies of earlier ones. */
function unsnapped(packed: Buffer): Buffer {
  const reading: Reading = { bytes: packed, at: 0 }
  const text = Buffer.alloc(readNumber(reading))
  let length = 0
  const take = (bytes: number) => {
    const value = packed.readUIntLE(reading.at, bytes)
    reading.at += bytes
    return value
  }
  while (reading.at < packed.length) {
    const tag = take(1)
    const kind = tag & 3
    if (kind === 0) {
      const size = (tag >> 2 < 60 ? tag >> 2 : take((tag >> 2) - 59)) + 1
      packed.copy(text, length, reading.at, reading.at + size)
      reading.at += size
      length += size
    } else {
      const size = kind === 1 ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1
      const back = kind === 1 ? ((tag >> 5) << 8) + take(1) : take(kind === 2 ? 2 : 4)
      for (let nth = 0; nth < size; nth++) text[length] = text[length++ - back] ?? 0
    }
  }
  return text
}

/**
 * Returns what a script at this page's address can read on the device: the found texts with their places, and the
 * places of keys. It looks into databases, caches, both storages, cookies and the origin's own files. It also tries the
 * key of a person's drafts on every draft. `opened` names the rows that it opened, and `texts` includes their texts.
 */
export function readableAt(page: Page, texts: readonly string[]): Promise<{ texts: string[]; keys: string[]; opened: string[] }> {
  return page.evaluate(async (wanted) => {
    const found = { texts: new Set<string>(), keys: new Set<string>(), opened: new Set<string>() }
    const draftKeys: CryptoKey[] = []
    const drafts: { row: string; bytes: Uint8Array<ArrayBuffer> }[] = []
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(request.error ?? new Error('not read')))
      })
    const look = (place: string, text: string) => {
      for (const one of wanted) if (text.includes(one)) found.texts.add(`${place}: ${one}`)
    }
    const lookInBytes = (place: string, bytes: Uint8Array<ArrayBuffer>) => {
      for (const as of ['utf-8', 'utf-16le', 'latin1']) look(place, new TextDecoder(as).decode(bytes))
    }
    const lookInto = async (place: string, value: unknown): Promise<void> => {
      if (typeof value === 'string') look(place, value)
      // A key that only signs cannot decrypt. It stays until its author's work has left.
      else if (value instanceof CryptoKey) {
        if (value.extractable || value.usages.join() !== 'sign') found.keys.add(place)
      } else if (value instanceof Blob) lookInBytes(place, new Uint8Array(await value.arrayBuffer()))
      else if (value instanceof ArrayBuffer) lookInBytes(place, new Uint8Array(value))
      else if (ArrayBuffer.isView(value))
        lookInBytes(place, new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength))
      else if (value instanceof Map) for (const pair of value) await lookInto(place, pair)
      else if (Array.isArray(value) || value instanceof Set) for (const each of value) await lookInto(place, each)
      else if (typeof value === 'object' && value !== null) {
        for (const [name, each] of Object.entries(value)) {
          look(place, name)
          await lookInto(place, each)
        }
      }
    }
    type Row = { key: string; value: { key?: unknown; text?: unknown } }
    const isRow = (row: unknown): row is Row =>
      typeof row === 'object' &&
      row !== null &&
      'key' in row &&
      typeof row.key === 'string' &&
      'value' in row &&
      row.value instanceof Object
    /** The one key that may stay. It must not be extractable, and the search tries it on every draft below. */
    const isKeyOfDrafts = (row: unknown): boolean => {
      if (!isRow(row) || !row.key.startsWith('key-of-drafts ')) return false
      const { key } = row.value
      if (!(key instanceof CryptoKey) || key.extractable) return false
      draftKeys.push(key)
      return true
    }
    const collectDraft = (row: unknown): void => {
      if (isRow(row) && row.key.startsWith('draft ') && row.value.text instanceof Uint8Array)
        drafts.push({ row: row.key, bytes: Uint8Array.from(row.value.text) })
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name))
      for (const table of database.objectStoreNames) {
        const store = database.transaction(table).objectStore(table)
        const [keys, values] = await Promise.all([ask(store.getAllKeys()), ask(store.getAll() as IDBRequest<unknown[]>)])
        const others = values.filter((row) => !isKeyOfDrafts(row))
        await lookInto(`${name}/${table}`, [keys, others])
        for (const row of others) collectDraft(row)
      }
      database.close()
    }
    for (const { row, bytes } of drafts) {
      const additionalData = new TextEncoder().encode(row.replace(/^draft \d+ \d+ /, ''))
      for (const key of draftKeys) {
        const opened = await crypto.subtle
          .decrypt({ name: 'AES-GCM', iv: bytes.subarray(0, 12), additionalData }, key, bytes.subarray(12))
          .catch(() => null)
        if (opened === null) continue
        found.opened.add(row)
        lookInBytes(`opened ${row}`, new Uint8Array(opened))
      }
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        look(`cache ${name}`, request.url)
        const answer = await cache.match(request)
        if (answer) lookInBytes(`cache ${name} ${request.url}`, new Uint8Array(await answer.arrayBuffer()))
      }
    }
    await lookInto('local storage', Object.entries(localStorage))
    await lookInto('session storage', Object.entries(sessionStorage))
    look('cookies', document.cookie)
    for await (const [name, handle] of (await navigator.storage.getDirectory()).entries()) {
      look('files', name)
      if (handle instanceof FileSystemFileHandle) await lookInto(`files/${name}`, await handle.getFile())
    }
    return { texts: [...found.texts].toSorted(), keys: [...found.keys].toSorted(), opened: [...found.opened].toSorted() }
  }, texts)
}
