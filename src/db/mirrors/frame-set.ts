import { normaliseCode } from '#contract/core/codes.ts'
import type { Frame } from '#contract/stock/frames.ts'
import type { CodeColumn } from '#src/db/packed/code-column.ts'
import { compareCodes } from '#src/db/packed/code-column.ts'
import type { FrameKeys } from '#src/db/mirrors/frame-layout.ts'
import { FrameLayout, upcKey } from '#src/db/mirrors/frame-layout.ts'
import { FrameSegment } from '#src/db/mirrors/frame-segment.ts'
import type { Page, Tuple } from '#src/db/packed/packed-pages.ts'
import { PackedSet } from '#src/db/packed/packed-set.ts'
import { inOneGo } from '#src/db/indexed/slices.ts'

export type FrameMatch = { by: 'serial' | 'sku'; frame: Frame } | { by: 'upc'; frames: Frame[] }

type CodeKind = 'serial' | 'sku' | 'upc'
/** `place` is the row's place in a segment; null for a row that has changed since. */
type Hit = { code: string; id: number; place: { segment: FrameSegment; row: number } | null }
type Kind = { kind: CodeKind; needle: string }

const columnOf: Record<CodeKind, (segment: FrameSegment) => CodeColumn> = {
  serial: (segment) => segment.serials,
  sku: (segment) => segment.skus,
  upc: (segment) => segment.upcs,
}

/** Rows to read between two checks of the clock. */
const rowsPerStep = 64

/**
 * Frames in memory, searchable at once. Every answer equals that of a plain filter over all rows; the tests check that.
 */
export class FrameSet extends PackedSet<number, FrameKeys, FrameSegment> {
  readonly layout: FrameLayout

  constructor(layout = new FrameLayout()) {
    super()
    this.layout = layout
  }

  segmentOf(pages: readonly Page[]): Promise<FrameSegment> {
    return FrameSegment.of(pages)
  }

  protected keysOf(tuple: Tuple): FrameKeys {
    return this.layout.keysOf(tuple)
  }

  get(id: number): Frame | null {
    const tuple = this.tuple(id)
    return tuple && this.layout.toFrame(tuple)
  }

