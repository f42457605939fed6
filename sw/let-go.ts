let hands = new AbortController()

/**
 * Cuts all work in hand. A new version starts only when the old worker is idle, and Chromium waits five minutes for
 * that. Without this, an update would seem to do nothing for as long as a request hangs. The page or the next worker
 * repeats the cut work.
 */
export function letGo(): void {
  hands.abort(new Error('A new version of the app takes over'))
  // If the new version does not take over, this worker continues.
  hands = new AbortController()
}

/** Returns the result of `work`, or rejects when `letGo` is called first. */
export function untilLetGo<T>(work: Promise<T>): Promise<T> {
  const { signal } = hands
  return Promise.race([work, new Promise<never>((_, refuse) => signal.addEventListener('abort', () => refuse(signal.reason as Error)))])
}

/** Sends a request. It is cut when its caller gives up, when `letGo` is called, and after `ms`. */
export function fetchFor(request: Request, ms: number): Promise<Response> {
  const cut = new AbortController()
  const end = () => cut.abort()
  setTimeout(end, ms)
  for (const { signal } of [request, hands]) signal.addEventListener('abort', end)
  return fetch(request, { signal: cut.signal })
}
