// npm run bench -- --only look-up: measures the app beside its peers in a real browser; see docs/performance.md.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { buildIfStale } from './build.mjs'

const root = path.resolve(import.meta.dirname, '..')
await buildIfStale()
const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'bench/main.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
process.exitCode = status ?? 1
