import { vi } from 'vitest'
import { patienceMs } from '#tests/support/patience.ts'

/** Waits until the assertion holds. Fails with its last error. */
export async function eventually<T>(assertion: () => T | Promise<T>): Promise<T> {
  return await vi.waitFor(assertion, patienceMs)
}
