// npm test: every gate and every suite, and as the last line their sum.
// `npm test -- unit flows` runs only those suites, without the gates.
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const gates = [
  ['format', 'oxfmt', ['--check', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['types', 'tsc', ['--noEmit']],
  ['unused code', 'knip', ['--no-progress']],
]
// The browser's tests come last and alone: on a small machine they would starve beside the others.
const suiteRuns = [['unit', 'architecture'], ['server-pglite', 'server-postgres'], ['flows'], ['simulation'], ['e2e'], ['faults']]

const chosen = process.argv.slice(2)
const root = path.resolve(import.meta.dirname, '..')
const bin = (name) => path.join(root, 'node_modules', '.bin', name)
const sum = { passed: 0, failed: 0, skipped: 0 }
/** What failed, told once more at the end: whoever reads only the last page must find it there. */
const failures = []

function run(name, command, args) {
  const began = Date.now()
  console.log(`\n── ${name}`)
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${((Date.now() - began) / 1000).toFixed(1)} s`)
  return status === 0
}

function fail(what) {
  failures.push(what.slice(0, 4000))
}

function gate(name, command, args) {
  if (run(name, command, args)) sum.passed += 1
  else {
    sum.failed += 1
    fail(name)
  }
}

if (chosen.length === 0) {
  for (const [name, command, args] of gates) gate(name, bin(command), args)
  gate('build', process.execPath, ['scripts/build.mjs'])
  gate('weight', process.execPath, ['scripts/budget.mjs'])
}

const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-report-')), 'report.json')
process.env.LORGNETTE_TEST_REPORT = report
const runs = chosen.length > 0 ? [chosen] : suiteRuns
for (const suites of runs) {
  fs.rmSync(report, { force: true })
  const name = suites.join(' and ')
  const projects = suites.flatMap((suite) => ['--project', suite])
  const passed = run(name, bin('vitest'), ['run', ...projects, '--reporter=default', '--reporter=./scripts/test-report.mjs'])
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : null
  sum.passed += result?.passed ?? 0
  sum.skipped += result?.skipped ?? 0
  sum.failed += result?.failed ?? 0
  for (const failure of result?.failures ?? []) fail(failure)
  // A run that broke off or had no test in it fails like a test.
  if (passed ? !(result?.passed > 0) : !(result?.failed > 0)) {
    sum.failed += 1
    fail(passed ? `${name}: no test ran` : `${name}: broke off`)
  }
}
fs.rmSync(path.dirname(report), { recursive: true, force: true })

for (const failure of failures) console.log(`\nFAILED ${failure}`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed > 0 ? 1 : 0
