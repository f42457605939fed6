import type { SeededRandom } from '#server/demo/seeded-random.ts'
import type { Weather } from '#tests/faults/plan.ts'
import type { Fate } from '#tests/support/wire-proxy.ts'

/** A sky: the chance of each fate of a call, and its delays on the way to the server and back, ms. */
type Sky = { fates: Record<string, number> & Partial<Record<Fate, number>>; there: [number, number]; back: [number, number] }

const skies: Record<Weather['sky'], Sky> = {
  clear: { fates: { pass: 1 }, there: [0, 0], back: [0, 0] },
  lossy: { fates: { pass: 4, 'lose-request': 3, 'lose-answer': 3 }, there: [0, 50], back: [0, 50] },
  slow: { fates: { pass: 1 }, there: [50, 2500], back: [0, 1500] },
  down: { fates: { 'lose-request': 1 }, there: [0, 20], back: [0, 0] },
  portal: { fates: { 'captive-portal': 1 }, there: [0, 100], back: [0, 0] },
  ragged: { fates: { pass: 3, 'cut-request': 2, 'cut-answer': 4, 'captive-portal': 1 }, there: [0, 300], back: [0, 300] },
}

/** The faults of a tablet's line, which change with its sky. */
export class NetworkFaults {
  #sky: Sky = skies.clear
  readonly #random: SeededRandom

  constructor(random: SeededRandom) {
    this.#random = random
  }

  become(sky: Weather['sky']): void {
    this.#sky = skies[sky]
  }

  async there(): Promise<Fate> {
    const fate = this.#random.weighted(this.#sky.fates) as Fate
    await wait(this.#random.int(...this.#sky.there))
    return fate
  }

  async back(): Promise<void> {
    await wait(this.#random.int(...this.#sky.back))
  }
}

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
