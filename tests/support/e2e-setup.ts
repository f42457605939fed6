import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { startLorgnette } from '#tests/support/lorgnette-server.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Builds what is not built, and makes the demo clinic once: each test file starts its server on a copy of it. */
export default async function setup(project: TestProject) {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: root, stdio: 'inherit' })
  const template = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-template-'))
  const server = await startLorgnette()
  await server.stop()
  fs.cpSync(server.dataFolder, template, { recursive: true })
  await server.remove()
  project.provide('demoClinic', template)
  return () => removeFolder(template)
}
