/**
 * Replaces node:async_hooks. The server uses it only to refuse queries beside the surrounding transaction. Following
 * every promise of a simulated clinic for that would take a fifth of the time.
 */
export class AsyncLocalStorage {
  run<T>(_: unknown, work: () => T): T {
    return work()
  }
  getStore(): undefined {
    return undefined
  }
}
