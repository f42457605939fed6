import { spawn, type ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest'
import type { SignedIn } from '#contract/people/session.ts'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { openClinic, people, until } from '#tests/e2e/clinic.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startLorgnette } from '#tests/support/lorgnette-server.ts'
import { removeFolder } from '#tests/support/remove-folder.ts'

// The commands of the README and of docs/operations.md, as a reader would type them.
const root = path.resolve(import.meta.dirname, '../..')
const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const folders: string[] = []
const running = new Set<ChildProcess>()
afterEach(async () => {
  for (const child of running) {
    child.kill('SIGTERM')
    await endOf(child)
  }
})
afterAll(() => {
  for (const folder of folders) removeFolder(folder)
})

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-command-'))
  folders.push(folder)
  return folder
}

/** Runs the program of `npm run {name} -- {args}` without npm, which would hide the signals and the exit code. */
function run(
  name: 'start' | 'dev' | 'demo' | 'restored' | 'first-account' | 'verify-audit',
  env: Record<string, string>,
  args: string[] = [],
) {
  // The shell's `exec` leaves no shell between npm and the program. Here there is neither.
  const [program, ...rest] = scripts[name]?.replace(/^exec /, '').split(' ') ?? []
  if (program !== 'node') throw new Error(`npm run ${name} is not a program of node`)
  // These processes are short-lived, so V8 skips its optimizing compiler.
  const child = spawn(process.execPath, ['--liftoff-only', ...rest, ...args], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', LORGNETTE_MODE: '', DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

function endOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode)
  return new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

async function runToEnd(...command: Parameters<typeof run>): Promise<{ code: number | null; output: string }> {
  const { child, output } = run(...command)
  return { code: await endOf(child), output: output() }
}

type Health = { ok: boolean; demo: boolean; epoch: string }
async function healthAt(origin: string): Promise<Health | null> {
  try {
    return (await (await fetch(`${origin}/api/health`)).json()) as Health
  } catch {
    return null
  }
}
const healthy = (origin: string) =>
  until(
    () => healthAt(origin),
    (health) => health?.ok === true,
    'It never got healthy',
    300_000,
  )

/** Opens a data folder whose server is stopped. */
async function lookInto<T>(dataFolder: string, look: (db: Awaited<ReturnType<typeof openDatabase>>['pool']) => Promise<T>): Promise<T> {
  const db = await openDatabase(databaseSource({ databaseUrl: null, dataFolder }))
  try {
    return await look(db.pool)
  } finally {
    await db.close()
  }
}

/** Returns the number of frames in each store, and the number of patients. */
function sizesIn(dataFolder: string): Promise<{ frames: number[]; patients: number }> {
  return lookInto(dataFolder, async (db) => {
    const frames = await sql<{ pieces: number }>`select count(*)::int as pieces from frames group by store_id order by store_id`.execute(db)
    const patients = await sql<{ all: number }>`select count(*)::int as all from patients`.execute(db)
    return { frames: frames.rows.map(({ pieces }) => pieces), patients: patients.rows[0]?.all ?? 0 }
  })
}

/** Returns every row of every table, without the random values of a data folder: its epoch, salts and keyed PINs. */
function rowsIn(dataFolder: string): Promise<Record<string, string[]>> {
  return lookInto(dataFolder, async (db) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables
      where schemaname = current_schema() and tablename <> 'server_state' and tablename not like 'kysely%'`.execute(db)
    const all: Record<string, string[]> = {}
    for (const { name } of rows) {
      const found = await sql<{
        row: string
      }>`select (to_jsonb(t) - '{password_hash,pin_lookup}'::text[])::text as row from ${sql.table(name)} t`.execute(db)
      all[name] = found.rows.map(({ row }) => row).sort()
    }
    return all
  })
}

describe('npm start', () => {
  test('makes the demo clinic in an empty folder, serves it, prints address and accounts, and ends on a signal', async () => {
    const data = newFolder()
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const { child, output } = run('start', { PORT: String(port), LORGNETTE_DATA: data })
    expect(await healthy(origin)).toMatchObject({ ok: true, demo: true })
    await until(
      async () => output(),
      (text) => text.includes('ana'),
      'It never named the accounts',
    )
    expect(output()).toContain(`Lorgnette is at ${origin}`)
    expect(output()).toContain('all with the password lorgnette-demo')
    for (const { username, pin } of Object.values(people)) expect(output()).toMatch(new RegExp(`${username}\\s.*PIN ${pin}`))
    expect(await (await fetch(origin)).text()).toContain('<div id="app">')

    child.kill('SIGTERM')
    expect(await endOf(child)).toBe(0)
    expect(await healthAt(origin)).toBeNull()
    expect(await sizesIn(data)).toEqual({ frames: [1000, 1000, 200], patients: 2000 })
    expect(fs.readFileSync(path.join(root, 'README.md'), 'utf8')).toContain('two stores, a warehouse, 2,200 frames, 2,000 patients')
  })
})

describe('npm run dev', () => {
  test('serves the app from its sources and the server over one port, and ends both', async () => {
    const port = await freePort()
    const origin = `http://localhost:${port}`
    const data = newFolder()
    fs.cpSync(inject('demoClinic'), data, { recursive: true, preserveTimestamps: true })
    const { child, output } = run('dev', { PORT: String(port), LORGNETTE_DATA: data })
    expect(await healthy(origin)).toMatchObject({ ok: true, demo: true })
    const page = await (await fetch(`${origin}/inventory/count-sheets`, { headers: { accept: 'text/html' } })).text()
    expect(page).toContain('/@vite/client')
    const source = /src="(\/src\/[^"]+)"/.exec(page)?.[1]
    const script = await fetch(origin + source)
    expect([script.status, script.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    expect(await script.text()).toContain('import')
    await until(
      async () => output(),
      (text) => text.includes(`Lorgnette is at ${origin}`),
      'It never said where it is',
    )

    child.kill('SIGTERM')
    await endOf(child)
    await until(
      () => healthAt(origin),
      (health) => health === null,
      'The server outlived the command',
    )
  })
})

