import { SeededRandom } from '#server/demo/seeded-random.ts'

/**
 * The events of one round, drawn from its seed alone. Their moments are real time in real processes. The same seed is
 * the same plan, but another run: different work is under way at each moment.
 */
export type RoundPlan = {
  seed: string
  tablets: [TabletPlan, TabletPlan]
  server: ServerKill[]
}
export type Counter = 'ana' | 'ben' | 'maya'
export type TabletPlan = {
  /** The person who is signed in when the round starts. */
  person: Counter
  /** The acts of the two windows, which repeat until the round is over. */
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
  /** Closes the window without a warning, and opens another. */
  | { kind: 'close-window' }
  /** Another person takes the tablet. */
  | { kind: 'hand-over'; to: Counter }
  | { kind: 'rest'; ms: number }

/**
 * `moment`: at once. `sending`: this long after a push of this tablet, or of any tablet for the server. `answered`:
 * before the tablet gets the answer.
 */
export type Trigger = { at: number; on: 'moment' | 'sending' | 'answered'; after: number }
export type TabletKill = Trigger
/** `whileStarting`: kills it again this long after its start; null for no second kill. */
export type ServerKill = Trigger & { down: number; whileStarting: number | null }

export const skies = ['clear', 'lossy', 'slow', 'down', 'portal', 'ragged'] as const
export type Weather = { sky: (typeof skies)[number]; ms: number }

export const roundMs = 20_000
const counters: readonly Counter[] = ['ana', 'ben', 'maya']

/** The least number of kills in a round, for each tablet and for the server. */
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

/** @param hasTablet the tablet changes hands in this window; the other window is for punches */
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
