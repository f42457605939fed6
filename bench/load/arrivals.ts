import type { SeededRandom } from '#server/demo/seeded-random.ts'

/**
 * When requests are due, ms after the beginning: a Poisson process, as of people who know nothing of each other. The same
 * seed gives the same moments.
 * @param rate how many a second on average
 */
export function poissonArrivals(random: SeededRandom, rate: number, seconds: number): number[] {
  const due: number[] = []
  for (let at = gap(random, rate); at < seconds * 1000; at += gap(random, rate)) due.push(at)
  return due
}

function gap(random: SeededRandom, rate: number): number {
  return (-Math.log(1 - random.next()) / rate) * 1000
}

/**
 * Begins each deed at its moment, whatever became of those before it. A deed is told when it was due, by `performance.now()`:
 * latency counts from there, so that a server that stalls is charged for everyone who came meanwhile, and so is a
 * generator that is late.
 */
export async function openLoop(due: readonly number[], deed: (dueAt: number, place: number) => void): Promise<void> {
  const begun = performance.now()
  for (const [place, at] of due.entries()) {
    const wait = begun + at - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    deed(begun + at, place)
  }
}
