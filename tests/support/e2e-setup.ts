import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import '#tests/support/provided.ts'
import { startLorgnette } from '#tests/support/lorgnette-server.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const cache = path.join(root, 'node_modules/.cache/demo-clinic')
/** The demo clinic depends on today, so an older one is made again. */
const freshMs = 3_600_000

/** Builds stale parts and provides a demo clinic. Each test file starts its server on a copy of it. */
export default async function setup(project: TestProject) {
  execFileSync(process.execPath, ['scripts/build.mjs', '--if-stale'], { cwd: root, stdio: 'inherit' })
  project.provide('demoClinic', keptClinic() ?? (await makeClinic()))
}

/** The day in the time zone of the clinic's stores. */
const dayAt = (moment: Date) => moment.toLocaleDateString('en-CA', { timeZone: 'America/New_York' })
const clinicName = () => fs.readFileSync(path.join(root, 'build/server.fingerprint'), 'utf8').trim().slice(0, 16)

/** Returns the folder of a clinic that an earlier run made with this server on this day. */
function keptClinic(): string | undefined {
  fs.mkdirSync(cache, { recursive: true })
  const now = new Date()
  const folders = fs.readdirSync(cache).map((name) => ({ folder: path.join(cache, name), madeAt: new Date(Number(name.split('-')[1])) }))
  // An earlier run may still copy a folder for an hour or two.
  for (const { folder, madeAt } of folders) if (!(now.getTime() - madeAt.getTime() < 24 * freshMs)) removeFolder(folder)
  return folders.find(({ folder, madeAt }) => {
    const isFresh = now.getTime() - madeAt.getTime() < freshMs && dayAt(now) === dayAt(madeAt)
    return isFresh && path.basename(folder).startsWith(`${clinicName()}-`)
  })?.folder
}

async function makeClinic(): Promise<string> {
  const server = await startLorgnette()
  await server.stop()
  // The folder gets its name only when it is complete, because another run may look for it now.
  const [unfinished, folder] = [
    path.join(cache, `unfinished-${Date.now()}-${process.pid}`),
    path.join(cache, `${clinicName()}-${Date.now()}`),
  ]
  fs.cpSync(server.dataFolder, unfinished, { recursive: true, preserveTimestamps: true })
  fs.renameSync(unfinished, folder)
  await server.remove()
  return folder
}
