/**
 * Resolves when the page is painted and nobody is typing, after a second at most. Safari does not report idle time, so
 * there it is a guess.
 */
export function quietMoment(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 200)
  })
}
