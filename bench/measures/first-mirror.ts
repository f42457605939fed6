import { inPage, type Measure } from '../bench.ts'
import type { Contestant } from '../page/fills.ts'
import { atLeast, atMost, ratio, told, type Section } from '../section.ts'
import { at, pairedRatio, type Blocks } from '../statistics.ts'

export const firstMirror: Measure = {
  name: 'first-mirror',
  async run(bench): Promise<Section> {
    const contestants: Contestant[] = ['ours', 'raw', 'dexie', 'pouchdb', 'rxdb', ...(bench.isLong ? (['localforage'] as const) : [])]
    const times = new Map<Contestant, Blocks>(contestants.map((name) => [name, []]))
    for (let round = 0; round < bench.rounds; round++) {
      for (const name of [...contestants.slice(round % contestants.length), ...contestants.slice(0, round % contestants.length)]) {
        const took = await inPage(bench, 'fill', name)
        bench.say(`first mirror, ${name}: ${told(took)} ms`)
        times.get(name)?.push([took])
      }
    }
    const of = (name: Contestant) => times.get(name) ?? []
    const timesFaster = (name: Contestant) => pairedRatio(of(name), of('ours')).median
    return {
      name: 'first-mirror',
      title: `First mirror of ${told(bench.frames.length)} frames, network excluded`,
      head: ['', 'n', 'median, ms', 'of raw'],
      rows: contestants.map((name) => {
        const all = of(name).flat()
        return [name, String(all.length), told(at(0.5, all)), ratio(pairedRatio(of(name), of('raw')))]
      }),
      goals: [
        atMost('of raw IndexedDB', pairedRatio(of('ours'), of('raw')).median, 0.05),
        atLeast('times faster than Dexie bulkPut', timesFaster('dexie'), 20),
        atLeast('times faster than PouchDB', timesFaster('pouchdb'), 30),
        atLeast('times faster than RxDB', timesFaster('rxdb'), 30),
      ],
      notes: [
        'Raw, Dexie and RxDB keep one record a row with indexes for serial, store tag, UPC and store, 5,000 rows a transaction; PouchDB has its `_id` alone. Ours ends when all four searches answer.',
      ],
    }
  },
}
