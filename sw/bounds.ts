/** How long the browser's own storage is waited for, ms: what takes longer hangs. */
const storagePatienceMs = 3000

/** What `work` comes to, or `otherwise` when that takes too long. The work goes on. */
export function inTime<T, O>(work: Promise<T>, otherwise: O, ms = storagePatienceMs): Promise<T | O> {
  return Promise.race([work, new Promise<O>((resolve) => setTimeout(() => resolve(otherwise), ms))])
}

/**
 * Every page of the app waits until the new worker is activated. What it tidies up then is not worth that: a browser whose
 * storage does not answer would open no page for minutes. Asked first of all that listen.
 */
export function boundActivation(event: Pick<ExtendableEvent, 'waitUntil'>): void {
  const waitUntil = event.waitUntil.bind(event)
  event.waitUntil = (work: Promise<unknown>) => waitUntil(inTime(work, undefined))
}

/**
 * A file of the app as it is kept. From the server where the storage does not give it out: the page has to open, and one
 * that waits for its files says nothing.
 */
export function keptOrFetched<T extends { request: Request }>(kept: (options: T) => Promise<Response>): (options: T) => Promise<Response> {
  let answers = true
  return async (options) => {
    // Workbox puts another into its place.
    const { request } = options
    const found = kept(options)
    void found.then(
      () => (answers = true),
      () => undefined,
    )
    // A page is a chain of files: only the first of them is waited for.
    if (answers && (await inTime(found, 'late')) !== 'late') return await found
    answers = false
    return await Promise.any([found, fetch(request)])
  }
}
