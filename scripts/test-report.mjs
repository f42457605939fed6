// The whole result of one test run. Vitest's own reports leave out failures outside a test, such as in a hook of a group or
// in a promise that nobody awaited. A reader of the last page alone would miss them.
import fs from 'node:fs'
import path from 'node:path'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], slowest: { name: string, seconds: number }[] }} Report
 *   `failed` counts tests, hooks, files that could not be loaded and errors outside all of them: one entry of `failures` each.
 */

const textOf = (errors) => errors.map((error) => error.stack || error.message || String(error)).join('\n')

/** Returns the time of a file with its set-up and its imports. */
const secondsOf = ({ environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration }) =>
  (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000

/** A reporter of Vitest: writes a {@link Report} as JSON to the file named by `LORGNETTE_TEST_REPORT`. */
export default class TestReport {
  /** @param {readonly import('vitest/node').TestModule[]} modules */
  onTestRunEnd(modules, unhandledErrors) {
    /** @type {Report} */
    const report = { passed: 0, failed: 0, skipped: 0, failures: [], slowest: [] }
    const fail = (name, errors) => {
      report.failed += 1
      report.failures.push(`${name}\n${textOf(errors)}`)
    }
    for (const module of modules) {
      const where = path.relative(process.cwd(), module.moduleId)
      if (module.errors().length > 0) fail(`${where}: outside its tests`, module.errors())
      report.slowest.push({ name: `${module.project.name}: ${where}`, seconds: secondsOf(module.diagnostic()) })
      for (const suite of module.children.allSuites()) {
        if (suite.errors().length > 0) fail(`${where}: around “${suite.fullName}”`, suite.errors())
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'passed') report.passed += 1
        else if (state === 'failed') fail(`${where}: ${test.fullName}`, errors ?? [])
        else report.skipped += 1
      }
    }
    for (const error of unhandledErrors) {
      const beside = error.VITEST_TEST_PATH ? `${path.relative(process.cwd(), String(error.VITEST_TEST_PATH))}: ` : ''
      fail(`${beside}${error.type ?? 'an error'} that nothing waited for`, [error])
    }
    const file = process.env.LORGNETTE_TEST_REPORT
    if (!file) throw new Error('LORGNETTE_TEST_REPORT names no file')
    fs.writeFileSync(file, JSON.stringify(report))
  }
}
