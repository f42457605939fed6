/**
 * Lets the browser paint, take keys and serve other waiting code before the work continues. `scheduler.yield` does not
 * fit: it returns before the database has answered other callers, so a scan would wait for all of the work. A timer
 * does not fit either: once nested it waits 4 ms each time, and a second or more in a hidden tab.
 */
export function letOthersWork(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** How long the user's own actions go first, ms. */
const politeMs = 50

/** Resolves when the browser is idle, and after `politeMs` in any case. */
export function letScreenGoFirst(): Promise<void> {
  if (typeof requestIdleCallback !== 'function') return letOthersWork()
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: politeMs }))
}

/** Runs work when the browser is idle, at the latest after some seconds. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => work(), { timeout: 10_000 })
  else setTimeout(work, 500)
}

/** How long a piece of work may keep the page, ms: on a phone this is a frame. */
const stepMs = 4

/** Runs work that is cut into small steps. Lets other work run whenever the steps have taken `stepMs`. */
export async function inSteps<T>(steps: Generator<undefined, T>): Promise<T> {
  let since = performance.now()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    if (performance.now() - since < stepMs) continue
    await letOthersWork()
    since = performance.now()
  }
}

/** Runs the same work at once, where nobody waits for the page. */
export function inOneGo<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
