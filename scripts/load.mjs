// npm run load -- --tablets 20 --seconds 5 --engine pglite: the built server under the load of many tablets; see docs/performance.md.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { buildIfStale } from './build.mjs'

const root = path.resolve(import.meta.dirname, '..')
await buildIfStale(['server'])
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/load/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
