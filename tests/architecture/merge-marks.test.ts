import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const mark = /^(?:<{7}|>{7}) /m

it('no file has the marks of an unfinished merge, docs included', () => {
  const files = execFileSync('git', ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.json', '*.css', '*.html'], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '' && fs.existsSync(path.join(root, file)))
  expect(files.length).toBeGreaterThan(1000)
  expect(files.filter((file) => mark.test(fs.readFileSync(path.join(root, file), 'utf8')))).toEqual([])
  expect(mark.test(`${'<'.repeat(7)} HEAD\nours\n`)).toBe(true)
})