describe('npm run demo', () => {
  /** The demo depends on the date, so both must be made on the same day. */
  async function makeTwice(args: string[]): Promise<string[]> {
    const made = [newFolder(), newFolder()]
    const today = () => new Date().toISOString().slice(0, 10)
    const began = today()
    for (const data of made) expect(await runToEnd('demo', { LORGNETTE_DATA: data }, args)).toMatchObject({ code: 0 })
    return today() === began ? made : await makeTwice(args)
  }

  test('makes a chain of the requested size, the same every time, and never over an existing one', async () => {
    const size = ['--frames', '330', '--patients', '50']
    const [one = '', other = ''] = await makeTwice(size)
    expect(await sizesIn(one)).toEqual({ frames: [150, 150, 30], patients: 50 })
    const rows = await rowsIn(one)
    expect(await rowsIn(other)).toEqual(rows)
    expect(rows['frames']).toHaveLength(330)

    const again = await runToEnd('demo', { LORGNETTE_DATA: one }, size)
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('Say --fresh') })
    expect(await rowsIn(one)).toEqual(rows)

    const fresh = await runToEnd('demo', { LORGNETTE_DATA: one }, ['--frames', '110', '--patients', '7', '--fresh'])
    expect(fresh).toMatchObject({ code: 0 })
    expect(await sizesIn(one)).toEqual({ frames: [50, 50, 10], patients: 7 })
  })

  test('refuses a number that it cannot read, and changes nothing', async () => {
    const data = newFolder()
    const answer = await runToEnd('demo', { LORGNETTE_DATA: data }, ['--frames', '10k', '--fresh'])
    expect(answer).toMatchObject({ code: 1, output: expect.stringContaining('--frames must be a whole number') })
    expect(fs.readdirSync(data)).toEqual([])
  })
})

