/** When what was painted stands and nobody is typing, after a second at the latest; Safari does not tell, so there it is guessed. */
export function quietMoment(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: 1000 })
    else setTimeout(resolve, 200)
  })
}
