import { inPage, type Measure } from '../bench.ts'
import { atMost, spreadCells, told, type Section } from '../section.ts'
import { at, pairedRatio, type Blocks } from '../statistics.ts'

const changed = 100

export const pull: Measure = {
  name: 'pull',
  async run(bench): Promise<Section> {
    const { frames, server } = bench
    const probe = frames[frames.length >> 1]?.serial ?? ''
    const all: Blocks = []
    const bare: Blocks = []
    const change: Blocks = []
    let written = { records: 0, characters: 0, pages: 0 }
    for (let round = 0; round < Math.max(3, bench.rounds); round++) {
      server.setChange(null)
      const order = [
        async () => void all.push([await inPage(bench, 'pullAll', frames.length, probe)]),
        async () => void bare.push([await inPage(bench, 'bareDownload', frames.length)]),
      ]
      for (const turn of round % 2 === 0 ? order : order.reverse()) await turn()
      const from = frames.length >> 1
      server.setChange(frames.slice(from, from + changed).map((frame) => ({ ...frame, revision: 2 + round })))
      const result = await inPage(bench, 'pullChange', 20, probe)
      change.push(result.ms)
      written = result.written
    }
    server.setChange(null)
    return {
      name: 'pull',
      title: `Pull of ${told(frames.length)} frames, and of a change of ${changed} into them`,
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms'],
      rows: [
        ['server to searchable', ...spreadCells(all)],
        ['bare download and parse', ...spreadCells(bare)],
        [`a change of ${changed}`, ...spreadCells(change)],
      ],
      goals: [
        atMost('of the bare download and parse', pairedRatio(all, bare).median, 3),
        atMost(`a change of ${changed}, p95`, at(0.95, change.flat()), 50, ' ms'),
        atMost('pages rewritten by 20 such changes', written.pages, 0),
      ],
      notes: [`20 changes of ${changed} rows wrote ${written.records} records, ${told(written.characters / 1024)} KB.`],
    }
  },
}
