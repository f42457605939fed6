import { codeBlocks, filled, inPage, type Measure } from '../bench.ts'
import { atMost, ratio, spreadCells, told, type Section } from '../section.ts'
import { pairedRatio, ratioAt, spreadOf } from '../statistics.ts'

export const scanToDurable: Measure = {
  name: 'scan',
  async run(bench): Promise<Section> {
    const names = ['ours', 'raw', 'dexie']
    await filled(bench, ['ours', 'raw', 'dexie'])
    const times = await inPage(
      bench,
      'scan',
      codeBlocks(bench.frames, 40, 25, (frame) => frame.serial),
    )
    const of = (name: string) => times[name] ?? []
    return {
      name: 'scan',
      title: 'Scan to durable (strict)',
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms', 'of raw, p50', 'p99'],
      rows: names.map((name) => [
        name,
        ...spreadCells(of(name)),
        ratio(pairedRatio(of(name), of('raw'))),
        told(ratioAt(0.99, of(name), of('raw'))),
      ]),
      goals: [
        atMost('of raw read + put + put, p50', pairedRatio(of('ours'), of('raw')).median, 0.6),
        atMost('of raw read + put + put, p99', ratioAt(0.99, of('ours'), of('raw')), 0.7),
        atMost('of Dexie, p50', pairedRatio(of('ours'), of('dexie')).median, 0.4),
      ],
      notes: ['Ours: the code resolved in the mirror, then `outbox.record` of the app, until its transaction is complete.'],
    }
  },
}

const refreshed = 20_000

export const scanDuringRefresh: Measure = {
  name: 'scan-during-refresh',
  async run(bench): Promise<Section> {
    await filled(bench, ['ours', 'raw'])
    const [codes = []] = codeBlocks(bench.frames, 1, 997, (frame) => frame.serial)
    const times = await inPage(bench, 'scanDuringRefresh', Math.max(5, bench.rounds * 3), codes, refreshed)
    const of = (name: string) => times[name] ?? []
    const [quiet, refreshing] = [of('quiet'), of('refreshing')]
    return {
      name: 'scan-during-refresh',
      title: `Scan to durable while the mirror takes ${told(refreshed)} changed rows`,
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms'],
      rows: ['quiet', 'refreshing', 'raw quiet', 'raw refreshing'].map((name) => [name, ...spreadCells(of(name))]),
      goals: [
        atMost('of the quiet p50', pairedRatio(refreshing, quiet).median, 2),
        atMost('of the quiet p99', ratioAt(0.99, refreshing, quiet), 2),
        atMost('p99', spreadOf(refreshing).p99, 50, ' ms'),
      ],
      notes: ['One scan after the other during the refresh, including its folding into the pages. Raw: 500 rows a transaction.'],
    }
  },
}
