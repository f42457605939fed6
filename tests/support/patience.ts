/** How long a test waits for what will come, ms: for what hangs, not for what is slow on a busy machine. */
export const patienceMs = 20_000
