/** How long the app waits for the browser's own storage, ms. Longer means that it hangs. */
const storagePatienceMs = 3000

/** Returns the result of `work`, or `otherwise` when that takes too long. The work continues. */
export function inTime<T, O>(work: Promise<T>, otherwise: O, ms = storagePatienceMs): Promise<T | O> {
  return Promise.race([work, new Promise<O>((resolve) => setTimeout(() => resolve(otherwise), ms))])
}

/**
 * Every page of the app waits until the new worker is active. Its cleanup is not worth that: a browser whose storage
 * does not answer would open no page for minutes. This listener runs before all others.
 */
export function boundActivation(event: Pick<ExtendableEvent, 'waitUntil'>): void {
  const waitUntil = event.waitUntil.bind(event)
  event.waitUntil = (work: Promise<unknown>) => waitUntil(inTime(work, undefined))
}

/**
 * Returns a stored file of the app. It comes from the server when the storage does not return it: the page has to open,
 * and a page that waits for its files shows nothing.
 */
export function keptOrFetched<T extends { request: Request }>(kept: (options: T) => Promise<Response>): (options: T) => Promise<Response> {
  let answers = true
  return async (options) => {
    // Workbox replaces the request in `options`.
    const { request } = options
    const found = kept(options)
    void found.then(
      () => (answers = true),
      () => undefined,
    )
    // A page is a chain of files: only the first of them waits for the storage.
    if (answers && (await inTime(found, 'late')) !== 'late') return await found
    answers = false
    return await Promise.any([found, fetch(request)])
  }
}