  find(raw: string): FrameMatch | null {
    const code = normaliseCode(raw)
    if (code === '') return null
    for (const by of ['serial', 'sku'] as const) {
      const [hit] = this.#exact({ kind: by, needle: code })
      if (hit) return { by, frame: this.#frameAt(hit) }
    }
    const hits = this.#exact({ kind: 'upc', needle: upcKey(code) })
    return hits.length > 0 ? { by: 'upc', frames: hits.map((hit) => this.#frameAt(hit)) } : null
  }

  /**
   * Frames for the typed text, best first: the whole code, codes that begin so, codes that contain it. Within each
   * group, serials come before store tags and these before UPCs, in the order of the codes.
   */
  search(typed: string, limit: number): Frame[] {
    const kinds = searchKinds(typed)
    const found = new Map<number, Frame>()
    const add = (hits: Hit[]) => {
      for (const hit of hits) {
        if (found.size >= limit) return
        if (!found.has(hit.id)) found.set(hit.id, this.#frameAt(hit))
      }
    }
    for (const kind of kinds) if (found.size < limit) add(this.#exact(kind))
    for (const kind of kinds) if (found.size < limit) add(this.#beginning(kind, limit + found.size))
    for (const kind of kinds) if (found.size < limit) add(this.#containing(kind, limit + found.size))
    return [...found.values()]
  }

  /** Frames of one store whose serial, then whose store tag, ends with the typed text. */
  endingWith(typed: string, storeId: number, limit: number): Frame[] {
    const needle = normaliseCode(typed)
    if (needle === '') return []
    const found = new Map<number, Frame>()
    for (const kind of ['serial', 'sku'] as const) {
      const hits = this.#hits(
        kind,
        limit + found.size,
        (column) => column.ending(needle),
        (code) => code.endsWith(needle),
        storeId,
      )
      for (const hit of hits) {
        if (found.size >= limit) break
        if (!found.has(hit.id)) found.set(hit.id, this.#frameAt(hit))
      }
    }
    return [...found.values()]
  }

  /** All frames of a store, or of the chain, ordered by id. */
  ofStore(storeId: number | null): Frame[] {
    return inOneGo(this.readingStore(storeId))
  }

  /**
   * The same in small steps. After a change in between it reads all rows again at once, so that no row is doubled or
   * missing.
   */
  *readingStore(storeId: number | null): Generator<undefined, Frame[]> {
    const edits = this.edits
    const frames: Frame[] = []
    for (const segment of this.segments) {
      for (let row = 0; row < segment.rowCount; row++) {
        if (row % rowsPerStep === 0) {
          yield
          if (this.edits !== edits) return this.ofStore(storeId)
        }
        if ((storeId === null || segment.storeOf(row) === storeId) && segment.isLive(row))
          frames.push(this.layout.toFrame(segment.tuple(row)))
      }
    }
    for (const changed of this.changed.values()) {
      if (changed && (storeId === null || changed.store === storeId)) frames.push(this.layout.toFrame(changed.tuple))
    }
    return frames.sort((a, b) => a.id_inventory - b.id_inventory)
  }

  #frameAt({ id, place }: Hit): Frame {
    const tuple = place ? place.segment.tuple(place.row) : this.changed.get(id)?.tuple
    if (!tuple) throw new Error('A row that was found just now is gone')
    return this.layout.toFrame(tuple)
  }

  #exact({ kind, needle }: Kind): Hit[] {
    return this.#hits(
      kind,
      Number.POSITIVE_INFINITY,
      (column) => column.exact(needle),
      (code) => code === needle,
    )
  }

  #beginning({ kind, needle }: Kind, limit: number): Hit[] {
    return this.#hits(
      kind,
      limit,
      (column) => column.beginning(needle),
      (code) => code.startsWith(needle),
    )
  }

  #containing({ kind, needle }: Kind, limit: number): Hit[] {
    return this.#hits(
      kind,
      limit,
      (column) => column.containing(needle),
      (code) => code.includes(needle),
    )
  }

  /** The first `limit` hits of all segments and of the changes, in the order of the codes. */
  #hits(
    kind: CodeKind,
    limit: number,
    inColumn: (column: CodeColumn) => Iterable<number>,
    isHit: (code: string) => boolean,
    storeId?: number,
  ): Hit[] {
    const hits: Hit[] = []
    for (const segment of this.segments) {
      const column = columnOf[kind](segment)
      let taken = 0
      for (const entry of inColumn(column)) {
        const row = column.rowAt(entry)
        if (!segment.isLive(row) || (storeId !== undefined && segment.storeOf(row) !== storeId)) continue
        hits.push({ code: column.codeAt(entry), id: segment.idOf(row), place: { segment, row } })
        if (++taken >= limit) break
      }
    }
    for (const changed of this.changed.values()) {
      if (!changed || changed[kind] === '' || !isHit(changed[kind])) continue
      if (storeId === undefined || changed.store === storeId) hits.push({ code: changed[kind], id: changed.id, place: null })
    }
    return hits.sort((a, b) => compareCodes(a.code, b.code) || a.id - b.id)
  }
}

/** The kinds of codes to search, and the text for each. A UPC is searched without leading zeros. */
function searchKinds(typed: string): Kind[] {
  const needle = normaliseCode(typed)
  if (needle === '') return []
  const kinds: Kind[] = [
    { kind: 'serial', needle },
    { kind: 'sku', needle },
  ]
  const digits = /^\d+$/.test(needle) ? needle.replace(/^0+/, '') : needle
  if (digits !== '') kinds.push({ kind: 'upc', needle: digits })
  return kinds
}
