/**
 * Runs `work` one at a time. Calls during a run share one further run. Each call resolves when a run has ended that
 * began after it.
 */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  const begin = () => {
    next = null
    last = work()
    return last
  }
  return () => (next ??= last.then(begin, begin))
}
