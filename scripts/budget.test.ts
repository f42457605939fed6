import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { missingOffline, weigh } from './budget.mjs'

let folder: string

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-budget-'))
  fs.mkdirSync(path.join(folder, 'assets'))
  fs.writeFileSync(path.join(folder, 'index.html'), '<script type="module" src="/assets/index.js"></script>')
  chunk('index', 'import"./shared.js";const a=()=>import("./login.js"),b=()=>import("./shared~app.js"),c=()=>import(`./label.js`)', [])
  chunk('shared', 'export const shared=1', [])
  chunk('login', 'import{shared}from"./shared.js"', ['../../src/start/front-door.tsx'])
  chunk('shared~app', 'const count=()=>import("./count.js"),soon=()=>import("./soon.js")', ['../../src/start/app.tsx'])
  chunk('count', 'import{shared}from"./shared.js"', [
    '../../src/features/app/shell/shell-layout.tsx',
    '../../src/features/counts/count-sheets/count-sheet-screen.tsx',
  ])
  chunk('soon', 'export const soon=1', [
    '../../src/sync/engine/exchange.ts',
    '../../src/ui/lists/windowing.ts',
    '../../src/features/app/shell/components/navigation-icons.ts',
  ])
  chunk('label', randomText(300_000), ['../../node_modules/bwip-js/index.js'])
})
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

function chunk(name: string, code: string, sources: string[]): void {
  fs.writeFileSync(path.join(folder, 'assets', `${name}.js`), code)
  fs.writeFileSync(path.join(folder, 'assets', `${name}.js.map`), JSON.stringify({ sources }))
}

/** Random text, which does not compress. */
function randomText(bytes: number): string {
  return `/*${randomBytes(bytes).toString('base64')}*/`
}

const route = (name: string) => weigh(folder).find((weighed) => weighed.name === name)

test('a chunk that is only fetched later weighs nothing', () => {
  expect(route('login')?.bytes).toBeLessThan(1000)
  expect(route('count sheet')?.tooEarly).toEqual([])
})

test('what every page loads weighs on each route, and so does what a chunk imports', () => {
  chunk('shared', randomText(500_000), [])
  for (const name of ['login', 'count sheet']) expect(route(name)?.bytes).toBeGreaterThan(route(name)?.limit ?? Infinity)
})

test('a heavy library is found by its name wherever it is imported at once', () => {
  chunk('login', 'import{label}from"./label.js"', ['../../src/start/front-door.tsx'])
  expect(route('login')?.tooEarly).toEqual(['bwip-js'])
  expect(route('count sheet')?.tooEarly).toEqual([])
})

test('the report names the parts that load soon after a screen', () => {
  chunk('soon', randomText(40_000), [
    '../../src/sync/engine/exchange.ts',
    '../../src/ui/lists/windowing.ts',
    '../../src/features/app/shell/components/navigation-icons.ts',
  ])
  for (const name of ['login', 'count sheet']) {
    expect(route(name)?.bytes).toBeLessThan(1000)
    expect(route(name)?.bytesSoon).toBeGreaterThan(40_000)
  }
})

test('the report names a part that the worker does not keep', () => {
  const kept = ['index', 'shared', 'answer', 'login', 'shared~app', 'count', 'soon', 'label'].map((name) => `{"url":"assets/${name}.js"}`)
  fs.writeFileSync(path.join(folder, 'sw.js'), kept.join())
  expect(missingOffline(folder)).toEqual([])
  fs.writeFileSync(path.join(folder, 'sw.js'), kept.slice(0, -1).join())
  expect(missingOffline(folder)).toEqual(['assets/label.js'])
})

test('a screen that is in no chunk is an error, not a weight of zero', () => {
  chunk('login', '', [])
  expect(() => weigh(folder)).toThrow('front-door')
})
