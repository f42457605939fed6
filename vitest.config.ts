import { defineConfig } from 'vitest/config'
import { patienceMs } from './tests/support/patience.ts'

// One runner for everything. `npm test` (scripts/test.mjs) runs all projects and prints one sum. The time limits are for
// what hangs: no test may fail because the machine has much else to do.
const serverTests = ['server/**/*.test.ts', 'tests/server/**/*.test.ts']
/** What can go another way on another database engine: opening and closing it, sync, locks, sorting, search. */
const engineTests = ['server/platform/db/**/*.test.ts', 'server/sync/**/*.test.ts', 'server/**/*.sql.test.ts', 'tests/server/{kill,revisions}.test.ts']
/** Set by scripts/test.mjs: the everyday run repeats on PGlite only what depends on the engine. */
const isEveryday = process.env['LORGNETTE_TEST_SCOPE'] === 'everyday'

const patience = { expect: { poll: { timeout: patienceMs } }, testTimeout: 120_000, hookTimeout: 120_000 }
const inBrowser = {
  environment: 'node',
  globalSetup: ['tests/support/e2e-setup.ts'],
  setupFiles: ['tests/support/e2e-failures.ts'],
  expect: { poll: { timeout: patienceMs } },
  hookTimeout: 240_000,
}
const onPostgres = {
  environment: 'node',
  env: { LORGNETTE_TEST_DATABASE: 'postgres' },
  globalSetup: ['tests/support/postgres-setup.ts'],
  ...patience,
}
const onPglite = {
  environment: 'node',
  env: { LORGNETTE_TEST_DATABASE: 'pglite' },
  globalSetup: ['tests/support/pglite-setup.ts'],
  // Each file opens a database of its own for seconds: V8 spends more on optimizing its code than that saves.
  execArgv: ['--liftoff-only'],
  ...patience,
}

export default defineConfig({
  test: {
    // Vitest leaves one core free, which is half of a machine with two.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'contract/**/*.test.ts',
            'src/**/*.test.{ts,tsx}',
            'sw/**/*.test.ts',
            'scripts/**/*.test.ts',
            'tests/contract/**/*.test.ts',
            'bench/**/*.test.ts',
          ],
          environment: 'node',
          setupFiles: ['tests/support/unit-setup.ts'],
          ...patience,
        },
      },
      {
        test: {
          name: 'architecture',
          include: ['tests/architecture/**/*.test.ts'],
          environment: 'node',
          testTimeout: 120_000,
        },
      },
      { test: { name: 'server-pglite', include: isEveryday ? engineTests : serverTests, ...onPglite } },
      { test: { name: 'server-postgres', include: serverTests, ...onPostgres } },
      { test: { name: 'flows', include: ['tests/flows/**/*.test.ts'], ...onPostgres } },
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          environment: 'node',
          testTimeout: 1_800_000,
        },
      },
      // Two at once, and no more: each is a browser and a server.
      { test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], ...inBrowser, testTimeout: 360_000, maxWorkers: 2 } },
      { test: { name: 'journeys', include: ['tests/e2e/journeys/**/*.test.ts'], ...inBrowser, testTimeout: 360_000, maxWorkers: 2 } },
      { test: { name: 'engines', include: ['tests/engines/**/*.test.ts'], ...inBrowser, testTimeout: 1_800_000 } },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          ...inBrowser,
          testTimeout: 900_000,
        },
      },
    ],
  },
})
