/**
 * Stands in for node:async_hooks, of which the server uses one thing: to refuse queries beside the transaction that surrounds
 * them. Following every promise of a simulated clinic for that would take a fifth of the time.
 */
export class AsyncLocalStorage {
  run<T>(_: unknown, work: () => T): T {
    return work()
  }
  getStore(): undefined {
    return undefined
  }
}
