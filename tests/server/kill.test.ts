import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { FolderInUse, lockFolder } from '#server/platform/db/folder-lock.ts'
import { openDatabase } from '#server/platform/db/open-database.ts'
import { testEngine } from '#tests/support/test-database.ts'

const base = fs.mkdtempSync(path.join(os.tmpdir(), 'lorgnette-kill-'))
const children = new Set<ChildProcess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
  fs.rmSync(base, { recursive: true, force: true })
})

const line = v.union([
  v.object({ acknowledged: v.number() }),
  v.object({ found: v.array(v.number()), partners: v.array(v.number()), revision: v.number() }),
])

type Report = { found: number[]; partners: number[]; revision: number }

/** Starts the writer, kills it and returns its output. `acknowledged` counts from its start. */
async function writeUntilKilled(folder: string, when: { acknowledged: number } | { afterMs: number }) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'tests/support/writer-process.ts', folder], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()))
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  if ('afterMs' in when) setTimeout(() => child.kill('SIGKILL'), when.afterMs)

  const acknowledged: number[] = []
  let report: Report | null = null
  for await (const text of createInterface({ input: child.stdout })) {
    const said = v.parse(line, JSON.parse(text))
    if ('found' in said) report = said
    else acknowledged.push(said.acknowledged)
    if ('acknowledged' in when && acknowledged.length >= when.acknowledged) child.kill('SIGKILL')
  }
  const signal = await ended
  children.delete(child)
  if (signal !== 'SIGKILL') throw new Error(`the writer ended without a kill:\n${complaint}`)
  return { report, acknowledged }
}

describe.skipIf(testEngine === 'postgres')('a killed server with the embedded database', () => {
  test('keeps every acknowledged write complete, and always starts again', { timeout: 240_000 }, async () => {
    const folder = path.join(base, 'killed')
    const acknowledged: number[] = []
    const kills = [
      { acknowledged: 23 },
      { afterMs: 900 },
      { acknowledged: 61 },
      { afterMs: 1400 },
      { acknowledged: 7 },
      { acknowledged: 40 },
    ]
    for (const when of kills) {
      const said = await writeUntilKilled(folder, when)
      acknowledged.push(...said.acknowledged)
    }
    const { report } = await writeUntilKilled(folder, { acknowledged: 1 })
    if (!report) throw new Error('the last start reported nothing')
    expect(acknowledged.length).toBeGreaterThan(100)
    expect(acknowledged.filter((number) => !report.found.includes(number))).toEqual([])
    expect(report.partners.toSorted((a, b) => a - b)).toEqual(report.found.toSorted((a, b) => a - b))
    expect(new Set(report.found).size).toBe(report.found.length)
    expect(report.revision).toBe(report.found.length)
  })

  test('survives a kill while it makes its database for the first time', { timeout: 120_000 }, async () => {
    const folder = path.join(base, 'unborn')
    await writeUntilKilled(folder, { afterMs: 2500 })
    const { report, acknowledged } = await writeUntilKilled(folder, { acknowledged: 3 })
    expect(report?.found.length).toBe(report?.partners.length)
    expect(acknowledged.length).toBeGreaterThanOrEqual(3)
  })
})

describe.skipIf(testEngine === 'postgres')('the data folder', () => {
  test('rejects a second server while the first one runs', { timeout: 60_000 }, async () => {
    const folder = path.join(base, 'shared')
    const first = await openDatabase({ folder })
    await expect(openDatabase({ folder })).rejects.toThrow(FolderInUse)
    await first.pool.selectFrom('server_state').selectAll().executeTakeFirstOrThrow()
    await first.close()
    expect(fs.existsSync(`${folder}.lock`)).toBe(false)
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700)
    const second = await openDatabase({ folder })
    await second.close()
  })

  test('is taken over from a dead process, even when another process has its number', () => {
    const folder = path.join(base, 'stale')
    for (const stale of ['999999999 1', `${process.pid} 1`, '', 'nonsense']) {
      fs.writeFileSync(`${folder}.lock`, stale)
      const release = lockFolder(folder)
      expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid}`)
      release()
    }
    expect(fs.readdirSync(base).filter((name) => name.startsWith('stale'))).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')('is taken over from a dead process that is still a zombie', async () => {
    const folder = path.join(base, 'zombie')
    // The shell starts a program and then becomes `sleep`, which never reads its exit code. So the program stays a
    // zombie.
    const parent = spawn('sh', ['-c', 'sleep 0.05 & echo $!; exec sleep 30'], { stdio: ['ignore', 'pipe', 'ignore'] })
    children.add(parent)
    const pid = await new Promise<string>((resolve) => parent.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString().trim())))
    const stat = () => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    fs.writeFileSync(`${folder}.lock`, `${pid} ${stat()[19]}`)
    await expect.poll(() => stat()[0]).toBe('Z')
    lockFolder(folder)()
    parent.kill('SIGKILL')
  })
})
