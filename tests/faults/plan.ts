import { SeededRandom } from '#server/demo/seeded-random.ts'

/**
 * What shall happen in one round, drawn from its seed alone. The moments are real time in real processes, so the same
 * seed is the same plan and not the same run: what was under way at each moment differs.
 */
export type RoundPlan = {
  seed: string
  tablets: [TabletPlan, TabletPlan]
  server: ServerKill[]
}
export type Counter = 'ana' | 'ben' | 'maya'
export type TabletPlan = {
  /** Who is signed in when the round begins. */
  person: Counter
  /** What the two windows do, over and over until the round is over. */
  hands: [Act[], Act[]]
  kills: TabletKill[]
  weather: Weather[]
}
export type Act =
  | { kind: 'scan'; labels: number; perSecond: number }
  /** A code that no frame has. */
  | { kind: 'stray' }
  | { kind: 'undo' }
  | { kind: 'note' }
  | { kind: 'recount' }
  | { kind: 'punch'; direction: 'in' | 'out' }
  /** Closes the window without a word, and opens another. */
  | { kind: 'close-window' }
  /** Someone else takes the tablet. */
  | { kind: 'hand-over'; to: Counter }
  | { kind: 'rest'; ms: number }

/** `moment`: at once; `sending`: so long after a push of this tablet (of any, for the server) went by; `answered`: before its answer is heard. */
export type Trigger = { at: number; on: 'moment' | 'sending' | 'answered'; after: number }
export type TabletKill = Trigger
/** `whileStarting`: killed once more so long after it was started; null for not. */
export type ServerKill = Trigger & { down: number; whileStarting: number | null }

export const skies = ['clear', 'lossy', 'slow', 'down', 'portal', 'ragged'] as const
export type Weather = { sky: (typeof skies)[number]; ms: number }

export const roundMs = 20_000
const counters: readonly Counter[] = ['ana', 'ben', 'maya']

/** How often in a round each tablet and the server are killed, at least. */
export type Kills = { tablet: number; server: number }

export function planRound(seed: string, kills: Kills = { tablet: 3, server: 4 }): RoundPlan {
  const random = new SeededRandom(seed)
  const [first, second] = random.shuffled(counters)
  if (!first || !second) throw new Error('There are fewer than two people')
  return {
    seed,
    tablets: [planTablet(random, first, kills), planTablet(random, second, kills)],
    server: triggers(random, kills.server, ['moment', 'sending', 'answered']).map((trigger) => ({
      ...trigger,
      down: random.chance(0.3) ? random.int(500, 2500) : 0,
      whileStarting: random.chance(0.25) ? random.int(50, 1500) : null,
    })),
  }
}

function planTablet(random: SeededRandom, person: Counter, { tablet: kills }: Kills): TabletPlan {
  const weather: Weather[] = []
  for (let ms = 0; ms < roundMs; ms += weather.at(-1)?.ms ?? 0) {
    const sky = random.weighted({ clear: 3, lossy: 3, slow: 2, down: 2, portal: 1, ragged: 2 })
    weather.push({ sky, ms: random.int(800, 5000) })
  }
  return {
    person,
    hands: [planHand(random, person, true), planHand(random, person, false)],
    kills: triggers(random, kills, ['moment', 'sending', 'answered']),
    weather,
  }
}

/** @param hasTablet this window is the one in which the tablet changes hands; the other one is where people clock in */
function planHand(random: SeededRandom, person: Counter, hasTablet: boolean): Act[] {
  const acts: Act[] = []
  let holder = person
  let direction: 'in' | 'out' = 'in'
  while (acts.length < 24) {
    const kind = random.weighted({
      scan: 10,
      stray: 1,
      undo: 2,
      note: 1,
      recount: 0.4,
      rest: 2,
      'close-window': 0.5,
      'hand-over': hasTablet ? 0.7 : 0,
      punch: hasTablet ? 0 : 1.5,
    })
    switch (kind) {
      case 'scan':
        acts.push({ kind, labels: random.int(2, 12), perSecond: random.int(3, 9) })
        break
      case 'rest':
        acts.push({ kind, ms: random.int(100, 1200) })
        break
      case 'punch':
        acts.push({ kind, direction })
        direction = direction === 'in' ? 'out' : 'in'
        break
      case 'hand-over':
        holder = random.pick(counters.filter((one) => one !== holder))
        acts.push({ kind, to: holder })
        break
      default:
        acts.push({ kind })
    }
  }
  return acts
}

function triggers(random: SeededRandom, count: number, kinds: readonly Trigger['on'][]): Trigger[] {
  return Array.from({ length: count }, () => ({ at: random.int(500, roundMs), on: random.pick(kinds), after: random.int(0, 150) })).sort(
    (one, other) => one.at - other.at,
  )
}
