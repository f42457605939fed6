import { callIn, filled, openBenchPage, type Bench, type Measure } from '../bench.ts'
import { mirrorName } from '../page/our-store.ts'
import { atMost, told, type Section } from '../section.ts'
import { at } from '../statistics.ts'

export const memory: Measure = {
  name: 'memory',
  async run(bench): Promise<Section> {
    await filled(bench, ['ours'])
    const rows: number[] = []
    const empties: number[] = []
    for (let round = 0; round < Math.max(3, bench.rounds); round++) {
      const empty = await heldBytes(bench, 'bench-no-rows')
      const full = await heldBytes(bench, mirrorName)
      empties.push(empty)
      rows.push((full - empty) / bench.frames.length)
    }
    const median = at(0.5, rows)
    return {
      name: 'memory',
      title: 'Memory of the tab with the mirror open',
      head: ['', 'n', 'median', 'least', 'most'],
      rows: [
        [
          'without rows, MB',
          String(empties.length),
          told(at(0.5, empties) / 1e6),
          told(Math.min(...empties) / 1e6),
          told(Math.max(...empties) / 1e6),
        ],
        ['bytes a row over it', String(rows.length), told(median), told(Math.min(...rows)), told(Math.max(...rows))],
      ],
      goals: [atMost('bytes a row over an empty app', median, 250)],
      notes: ['JavaScript heap and array buffers after a collection, as the browser reports them.'],
    }
  },
}

/** Bytes that the page holds after a garbage collection. */
async function heldBytes(bench: Bench, name: string): Promise<number> {
  const page = await openBenchPage(bench)
  try {
    await callIn(page, 'hold', name, name === mirrorName ? bench.frames.slice(0, 20).map((frame) => frame.serial) : [])
    const session = await page.context().newCDPSession(page)
    for (let turn = 0; turn < 3; turn++) await session.send('HeapProfiler.collectGarbage')
    const usage: { usedSize: number; backingStorageSize?: number } = await session.send('Runtime.getHeapUsage')
    return usage.usedSize + (usage.backingStorageSize ?? 0)
  } finally {
    await page.close()
  }
}
