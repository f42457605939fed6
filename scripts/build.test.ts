import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '..')
const dayMs = 86_400_000
let root: string

/** A small app with a chunk of its own for each of its two pages, built by the real script. */
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-build-'))
  fs.mkdirSync(path.join(root, 'scripts'))
  fs.copyFileSync(path.join(project, 'scripts/build.mjs'), path.join(root, 'scripts/build.mjs'))
  fs.symlinkSync(path.join(project, 'node_modules'), path.join(root, 'node_modules'))
  write('package.json', '{"type":"module"}')
  write('index.html', '<!doctype html><script type="module" src="/src/main.js"></script>')
  write('src/main.js', "document.title = location.hash\nvoid import('./counting.js')\nvoid import('./clock.js')\n")
  page('counting', 'first')
  page('clock', 'first')
})
afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

function write(file: string, text: string) {
  fs.mkdirSync(path.join(root, path.dirname(file)), { recursive: true })
  fs.writeFileSync(path.join(root, file), text)
}

/** Long enough to be compressed. */
function page(name: string, content: string) {
  write(`src/${name}.js`, `document.body.append(${JSON.stringify(`${name} ${content} `.repeat(100))})\n`)
}

/** Builds, and returns the chunk that the page of that name has now. */
function build() {
  execFileSync(process.execPath, ['--input-type=module', '-e', "(await import('./scripts/build.mjs')).buildIfStale(['client'])"], {
    cwd: root,
  })
  const assets = path.join(root, 'dist/assets')
  const main = /assets\/(index-[^"]+\.js)/.exec(fs.readFileSync(path.join(root, 'dist/index.html'), 'utf8'))?.[1] ?? ''
  const text = fs.readFileSync(path.join(assets, main), 'utf8')
  return (name: string) => new RegExp(`${name}-[\\w-]+\\.js`).exec(text)?.[0] ?? `no chunk of ${name}`
}

const assets = () => fs.readdirSync(path.join(root, 'dist/assets'))

/** Makes the last build look so many days old. */
function wait(days: number) {
  const kept = path.join(root, 'build/former-assets')
  for (const name of fs.readdirSync(kept)) {
    const file = path.join(kept, name)
    const at = new Date(fs.statSync(file).mtimeMs - days * dayMs)
    fs.utimesSync(file, at, at)
  }
}

test('a chunk that a running tab may still ask for stays for 14 days after its last build, and then goes', () => {
  const first = build()('counting')
  page('counting', 'second')
  const second = build()('counting')
  expect(second).not.toBe(first)
  expect(assets()).toEqual(expect.arrayContaining([first, `${first}.gz`, `${first}.br`, second]))

  wait(13)
  page('counting', 'third')
  build()
  expect(assets()).toEqual(expect.arrayContaining([first, second]))

  wait(2)
  page('counting', 'fourth')
  build()
  expect(assets().filter((name) => name.startsWith(first))).toEqual([])
  expect(assets()).toContain(second)
}, 60_000)

test('the days of a chunk that did not change begin when a build no longer has it', () => {
  const clock = build()('clock')
  page('counting', 'second')
  expect(build()('clock')).toBe(clock)
  wait(30)
  page('clock', 'second')
  expect(build()('clock')).not.toBe(clock)
  expect(assets()).toContain(clock)
}, 60_000)

test('what was built from the very same sources is not built again', () => {
  build()
  const before = fs.statSync(path.join(root, 'dist/index.html')).mtimeMs
  build()
  expect(fs.statSync(path.join(root, 'dist/index.html')).mtimeMs).toBe(before)
}, 60_000)

test('source maps lie outside of what is served, and no script names one', () => {
  write('vite.config.js', "export default { build: { sourcemap: 'hidden' } }\n")
  build()
  const served = fs.readdirSync(path.join(root, 'dist'), { recursive: true }).map(String)
  expect(served.filter((name) => name.includes('.map'))).toEqual([])
  for (const name of served.filter((file) => file.endsWith('.js')))
    expect(fs.readFileSync(path.join(root, 'dist', name), 'utf8')).not.toContain('sourceMappingURL')
  expect(fs.readdirSync(path.join(root, 'build/maps/assets')).filter((name) => name.endsWith('.map')).length).toBeGreaterThan(2)
}, 60_000)
