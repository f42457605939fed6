import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as v from 'valibot'

/** Returns the project's folder, its version, and the folder of the built app, when there is one. */
export function findProject(): { root: string; version: string; distFolder: string | null } {
  // This module is in server/ when run from source and in build/server/ when built.
  let root = import.meta.dirname
  while (!existsSync(path.join(root, 'package.json'))) {
    const parent = path.dirname(root)
    if (parent === root) throw new Error('The folder with package.json was not found')
    root = parent
  }
  const { version } = v.parse(v.object({ version: v.string() }), JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')))
  const distFolder = path.join(root, 'dist')
  return { root, version, distFolder: existsSync(path.join(distFolder, 'index.html')) ? distFolder : null }
}
