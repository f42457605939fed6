import type { SeededRandom } from '#server/demo/seeded-random.ts'

/**
 * The due times of requests, ms after the beginning: a Poisson process, as of independent people. The same seed gives the
 * same times.
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
 * Begins each action at its due time, independent of the earlier ones. It passes the due time, by `performance.now()`.
 * Latency counts from there, so a server that stalls is charged for all arrivals in that time, and so is a late generator.
 */
export async function openLoop(due: readonly number[], act: (dueAt: number, place: number) => void): Promise<void> {
  const begun = performance.now()
  for (const [place, at] of due.entries()) {
    const wait = begun + at - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    act(begun + at, place)
  }
}
