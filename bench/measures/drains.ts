import { codeBlocks, inPage, type Bench, type Measure } from '../bench.ts'
import { atLeast, atMost, told, type Section } from '../section.ts'
import { at, pairedRatio, type Blocks } from '../statistics.ts'

const commands = 2000
/** Workbox sends one request after the other, so a few give the time of all. */
const workboxCommands = 100

export const drain: Measure = {
  name: 'drain',
  async run(bench): Promise<Section> {
    const [codes = []] = codeBlocks(bench.frames, 1, commands, (frame) => frame.serial)
    const way: Record<string, () => Promise<number>> = {
      ours: () => inOrder(bench, () => inPage(bench, 'drainOurs', codes)),
      'one bare request': () => inPage(bench, 'bareRequest', codes),
      'rxdb, batches of 500': () => inPage(bench, 'drainRxdb', codes, 500),
      'rxdb, batches of 100': () => inPage(bench, 'drainRxdb', codes, 100),
      'workbox-background-sync': async () =>
        ((await inPage(bench, 'drainWorkbox', codes.slice(0, workboxCommands))) * commands) / workboxCommands,
    }
    const names = Object.keys(way)
    const times: Record<string, Blocks> = Object.fromEntries(names.map((name) => [name, []]))
    for (let round = 0; round < Math.max(3, bench.rounds); round++) {
      for (const name of [...names.slice(round % names.length), ...names.slice(0, round % names.length)]) {
        const took = (await way[name]?.()) ?? Number.NaN
        bench.say(`drain, ${name}: ${told(took)} ms`)
        times[name]?.push([took])
      }
    }
    const of = (name: string) => times[name] ?? []
    const faster = (name: string) => pairedRatio(of(name), of('ours')).median
    return {
      name: 'drain',
      title: `Drain of ${told(commands)} commands at 80 ms round trip`,
      head: ['', 'n', 'median, ms', 'commands a second', 'times ours'],
      rows: names.map((name) => {
        const median = at(0.5, of(name).flat())
        return [name, String(of(name).length), told(median), told((commands * 1000) / median), told(faster(name))]
      }),
      goals: [
        atLeast('times faster than workbox-background-sync', faster('workbox-background-sync'), 400),
        atLeast('times faster than RxDB replication (its batches of 100)', faster('rxdb, batches of 100'), 6),
        atMost('of one bare request with the same bytes', 1 / faster('one bare request'), 2.5),
      ],
      notes: [
        `Workbox replays one request after the other: measured over ${workboxCommands}, extrapolated to ${told(commands)}. All commands arrive in the order of their lane, which the server checks.`,
      ],
    }
  },
}

async function inOrder(bench: Bench, work: () => Promise<number>): Promise<number> {
  bench.server.arrived()
  const took = await work()
  const order = bench.server.arrived()
  if (order.length !== commands || order.some((position, index) => position !== index + 1)) throw new Error('The lane arrived out of order')
  return took
}
