/** Runs `work` again for whoever asks while it runs, once for all of them; each resolves when a run that began after it asked is over. */
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
