/** How long a test waits, ms. It is a limit for hanging tests, so a busy machine stays below it. */
export const patienceMs = 20_000
