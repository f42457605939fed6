import { filled, inPage, type Measure } from '../bench.ts'
import type { PatientContestant } from '../page/patients.ts'
import { atMost, ratio, spreadCells, told, type Section } from '../section.ts'
import { at, pairedRatio, spreadOf, type Blocks } from '../statistics.ts'

export const patients: Measure = {
  name: 'patients',
  async run(bench): Promise<Section> {
    await filled(bench, ['ours'])
    const contestants: PatientContestant[] = ['ours, encrypted', 'raw, in the clear']
    const fills = new Map<PatientContestant, Blocks>(contestants.map((name) => [name, []]))
    for (let round = 0; round < bench.rounds; round++) {
      for (const name of round % 2 === 0 ? contestants : contestants.toReversed()) {
        const took = await inPage(bench, 'fillPatients', name)
        bench.say(`first mirror of patients, ${name}: ${told(took)} ms`)
        fills.get(name)?.push([took])
      }
    }
    const of = (name: PatientContestant) => fills.get(name) ?? []
    const firstMirror = pairedRatio(of('ours, encrypted'), of('raw, in the clear'))
    const asked = await inPage(bench, 'askPatients', 20, 20)
    const typed = spreadOf(asked['first letters of a name']).p95
    const within = spreadOf(asked['digits within a phone number']).p95
    return {
      name: 'patients',
      title: `${told(bench.patients)} patients, encrypted, beside ${told(bench.frames.length)} frames`,
      head: ['', 'n', 'p50, ms', 'p95, ms', 'p99, ms'],
      rows: [
        ...contestants.map((name) => [`first mirror: ${name}`, String(of(name).length), told(at(0.5, of(name).flat())), '', '']),
        ...Object.entries(asked).map(([question, blocks]) => [`first 20 by ${question}`, ...spreadCells(blocks)]),
      ],
      goals: [
        atMost('first mirror, of raw rows in the clear', firstMirror.median, 0.08),
        atMost('first letters of a name, p95', typed, 2, ' ms'),
        atMost('digits within a phone number, p95', within, 8, ' ms'),
      ],
      notes: [
        `The first mirror is ${ratio(firstMirror)} of the raw one, which keeps a record a row with indexes for name, birth date, phone and store, 5,000 rows a transaction. Ours compares every name of a patient in any accents and order, and every phone number.`,
      ],
    }
  },
}
