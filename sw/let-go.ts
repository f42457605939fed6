let hands = new AbortController()

/**
 * Lets go of all that is in hand. A new version begins only when the old worker does nothing any more, which Chromium waits five minutes for:
 * an update would seem to do nothing for as long as a request hangs. What is cut is done again by the page or the next worker.
 */
export function letGo(): void {
  hands.abort(new Error('A new version of the app takes over'))
  // Where it does not come to that, this worker works on.
  hands = new AbortController()
}

/** What `work` comes to, or a refusal once it is let go of. */
export function untilLetGo<T>(work: Promise<T>): Promise<T> {
  const { signal } = hands
  return Promise.race([work, new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason as Error)))])
}

/** A request that is cut when whoever made it gives up, when it is let go of, and after `ms`. */
export function fetchFor(request: Request, ms: number): Promise<Response> {
  const cut = new AbortController()
  const end = () => cut.abort()
  setTimeout(end, ms)
  for (const { signal } of [request, hands]) signal.addEventListener('abort', end)
  return fetch(request, { signal: cut.signal })
}
