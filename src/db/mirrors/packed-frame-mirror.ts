import type { Frame } from '#contract/stock/frames.ts'
import { FrameLayout } from '#src/db/mirrors/frame-layout.ts'
import type { FrameMirror } from '#src/db/mirrors/frame-mirror.ts'
import type { FrameSegment } from '#src/db/mirrors/frame-segment.ts'
import type { FrameMatch } from '#src/db/mirrors/frame-set.ts'
import type { MirrorOptions } from '#src/db/packed/mirror-writer.ts'
import { FrameSet } from '#src/db/mirrors/frame-set.ts'
import { PackedMirror } from '#src/db/packed/packed-mirror.ts'
import { inSteps } from '#src/db/indexed/slices.ts'

/** The chain's frames: see `FrameMirror`. */
export class PackedFrameMirror extends PackedMirror<number, FrameSegment, FrameSet> implements FrameMirror {
  /** Readings of stores under way, shared by all callers. */
  readonly #stores = new Map<number | null, Promise<readonly Frame[]>>()

  constructor(options: MirrorOptions) {
    super({ ...options, name: options.name ?? 'lorgnette-mirror' })
  }

  get(idInventory: number): Frame | null {
    return this.rows.get(idInventory)
  }

  find(code: string): FrameMatch | null {
    return this.rows.find(code)
  }

  async findSoon(code: string): Promise<FrameMatch | null> {
    for (;;) {
      const match = this.find(code)
      // A serial is unique and outranks the other codes, so a match need not wait for the remaining rows.
      if (this.isReady() || match?.by === 'serial') return match
      await this.moreRead()
    }
  }

  search(typed: string, limit: number): Frame[] {
    return this.rows.search(typed, limit)
  }

  endingWith(typed: string, storeId: number, limit: number): Frame[] {
    return this.rows.endingWith(typed, storeId, limit)
  }

  ofStore(storeId: number): Frame[] {
    return this.rows.ofStore(storeId)
  }

  readStore(storeId: number | null): Promise<readonly Frame[]> {
    const known = this.#stores.get(storeId)
    if (known) return known
    const reading = inSteps(this.rows.readingStore(storeId)).finally(() => {
      // Forget it when it is done: a large store needs much memory.
      if (this.#stores.get(storeId) === reading) this.#stores.delete(storeId)
    })
    this.#stores.set(storeId, reading)
    return reading
  }

  protected emptySet(columns?: readonly string[]): FrameSet {
    return new FrameSet(new FrameLayout(columns))
  }

  protected readId(given: string | number): number {
    return Number(given)
  }

  /** Later callers must see the change, so readings under way are no longer shared. */
  protected override changed(): void {
    this.#stores.clear()
  }
}
