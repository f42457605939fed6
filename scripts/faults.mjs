// npm run faults -- --rounds N [--seed S] [--engine pglite|postgres]: the built product with real browsers, processes and databases, killed and cut
// off by a plan that is drawn from the seed. docs/reliability.md says what is looked at.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '2' }, seed: { type: 'string' }, engine: { type: 'string' } },
})
if (!/^[1-9]\d*$/.test(values.rounds)) {
  console.error('--rounds must be a whole number, at least 1')
  process.exit(1)
}
if (values.engine !== undefined && !['pglite', 'postgres'].includes(values.engine)) {
  console.error('--engine must be pglite or postgres; without it, the rounds take turns on both')
  process.exit(1)
}
const root = path.resolve(import.meta.dirname, '..')
const { status } = spawnSync(path.join(root, 'node_modules', '.bin', 'vitest'), ['run', '--project', 'faults', 'faults.test'], {
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
