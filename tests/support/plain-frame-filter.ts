import { expect } from 'vitest'
import type { Frame } from '#contract/stock/frames.ts'
import { normaliseCode } from '#contract/core/codes.ts'
import { upcKey } from '#src/db/mirrors/frame-layout.ts'
import type { Mirror } from '#tests/support/test-frame-mirror.ts'

const codesOf = new WeakMap<Frame, readonly string[]>()

/** Answers the questions of a mirror by going through all rows. */
export class PlainFilter {
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

export const ids = (frames: Frame[]) => frames.map((frame) => frame.id_inventory)
export const matchOf = (mirror: Mirror, code: string) => {
  const match = mirror.find(code)
  if (!match) return null
  return { by: match.by, ids: match.by === 'upc' ? ids(match.frames) : [match.frame.id_inventory] }
}

/** Asks the mirror and the plain filter the same random questions. */
export function compare(mirror: Mirror, plain: PlainFilter, random: () => number, questions: number): void {
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
