import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '..')
let root: string

beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-report-')))
  fs.copyFileSync(path.join(project, 'scripts/test-report.mjs'), path.join(root, 'test-report.mjs'))
  fs.symlinkSync(path.join(project, 'node_modules'), path.join(root, 'node_modules'))
  fs.writeFileSync(path.join(root, 'package.json'), '{"type":"module"}')
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

/** Runs that text as a test file, and returns the result of the run. */
function reportOf(text: string): unknown {
  fs.writeFileSync(path.join(root, 'small.test.js'), `import { afterAll, describe, test } from 'vitest'\n${text}`)
  const file = path.join(root, 'report.json')
  const { VITEST: _, ...env } = process.env
  spawnSync(path.join(project, 'node_modules/.bin/vitest'), ['run', '--reporter=./test-report.mjs'], {
    cwd: root,
    env: { ...env, LORGNETTE_TEST_REPORT: file },
  })
  return JSON.parse(fs.readFileSync(file, 'utf8'))
}

const slowest = [{ name: expect.stringMatching(/small\.test\.js$/), seconds: expect.any(Number) }]

test('tells what failed in a test, after a group, and where nothing waited', () => {
  const report = reportOf(`
    describe('a group', () => {
      afterAll(() => { throw new Error('the folder is not empty') })
      test('holds', () => {})
      test('breaks', () => { throw new Error('two is not three') })
      test.skip('rests', () => {})
    })
    test('leaves a promise', async () => {
      void Promise.reject(new Error('the page is closed'))
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
  `)
  expect(report).toEqual({
    passed: 2,
    failed: 3,
    skipped: 1,
    failures: [
      expect.stringMatching(/^small\.test\.js: around “a group”\n.*the folder is not empty/),
      expect.stringMatching(/^small\.test\.js: a group > breaks\n.*two is not three/),
      expect.stringMatching(/^small\.test\.js: Unhandled Rejection that nothing waited for\n.*the page is closed/),
    ],
    slowest,
  })
})

test('tells of a file that could not be loaded', () => {
  expect(reportOf(`throw new Error('no such clinic')`)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [expect.stringMatching(/^small\.test\.js: outside its tests\n.*no such clinic/)],
    slowest,
  })
})
