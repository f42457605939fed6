import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const project = path.resolve(import.meta.dirname, '..')
let folder: string
beforeEach(() => void (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-start-'))))
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }))

test('npm start passes the signal on to the server and waits until the server has ended', async () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(project, 'package.json'), 'utf8')) as { scripts: { start: string } }
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: scripts.start } }))
  fs.mkdirSync(path.join(folder, 'scripts'))
  // A server that takes its time to end.
  fs.writeFileSync(
    path.join(folder, 'scripts/start.mjs'),
    `import fs from 'node:fs'
    process.on('SIGTERM', () => setTimeout(() => { fs.writeFileSync('ended', ''); process.exit(0) }, 500))
    setInterval(() => {}, 1000)
    // Ends this process even when the test fails.
    setTimeout(() => process.exit(1), 60_000).unref()
    console.log('listening')`,
  )
  const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => npm.once('exit', resolve))
  await new Promise<void>((resolve) => {
    npm.stdout.on('data', (part: Buffer) => String(part).includes('listening') && resolve())
  })
  npm.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(fs.existsSync(path.join(folder, 'ended'))).toBe(true)
})
