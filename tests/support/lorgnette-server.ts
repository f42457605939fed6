import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { freePort } from '#tests/support/free-port.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entry = path.join(root, 'build/server/main.js')

/** The built product in its own process, on its own data folder. */
export type LorgnetteServer = {
  origin: string
  port: number
  dataFolder: string
  /** The id of the running process. It changes with every start. */
  pid(): number
  /** The log since the first start, at most its last 200,000 characters. */
  log(): string
  /** Kills it, as a power cut does. */
  kill(): Promise<void>
  /** Stops it, as an operator does. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

/** A limit for hanging starts. The first start makes the demo clinic, which takes minutes on a busy machine. */
const startMs = 600_000

export type ServerOptions = {
  /** The data folder to copy and start with. */
  template?: string
  /** More environment variables, such as ACCESS_TOKEN_SECONDS. */
  env?: Record<string, string>
  port?: number
  /** The server runs for a few tests only. So V8 skips its optimizing compiler, which would cost more than it saves. */
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
        // It does not listen yet.
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
