import { defineConfig } from 'vitest/config'
import { patienceMs } from './tests/support/patience.ts'

// One runner for everything. `npm test` (scripts/test.mjs) runs all projects and prints one sum. The time limits are for
// what hangs: no test may fail because the machine has much else to do.
const serverTests = ['server/**/*.test.ts', 'tests/server/**/*.test.ts']

export default defineConfig({
  test: {
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
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
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
      {
        test: {
          name: 'server-pglite',
          include: serverTests,
          environment: 'node',
          env: { LORGNETTE_TEST_DATABASE: 'pglite' },
          globalSetup: ['tests/support/pglite-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'server-postgres',
          include: serverTests,
          environment: 'node',
          env: { LORGNETTE_TEST_DATABASE: 'postgres' },
          globalSetup: ['tests/support/postgres-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'flows',
          include: ['tests/flows/**/*.test.ts'],
          environment: 'node',
          env: { LORGNETTE_TEST_DATABASE: 'pglite' },
          globalSetup: ['tests/support/pglite-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'simulation',
          include: ['tests/simulation/**/*.test.ts'],
          environment: 'node',
          testTimeout: 1_800_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/support/e2e-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 180_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['tests/engines/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/support/e2e-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 1_800_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['tests/support/e2e-setup.ts'],
          expect: { poll: { timeout: patienceMs } },
          testTimeout: 900_000,
          hookTimeout: 240_000,
          fileParallelism: false,
          maxWorkers: 1,
        },
      },
    ],
  },
})
