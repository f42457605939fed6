import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const features = path.join(root, 'src/features')

/** Files that a feature may have at its root although no route imports them. */
const closedList = new Set(['actions.ts', 'queries.ts', 'form.ts', 'words.ts', 'store.ts'])
/** The folders of a feature: parts of screens, hooks, and code without React. */
const closedFolders = new Set(['components', 'hooks', 'model'])
const longestFile = 500

function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => /\.tsx?$/.test(file) && fs.statSync(file).isFile())
}

/** Returns the files that routes and the start of the app import: the public files of features. */
function faces(): Set<string> {
  const imported = new Set<string>()
  for (const file of [...filesBelow(path.join(root, 'src/routes')), ...filesBelow(path.join(root, 'src/start'))]) {
    for (const [, target] of fs.readFileSync(file, 'utf8').matchAll(/'#(src\/features\/[^']+)'/g)) imported.add(target!)
  }
  return imported
}

/** Returns each violation of the closed list as a sentence. */
function misplaced(files: string[], face: ReadonlySet<string>): string[] {
  return files.flatMap((file) => {
    const [, , , , ...inside] = file.split('/')
    const name = inside.at(-1)!
    if (/\.test\.tsx?$/.test(name)) return []
    if (inside.length === 0) return [`${file}: a file between areas; it belongs to a feature`]
    if (inside.length > 1) return closedFolders.has(inside[0]!) ? [] : [`${file}: ${inside[0]} is not a folder of a feature`]
    if (closedList.has(name) || name.endsWith('-screen.tsx') || face.has(file)) return []
    return [`${file}: no route imports it, so it belongs in components/, hooks/ or model/`]
  })
}

describe('the files of a feature', () => {
  it('are on the closed list, so that a reader of one feature knows them all', () => {
    const files = filesBelow(features).map((file) => path.relative(root, file))
    expect(files.length).toBeGreaterThan(100)
    expect(misplaced(files, faces())).toEqual([])
  })

  it('a stray file, a stray folder and a file between areas are found', () => {
    const strays = ['src/features/a/b/odd.ts', 'src/features/a/b/stuff/odd.ts', 'src/features/a/odd.ts']
    expect(misplaced(strays, new Set())).toHaveLength(3)
    expect(misplaced(['src/features/a/b/odd.ts'], new Set(['src/features/a/b/odd.ts']))).toEqual([])
  })
})

it('no source file is longer than 500 lines, tests included', () => {
  const long = ['contract', 'src', 'sw', 'server', 'tests', 'scripts', 'bench']
    .flatMap((folder) => filesBelow(path.join(root, folder)))
    .filter((file) => !file.endsWith('.gen.ts') && fs.readFileSync(file, 'utf8').split('\n').length > longestFile)
    .map((file) => path.relative(root, file))
  expect(long).toEqual([])
})
