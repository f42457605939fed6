import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entry = path.join(root, 'build/server/main.js')

/** The built product in a process of its own, on a data folder of its own. */
export type LorgnetteServer = {
  origin: string
  port: number
  dataFolder: string
  /** Of the process that runs now; it changes with every start. */
  pid(): number
  /** Everything it logged since it was first started. */
  log(): string
  /** As the power cut does it. */
  kill(): Promise<void>
  /** As an operator does it. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and removes its data. */
  remove(): Promise<void>
}

/** For what hangs: where the server first makes the demo clinic, a busy machine needs minutes. */
const startMs = 600_000

export type ServerOptions = {
  /** A data folder to begin with, copied. */
  template?: string
  /** More environment, such as ACCESS_TOKEN_SECONDS. */
  env?: Record<string, string>
  port?: number
  /** For the time of a few tests: V8 optimizes nothing, which costs a short life more than it saves. */
  isShortLived?: boolean
}

export async function startLorgnette(options: ServerOptions = {}): Promise<LorgnetteServer> {
  const dataFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-data-'))
  if (options.template) fs.cpSync(options.template, dataFolder, { recursive: true, preserveTimestamps: true })
  const port = options.port ?? (await freePort())
  const origin = `http://localhost:${port}`
  let output = ''
  let child: ChildProcess | null = null

  async function start() {
    const started = spawn(process.execPath, [...(options.isShortLived ? ['--liftoff-only'] : []), entry], {
      cwd: root,
      env: { ...process.env, LORGNETTE_DATA: dataFolder, PORT: String(port), LORGNETTE_MODE: 'demo', DATABASE_URL: '', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-200_000))
    started.stdout.on('data', keep)
    started.stderr.on('data', keep)
    const deadline = Date.now() + startMs
    for (;;) {
      if (started.exitCode !== null || started.signalCode !== null)
        throw new Error(`The server ended while starting:\n${output.slice(-4000)}`)
      try {
        const answer = await fetch(`${origin}/api/health`)
        if (answer.ok) return
      } catch {
        // Not listening yet.
      }
      if (Date.now() > deadline) throw new Error(`The server did not start:\n${output.slice(-4000)}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }

  async function end(signal: NodeJS.Signals) {
    const running = child
    child = null
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }

  const endWithRun = () => child?.kill('SIGKILL')
  process.once('exit', endWithRun)
  await start()
  return {
    origin,
    port,
    dataFolder,
    pid() {
      if (child?.pid === undefined) throw new Error('The server does not run')
      return child.pid
    },
    log: () => output,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    start,
    async remove() {
      await end('SIGKILL')
      process.removeListener('exit', endWithRun)
      removeFolder(dataFolder)
    },
  }
}
