// npm run faults -- --rounds N [--seed S] [--engine pglite|postgres]: the built product with real browsers, processes and databases, killed and cut
// off by a plan drawn from the seed. docs/reliability.md lists the checks.
// npm run faults -- --torn-logs N: what Chromium alone does with its disk when it is killed N times.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '2' },
    seed: { type: 'string' },
    engine: { type: 'string' },
    'torn-logs': { type: 'string' },
  },
})
for (const [name, value] of [
  ['rounds', values.rounds],
  ['torn-logs', values['torn-logs'] ?? '1'],
]) {
  if (/^[1-9]\d*$/.test(value)) continue
  console.error(`--${name} must be a whole number, at least 1`)
  process.exit(1)
}
if (values.engine !== undefined && !['pglite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be pglite or postgres; without it, the rounds take turns on both')
  process.exit(1)
}
const root = path.resolve(import.meta.dirname, '..')
const vitest = [path.join(root, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'faults', 'faults.test']]
const tornLogs = [process.execPath, ['--import', 'tsx', 'tests/faults/torn-logs.ts', values['torn-logs']]]
const [command, args] = values['torn-logs'] === undefined ? vitest : tornLogs
const { status } = spawnSync(command, args, {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    LORGNETTE_FAULT_ROUNDS: values.rounds,
    ...(values.seed !== undefined && { LORGNETTE_TEST_SEED: values.seed }),
    ...(values.engine !== undefined && { LORGNETTE_FAULT_ENGINE: values.engine }),
  },
})
process.exitCode = status ?? 1