describe('npm run first-account', () => {
  const account = ['--store', 'High Street', '--time-zone', 'Europe/London', '--username', 'Olga', '--email', 'olga@clinic.example']
  const named = [...account, '--first-name', 'Olga', '--last-name', 'Brandt']
  const secret = 'a-long-first-password'

  test('makes the one person who can sign in to a new production, once, and no demo over that production', async () => {
    const data = newFolder()
    const env = { LORGNETTE_DATA: data, FIRST_PASSWORD: secret }
    expect(await runToEnd('first-account', env, named)).toMatchObject({
      code: 0,
      output: expect.stringContaining('olga can sign in at High Street'),
    })
    expect(await runToEnd('first-account', env, named)).toMatchObject({
      code: 1,
      output: expect.stringContaining('There are accounts already'),
    })
    for (const fresh of [[], ['--fresh']]) {
      const demo = await runToEnd('demo', { LORGNETTE_DATA: data }, fresh)
      expect(demo).toMatchObject({ code: 1, output: expect.stringContaining('There is real data here') })
    }

    const server = await startLorgnette({ template: data, env: { LORGNETTE_MODE: 'production', RISK_PROVIDER: 'development' } })
    try {
      const answer = await fetch(`${server.origin}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'olga', password: secret, recaptcha_token: 'development:login:first' }),
      })
      expect(answer.status).toBe(200)
      expect((await answer.json()) as SignedIn).toMatchObject({ first_name: 'Olga', store_name: 'High Street', role_ids: ['admin'] })
    } finally {
      await server.remove()
    }
  })

  test('reports all problems at once, and never prints the password', async () => {
    const answer = await runToEnd('first-account', { LORGNETTE_DATA: newFolder(), FIRST_PASSWORD: 'too short' }, [
      '--store',
      'High Street',
      '--time-zone',
      'Mars/Olympus',
    ])
    expect(answer.code).toBe(1)
    for (const name of ['--time-zone', '--username', '--email', 'FIRST_PASSWORD: must have 12 characters'])
      expect(answer.output).toContain(name)
    expect(answer.output).not.toContain('too short')
  })
})

describe('npm run restored', () => {
  test('gives the data a new epoch, and refuses while a server has them open', async () => {
    const server = await openClinic()
    try {
      const before = (await healthy(server.origin))?.epoch
      const early = await runToEnd('restored', { LORGNETTE_DATA: server.dataFolder })
      expect(early.code).not.toBe(0)
      expect((await healthy(server.origin))?.epoch).toBe(before)

      await server.stop()
      const { code, output } = await runToEnd('restored', { LORGNETTE_DATA: server.dataFolder })
      expect(code).toBe(0)
      await server.start()
      const after = (await healthy(server.origin))?.epoch
      expect(after).not.toBe(before)
      expect(output).toContain(`The data has the new epoch ${after}`)
    } finally {
      await server.remove()
    }
  })
})

describe('npm run verify-audit', () => {
  test('prints the length of each log, and ends with 1 when a kept seal does not match', async () => {
    const server = await openClinic()
    try {
      await server.stop()
      const env = { LORGNETTE_DATA: server.dataFolder }
      const whole = await runToEnd('verify-audit', env)
      expect(whole).toMatchObject({ code: 0, output: expect.stringContaining('The audit logs are whole.') })

      const kept = path.join(newFolder(), 'seals')
      fs.writeFileSync(kept, `security_log 1000000 ${'0'.repeat(64)}\n`)
      const cut = await runToEnd('verify-audit', env, ['--kept', kept])
      expect(cut).toMatchObject({ code: 1, output: expect.stringContaining('entries up to 1000000 of the kept seal are gone') })
    } finally {
      await server.remove()
    }
  })
})
