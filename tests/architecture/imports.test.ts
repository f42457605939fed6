import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')

type Cruise = { summary: { totalCruised: number; violations: { from: string; to: string; rule: { name: string } }[] } }

/** Runs the import gate over a tree and returns its report. The test trusts its counts, not its exit code. */
function cruise(folder: string, places: string[]): Cruise {
  const command = path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const config = path.join(folder, '.dependency-cruiser.cjs')
  const present = places.filter((place) => fs.existsSync(path.join(folder, place)))
  try {
    const out = execFileSync(process.execPath, [command, ...present, '--config', config, '--output-type', 'json'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    })
    return JSON.parse(out) as Cruise
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    if (!stdout) throw error
    return JSON.parse(stdout) as Cruise
  }
}

const places = ['contract', 'src', 'sw', 'server', 'tests', 'bench', 'scripts']

function sourceFiles(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))
    .map((name) => path.join(folder, name))
}

/** One forbidden import for each row of the table: the file with the violation, and its import. */
const planted: [file: string, imports: string, ruleBegins: string][] = [
  ['contract/sin.ts', '#src/db/thing.ts', 'contract: only'],
  ['contract/outside.ts', 'dexie', 'contract and the app know no server'],
  ['src/ui/sin.ts', '#contract/thing.ts', 'src/ui: only'],
  ['src/device/sin.ts', '#src/ui/thing.ts', 'src/device: only'],
  ['src/camera/sin.ts', '#src/db/thing.ts', 'src/camera: only'],
  ['src/db/sin.ts', '#src/sync/thing.ts', 'src/db: only'],
  ['src/api/sin.ts', '#src/db/thing.ts', 'src/api: only'],
  ['src/sync/sin.ts', '#src/features/people/clock/thing.ts', 'src/sync: only'],
  ['src/db/react.ts', 'react', 'the worker, the sync, the databases and the api know nothing of React'],
  ['sw/sin.ts', '#src/features/people/clock/thing.ts', 'sw: only'],
  ['src/features/counts/count/sin.ts', '#src/features/people/clock/thing.ts', 'src/features: only'],
  ['src/features/counts/count/server.ts', '#server/platform/db/thing.ts', 'src/features: only'],
  ['src/routes/sin.ts', '#src/db/thing.ts', 'src/routes: only'],
  ['src/domain/frames/sin.ts', '#src/features/people/clock/thing.ts', 'src/domain: only'],
  ['src/start/sin.ts', '#server/platform/db/thing.ts', 'src/start: only'],
  ['server/platform/db/sin.ts', '#server/domain/people/thing.ts', 'server/platform: only'],
  ['server/domain/people/sin.ts', '#server/features/people/clock/thing.ts', 'server/domain: only'],
  ['server/features/counts/count/sin.ts', '#server/features/people/clock/thing.ts', 'server features: only'],
  ['server/sync/sin.ts', '#src/sync/thing.ts', 'server/sync: only'],
  ['server/demo/sin.ts', '#src/sync/thing.ts', 'server/demo: only'],
  ['server/main.ts', '#src/db/thing.ts', 'server root: only'],
  ['scripts/sin.ts', '#src/db/thing.ts', 'scripts: only'],
  ['sw/react.ts', '#src/sync/on-the-way.ts', 'the worker does not reach React through the sync'],
  ['src/db/late.ts', '#tests/support/thing.ts', 'the product does not import its tests'],
  ['src/db/circle-a.ts', './circle-b.ts', 'no circle'],
  ['src/db/lost.ts', './nowhere.ts', 'nothing unresolved'],
]

const innocents = [
  'contract/thing.ts',
  'src/ui/thing.ts',
  'src/db/thing.ts',
  'src/sync/thing.ts',
  'src/sync/react/device-context.tsx',
  'src/features/people/clock/thing.ts',
  'server/platform/db/thing.ts',
  'server/domain/people/thing.ts',
  'server/features/people/clock/thing.ts',
  'server/features/counts/count/thing.ts',
  'tests/support/thing.ts',
]

describe('the import rules', () => {
  let garden: string

  beforeAll(() => {
    garden = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-imports-'))
    fs.copyFileSync(path.join(root, '.dependency-cruiser.cjs'), path.join(garden, '.dependency-cruiser.cjs'))
    fs.copyFileSync(path.join(root, 'package.json'), path.join(garden, 'package.json'))
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(garden, 'node_modules'))
    const write = (file: string, text: string) => {
      fs.mkdirSync(path.join(garden, path.dirname(file)), { recursive: true })
      fs.writeFileSync(path.join(garden, file), text)
    }
    for (const file of innocents) write(file, 'export const thing = 1\n')
    for (const [file, imports] of planted) write(file, `import * as seen from '${imports}'\nexport const sin = seen\n`)
    write('src/sync/on-the-way.ts', `import * as seen from '#src/sync/react/device-context.tsx'\nexport const way = seen\n`)
    write('src/db/circle-b.ts', `import * as seen from './circle-a.ts'\nexport const sin = seen\n`)
  })

  afterAll(() => fs.rmSync(garden, { recursive: true, force: true }))

  it('hold in the whole tree, and the gate has read all of it', () => {
    const { summary } = cruise(root, places)
    const files = places.filter((place) => fs.existsSync(path.join(root, place))).flatMap((place) => sourceFiles(path.join(root, place)))
    expect(files.length).toBeGreaterThan(25)
    expect(summary.totalCruised).toBeGreaterThanOrEqual(files.length)
    expect(summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)).toEqual([])
  })

  it('find a planted violation of every row', () => {
    const { summary } = cruise(garden, places)
    for (const [file, imports, ruleBegins] of planted) {
      const found = summary.violations.filter((violation) => violation.from === file).map((violation) => violation.rule.name)
      expect(
        found.some((name) => name.startsWith(ruleBegins)),
        `${file} imports ${imports}; found: ${found.join(' | ') || 'nothing'}`,
      ).toBe(true)
    }
  })

  it('have a planted violation for every rule', () => {
    const { forbidden } = createRequire(import.meta.url)(path.join(root, '.dependency-cruiser.cjs')) as { forbidden: { name: string }[] }
    const unplanted = forbidden.filter(({ name }) => !planted.some(([, , ruleBegins]) => name.startsWith(ruleBegins)))
    expect(unplanted.map(({ name }) => name)).toEqual([])
  })

  it('notice a gate that has read nothing', () => {
    const empty = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-empty-'))
    fs.copyFileSync(path.join(root, '.dependency-cruiser.cjs'), path.join(empty, '.dependency-cruiser.cjs'))
    fs.copyFileSync(path.join(root, 'package.json'), path.join(empty, 'package.json'))
    fs.mkdirSync(path.join(empty, 'contract'))
    expect(cruise(empty, places).summary.totalCruised).toBe(0)
    fs.rmSync(empty, { recursive: true, force: true })
  })
})
