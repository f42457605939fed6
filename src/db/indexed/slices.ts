/**
 * Lets the browser paint, take keys and finish what others wait for before the work goes on. Not by `scheduler.yield`:
 * that comes back before the database has answered anybody else, and a scan that is being saved would wait for all of it.
 * Nor by a timer, which waits 4 ms each time once nested, and a second or more in a hidden tab.
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

/** So long whoever is before the screen goes first, ms. */
const politeMs = 50

/** Goes on when the browser has nothing to do for whoever is before the screen, and soon in any case. */
export function letScreenGoFirst(): Promise<void> {
  if (typeof requestIdleCallback !== 'function') return letOthersWork()
  return new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: politeMs }))
}

/** Runs work when the browser has nothing better to do, at the latest after some seconds. */
export function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(() => work(), { timeout: 10_000 })
  else setTimeout(work, 500)
}

/** So long a piece of work may keep the page: on a phone this is a frame. */
const stepMs = 4

/** Does work that is cut into small steps, and lets others work whenever some of them have taken long enough. */
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

/** Does the same work in one go, where nobody is kept waiting by it. */
export function inOneGo<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}
