/** A random generator. The same seed and purpose give the same numbers. */
export type Dice = {
  /** From 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  chance(probability: number): boolean
  pick<T>(all: readonly T[]): T
  /** One of the names, as often as its weight. */
  weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T
}

export function dice(seed: number, purpose: string): Dice {
  let state = seed | 0
  for (const character of purpose) state = Math.imul(state ^ character.charCodeAt(0), 0x01000193) + 0x9e3779b9
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  next()
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    chance: (probability) => next() < probability,
    pick(all) {
      const found = all[Math.floor(next() * all.length)]
      if (found === undefined) throw new Error('There is nothing to pick from')
      return found
    },
    weighted<T extends string>(weights: Readonly<Partial<Record<T, number>>>): T {
      const entries = Object.entries(weights) as [T, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      throw new Error('There is nothing to pick from')
    },
  }
}
