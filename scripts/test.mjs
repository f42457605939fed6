// npm test: every gate and every suite, and as the last line their sum.
//   npm run test:quick      the gates, the suites without a browser, a hundred histories and six browser journeys
//   npm run test:all        also the parts that the everyday run leaves out: the whole server on PGlite, and 2,000 histories
//   npm test -- unit flows  only these suites, whole, without the gates
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

const gates = [
  ['format', 'oxfmt', ['--check', '.']],
  ['lint', 'oxlint', ['--type-aware', '--deny-warnings']],
  ['types', 'tsc', ['--noEmit']],
  ['unused code', 'knip', ['--no-progress']],
]
const withoutBrowser = ['unit', 'architecture', 'server-postgres', 'server-pglite', 'flows']
// The browser's tests run alone: beside the others, a small machine would starve them. The fault lab is one file and
// the simulation is another, so they share the machine.
const everyday = { suites: [withoutBrowser, ['e2e'], ['simulation', 'faults']], histories: '200', scope: 'everyday' }
const quick = {
  suites: [withoutBrowser.filter((suite) => suite !== 'server-pglite'), ['simulation'], ['journeys']],
  histories: '100',
  scope: 'everyday',
}
const all = { ...everyday, histories: '2000', scope: 'all' }

const { values: asked, positionals: chosen } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, all: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const plan = chosen.length > 0 ? { suites: [chosen], scope: 'all' } : asked.all ? all : asked.quick ? quick : everyday
// vitest.config.ts reads it: suites that are chosen by name run whole.
process.env.LORGNETTE_TEST_SCOPE ??= plan.scope
if (plan.histories) process.env.LORGNETTE_SIMULATION_HISTORIES ??= plan.histories

const began = Date.now()
const root = path.resolve(import.meta.dirname, '..')
const bin = (name) => path.join(root, 'node_modules', '.bin', name)
const sum = { passed: 0, failed: 0, skipped: 0 }
/** The failures, printed again at the end for a reader of the last page. */
const failures = []
const slowest = []

function secondsSince(moment) {
  return `${((Date.now() - moment) / 1000).toFixed(1)} s`
}

function fail(what) {
  failures.push(what.slice(0, 4000))
}

/** Runs beside others; its output is printed when it ends. */
function gate(name, command, args) {
  const started = Date.now()
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part))
    child.on('error', (error) => (output += String(error)))
    child.on('close', (code) => {
      const passed = code === 0
      console.log(`\n── ${name}\n${output}── ${name}: ${passed ? 'passed' : 'FAILED'} in ${secondsSince(started)}`)
      if (passed) sum.passed += 1
      else {
        sum.failed += 1
        fail(name)
      }
      resolve(passed)
    })
  })
}

function run(name, command, args) {
  const started = Date.now()
  console.log(`\n── ${name}`)
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  console.log(`── ${name}: ${status === 0 ? 'passed' : 'FAILED'} in ${secondsSince(started)}`)
  return status === 0
}

async function buildAndWeigh() {
  await gate('build', process.execPath, ['scripts/build.mjs'])
  await gate('weight', process.execPath, ['scripts/budget.mjs'])
}

if (chosen.length === 0) await Promise.all([...gates.map(([name, command, args]) => gate(name, bin(command), args)), buildAndWeigh()])

const report = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-report-')), 'report.json')
process.env.LORGNETTE_TEST_REPORT = report
for (const suites of plan.suites) {
  fs.rmSync(report, { force: true })
  const name = suites.join(' and ')
  const projects = suites.flatMap((suite) => ['--project', suite])
  const passed = run(name, bin('vitest'), ['run', ...projects, '--reporter=default', '--reporter=./scripts/test-report.mjs'])
  const result = fs.existsSync(report) ? JSON.parse(fs.readFileSync(report, 'utf8')) : null
  sum.passed += result?.passed ?? 0
  sum.skipped += result?.skipped ?? 0
  sum.failed += result?.failed ?? 0
  slowest.push(...(result?.slowest ?? []))
  for (const failure of result?.failures ?? []) fail(failure)
  // A run that broke off or had no test in it fails like a test.
  if (passed ? !(result?.passed > 0) : !(result?.failed > 0)) {
    sum.failed += 1
    fail(passed ? `${name}: no test ran` : `${name}: broke off`)
  }
}
fs.rmSync(path.dirname(report), { recursive: true, force: true })

console.log('\nThe ten slowest files:')
for (const { name, seconds } of slowest.toSorted((a, b) => b.seconds - a.seconds).slice(0, 10))
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
for (const failure of failures) console.log(`\nFAILED ${failure}`)
if (failures.length > 0) {
  console.log('\nFailed, one line each:')
  for (const failure of failures) console.log(failure.split('\n', 2).join(' · ').slice(0, 300))
}
console.log(`\nThe whole run took ${secondsSince(began)}`)
console.log(`\n${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = sum.failed > 0 ? 1 : 0
