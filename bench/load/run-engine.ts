import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { databaseSource, openDatabase } from '#server/platform/db/open-database.ts'
import { type LorgnetteServer, startLorgnette } from '#tests/support/lorgnette-server.ts'
import type { PostgresServer } from '#tests/support/postgres-server.ts'
import { type Chain, makeChain } from './chain.ts'
import { GeneratorProcess } from './generator-process.ts'
import type { HerdFound, MixFound } from './generator-jobs.ts'
import { cpuOfFamily, MemoryWatch, usageOf } from './process-watch.ts'
import { findReceiptFaults } from './receipts.ts'

export type LoadPlan = {
  clinics: number
  frames: number
  seed: string
  mix: { tablets: number; rates: readonly number[]; seconds: number } | null
  herd: { tablets: number; scansEach: number; outageSeconds: number; patienceSeconds: number; restSeconds: number } | null
}
/** CPU shares are of one core: two cores that are busy are 2. */
export type CpuShares = { server: number | null; database: number | null; generator: number }
export type MixRun = MixFound & { rate: number; cpu: CpuShares; memoryMB: { start: number; peak: number; end: number } }
export type HerdRun = HerdFound & { made: number; faults: string[]; cpu: CpuShares; memoryMB: { second: number; residentMB: number }[] }
export type EngineRun = { engine: string; mixes: MixRun[]; herd: HerdRun | null }

type Say = (text: string) => void

/** Plays the plan on one engine. @param postgres null for the embedded database */
export async function runEngine(plan: LoadPlan, postgres: PostgresServer | null, say: Say): Promise<EngineRun> {
  const engine = postgres ? `PostgreSQL ${postgres.version.split(' ')[0]}` : 'PGlite'
  say(`── ${engine}: making a chain of ${plan.clinics} clinics with ${plan.frames} frames`)
  const chain = await makeChain(plan, postgres?.url ?? null)
  const server = await startLorgnette({
    template: chain.dataFolder,
    // The generator is the proxy in front of every clinic's line, so each has its own address and rate limit.
    env: { DATABASE_URL: chain.databaseUrl, TRUSTED_PROXIES: '127.0.0.1,::1', LOG_LEVEL: 'warn' },
  })
  const place = { plan, chain, server, postgres, say }
  try {
    const mixes = plan.mix ? await runMixes(place, plan.mix) : []
    const herd = plan.herd ? await runHerd(place, plan.herd) : null
    const log = server.log().trim()
    const lines = log.split('\n').filter((line) => line.startsWith('{'))
    if (lines.length > 0) say(`the server logged ${lines.length} warnings, the last: ${lines.at(-1)?.slice(0, 2000)}`)
    return { engine, mixes, herd }
  } finally {
    await server.remove()
    chain.remove()
  }
}

type Place = { plan: LoadPlan; chain: Chain; server: LorgnetteServer; postgres: PostgresServer | null; say: Say }

async function openTablets({ plan, chain, server }: Place, tablets: number, part: string): Promise<GeneratorProcess> {
  const generator = new GeneratorProcess()
  const { password, clinics } = chain
  const seed = `${plan.seed} ${part}`
  try {
    await generator.ask('open', { origin: server.origin, password, clinics, tablets, seed })
    return generator
  } catch (error) {
    await generator.end()
    throw error
  }
}

async function runMixes(place: Place, mix: NonNullable<LoadPlan['mix']>): Promise<MixRun[]> {
  const { server, say } = place
  say(`${mix.tablets} tablets sign in`)
  const generator = await openTablets(place, mix.tablets, 'mix')
  const runs: MixRun[] = []
  try {
    for (const rate of mix.rates) {
      const memory = new MemoryWatch(server.pid())
      const cpu = watchCpu(place)
      const found = await generator.ask('mix', { rate, seconds: mix.seconds })
      memory.stop()
      const start = memory.at(1)
      const run = { ...found, rate, cpu: cpu(found.cpuSeconds), memoryMB: { start, peak: memory.peak(), end: memory.at(Infinity) } }
      runs.push(run)
      say(`${rate} a second: ${found.arrived} arrived, ${found.unfinished} unfinished; ${told(found)}`)
      // A server that is behind already would only fall further behind.
      if (found.unfinished > 0) break
    }
    await generator.ask('close', {})
    return runs
  } finally {
    await generator.end()
  }
}

async function runHerd(place: Place, herd: NonNullable<LoadPlan['herd']>): Promise<HerdRun> {
  const { server, say } = place
  say(`${herd.tablets} tablets sign in`)
  const generator = await openTablets(place, herd.tablets, 'herd')
  try {
    await server.kill()
    const { ids } = await generator.ask('scan', { each: herd.scansEach })
    say(`${ids.length} scans were made while the server was away`)
    await wait(herd.outageSeconds * 1000)
    await server.start()
    const memory = new MemoryWatch(server.pid())
    const cpu = watchCpu(place)
    const found = await generator.ask('herd', { patienceSeconds: herd.patienceSeconds })
    const shares = cpu(found.cpuSeconds)
    say(`drained after ${found.drainedSeconds} s, mirrors whole after ${found.mirroredSeconds} s; ${told(found)}`)
    await wait(herd.restSeconds * 1000)
    memory.stop()
    await generator.ask('close', {})
    await server.stop()
    const faults = await readFaults(place, ids)
    return { ...found, made: ids.length, faults, cpu: shares, memoryMB: memory.samples }
  } finally {
    await generator.end()
  }
}

/** The figures that a waiting user wants to see at once. */
function told({ answers, complaints }: MixFound | HerdFound): string {
  return [JSON.stringify(answers), ...complaints].join('\n')
}

/** Asks the tables directly, past the server. */
async function readFaults({ server, chain }: Place, made: readonly string[]): Promise<string[]> {
  const databaseUrl = chain.databaseUrl === '' ? null : chain.databaseUrl
  const db = await openDatabase(databaseSource({ databaseUrl, dataFolder: server.dataFolder }))
  try {
    // Only of the sheets that these commands name; others belong to an earlier part.
    const sheets = sql<string>`(select distinct id_count_sheet from count_scans where id = any(${[...made]}::uuid[]))`
    const scans = await sql<{ id: string }>`select id from count_scans where id_count_sheet in ${sheets}`.execute(db.pool)
    const receipts = await sql<{ command_id: string }>`
      select command_id from receipts where kind = 'count.scan' and device_id in (select distinct device_id from count_scans where id_count_sheet in ${sheets})
    `.execute(db.pool)
    return findReceiptFaults(made, { receipts: receipts.rows.map((row) => row.command_id), scans: scans.rows.map((row) => row.id) })
  } finally {
    await db.close()
  }
}

/** Begins to count CPU. The returned function takes the generator's use and returns shares of one core. */
function watchCpu({ server, postgres }: Place): (generatorSeconds: number) => CpuShares {
  const began = performance.now()
  const read = () => ({ server: usageOf(server.pid())?.cpuSeconds ?? null, database: postgres ? cpuOfFamily(postgres.pid) : null })
  const before = read()
  return (generatorSeconds) => {
    const seconds = (performance.now() - began) / 1000
    const after = read()
    const share = (then: number | null, now: number | null) => (then === null || now === null ? null : (now - then) / seconds)
    return {
      server: share(before.server, after.server),
      database: share(before.database, after.database),
      generator: generatorSeconds / seconds,
    }
  }
}
