import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { openDatabase } from '#server/platform/db/open-database.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

/** Provides one migrated, empty embedded database as a file. Each test loads its own copy, which takes a second. */
export default async function setup(project: TestProject) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-dump-'))
  const dumpFile = path.join(folder, 'empty.tar')
  const db = await openDatabase({ folder: null, dumpFile: null })
  await db.dump(dumpFile)
  await db.close()
  project.provide('pgliteDump', dumpFile)
  return () => removeFolder(folder)
}
