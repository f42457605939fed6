import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

type PlantedBug = { name: string; changes: { file: string; find: string }[] }

const root = path.resolve(import.meta.dirname, '../..')

test('every planted bug still has its place in the code', async () => {
  const { plantedBugs } = (await import(new URL('planted-bugs.mjs', import.meta.url).href)) as { plantedBugs: PlantedBug[] }
  expect(plantedBugs.length).toBeGreaterThan(50)
  const homeless = plantedBugs.flatMap(({ name, changes }) =>
    changes
      .filter(({ file, find }) => {
        const code = path.join(root, file)
        return !fs.existsSync(code) || fs.readFileSync(code, 'utf8').split(find).length !== 2
      })
      .map(({ file }) => `${name}: ${file}`),
  )
  expect(homeless).toEqual([])
})
