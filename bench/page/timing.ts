/** The time of `work`, ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Each input one after the other, each with its own time, ms. */
export async function timedEach<T>(inputs: readonly T[], work: (input: T) => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (const input of inputs) {
    const began = performance.now()
    await work(input)
    times.push(performance.now() - began)
  }
  return times
}

/** The contestants of a round, in another order each round, so that none always runs after the same one. */
export function inTurn<T>(contestants: readonly T[], round: number): T[] {
  const from = round % contestants.length
  return [...contestants.slice(from), ...contestants.slice(0, from)]
}

/** Waits for the leftover work of earlier contestants, so that it does not count for the next one. */
export function breathe(ms = 20): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
