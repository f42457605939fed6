import { expect, test } from 'vitest'
import type { Frame } from '#contract/stock/frames.ts'
import { FrameSet } from '#src/db/mirrors/frame-set.ts'
import { FrameLayout } from '#src/db/mirrors/frame-layout.ts'
import { packPages } from '#src/db/packed/packed-pages.ts'
import { ids } from '#tests/support/plain-frame-filter.ts'
import { framesOf, rowOf } from '#tests/support/test-frame-mirror.ts'

test('a store that changes while it is read in steps is read whole', async () => {
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

/** Yields every value of a generator, and then its return value. */
function* stepsOf<T>(steps: Generator<undefined, T>): Generator<T | undefined> {
  for (;;) {
    const { done, value } = steps.next()
    yield value
    if (done) return
  }
}
