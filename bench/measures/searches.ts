import { codeBlocks, filled, inPage, type Bench, type Measure } from '../bench.ts'
import type { Contestant } from '../page/fills.ts'
import type { Question } from '../page/searches.ts'
import { atMost, ratio, spreadCells, told, type Goal, type Section } from '../section.ts'
import { pairedRatio, ratioAt, spreadOf, type Blocks } from '../statistics.ts'

type Asked = {
  name: string
  title: string
  question: Question
  contestants: Contestant[]
  reference: Contestant
  blocks(bench: Bench): string[][]
  goals(ours: Blocks, reference: Blocks): Goal[]
  notes: string[]
}

function searchMeasure(asked: Asked): Measure {
  return {
    name: asked.name,
    async run(bench): Promise<Section> {
      await filled(bench, asked.contestants)
      const times = await inPage(bench, 'ask', asked.question, asked.contestants, asked.blocks(bench))
      const of = (name: Contestant) => times[name] ?? []
      return {
        name: asked.name,
        title: asked.title,
        head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms', `of ${asked.reference}, p50`, 'p99'],
        rows: asked.contestants.map((name) => [
          name,
          ...spreadCells(of(name)),
          ratio(pairedRatio(of(name), of(asked.reference))),
          told(ratioAt(0.99, of(name), of(asked.reference))),
        ]),
        goals: asked.goals(of('ours'), of(asked.reference)),
        notes: asked.notes,
      }
    },
  }
}

export const lookUp = searchMeasure({
  name: 'look-up',
  title: 'Look-up by serial',
  question: 'get',
  contestants: ['ours', 'raw', 'dexie', 'pouchdb', 'sqlite'],
  reference: 'raw',
  blocks: (bench) => codeBlocks(bench.frames, 40, 50, (frame) => frame.serial),
  goals: (ours, raw) => [
    atMost('of a raw `get`, p50', pairedRatio(ours, raw).median, 0.05),
    atMost('of a raw `get`, p99', ratioAt(0.99, ours, raw), 0.05),
  ],
  notes: [],
})

export const prefixSearch = searchMeasure({
  name: 'prefix',
  title: 'First 20 that begin with the typed text',
  question: 'beginning',
  contestants: ['ours', 'raw', 'dexie', 'sqlite'],
  reference: 'raw',
  // Four to six characters: always more than 20 hits.
  blocks: (bench) => codeBlocks(bench.frames, 40, 20, (frame) => frame.serial.slice(0, 4 + (frame.id_inventory % 3))),
  goals: (ours, raw) => [atMost('of a raw index range, p95', ratioAt(0.95, ours, raw), 0.1), atMost('p95', spreadOf(ours).p95, 2, ' ms')],
  notes: ['Ours searches serials, store tags and UPCs at once; the others look at serials alone.'],
})

export const containsSearch = searchMeasure({
  name: 'contains',
  title: 'First 20 that contain the typed text',
  question: 'containing',
  contestants: ['ours', 'sqlite'],
  reference: 'sqlite',
  // The end of a serial, which few codes contain: the search has to look everywhere.
  blocks: (bench) => codeBlocks(bench.frames, 20, 10, (frame) => frame.serial.slice(3)),
  goals: (ours, sqlite) => [
    atMost('p95', spreadOf(ours).p95, 8, ' ms'),
    atMost('of sqlite-wasm on OPFS, p50', pairedRatio(ours, sqlite).median, 0.15),
  ],
  notes: [],
})
