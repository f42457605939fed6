import { setTimeout as wait } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { collections, type Collection } from '#contract/sync/sync.ts'
import { SeededRandom } from '#server/demo/seeded-random.ts'
import { countingBeatMs } from '#src/sync/device/open-device.ts'
import { openLoop, poissonArrivals } from './arrivals.ts'
import type { ChainClinic } from './chain.ts'
import type { Ask, HerdFound, Jobs, MixFound, Told } from './generator-jobs.ts'
import { Answers, Latencies } from './latencies.ts'
import { type Clinic, LoadTablet, type Notes } from './load-tablet.ts'

/** The tablets' process: it does what its parent asks, one thing after the other. */

/** The users' actions, in shares of a hundred. The pulls that events cause are added to these. */
const mix = { scan: 45, 'look-up': 30, 'home info': 10, 'pull, asked': 8, 'token refresh': 6, 'sign-in': 1 }
/** Longest wait for an answer after the last arrival. */
const patienceMs = 20_000
const signInsAtOnce = 8

let tablets: LoadTablet[] = []
let notes = freshNotes()
let random = new SeededRandom('load')
let scanned: string[] = []

function freshNotes(): Notes {
  return { latencies: new Latencies(), answers: new Answers(), refused: [], surprises: [] }
}

/** The tablets go on writing to the same object; it is emptied for each part. */
function beginAnew(): number {
  Object.assign(notes, freshNotes())
  return cpuSeconds()
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}

function found(cpuBefore: number) {
  return {
    spreads: notes.latencies.spreads(),
    answers: notes.answers.counts,
    complaints: [...notes.refused, ...notes.surprises].slice(0, 20),
    cpuSeconds: cpuSeconds() - cpuBefore,
  }
}

async function open({ origin, password, clinics, tablets: count, seed }: Jobs['open']['asked']): Promise<Jobs['open']['answer']> {
  random = new SeededRandom(seed)
  const rooms = clinics.map((clinic) => ({ clinic: clinicOf(clinic), cursors: new Map<Collection, string>() }))
  tablets = Array.from({ length: count }, (_, place) => {
    const { clinic } = rooms[place % rooms.length]!
    const username = clinic.usernames[Math.floor(place / rooms.length) % clinic.usernames.length]!
    return new LoadTablet(origin, clinic, username, password, new Map(), notes)
  })
  await inTurns(tablets, signInsAtOnce, async (tablet) => {
    const answer = await tablet.signIn()
    if (!answer.ok) throw new Error(`A tablet could not sign in: ${answer.failure.message}`)
  })
  // The first of each clinic makes the sheet and fetches the mirror; the others have had theirs since this morning.
  await inTurns(rooms, 4, async ({ clinic }) => {
    const first = tablets.find((tablet) => tablet.clinic === clinic)
    if (!first) return
    const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    first.make('count.create', { id_count_sheet: clinic.sheet, scope, notes: '', blind: false }, performance.now())
    await first.drain()
    await first.pull()
    for (const tablet of tablets) {
      if (tablet === first || tablet.clinic !== clinic) continue
      for (const [collection, cursor] of first.cursors) if (collection !== 'punches') tablet.cursors.set(collection, cursor)
    }
  })
  for (const tablet of tablets) tablet.goOnDuty()
  await until(() => tablets.every((tablet) => tablet.isListening()), 120_000)
  await wait(3000)
  return { frames: rooms.reduce((sum, { clinic }) => sum + clinic.labels.length, 0) }
}

function clinicOf(clinic: ChainClinic): Clinic {
  return { ...clinic, sheet: uuidv7(), labels: [] }
}

async function runMix({ rate, seconds }: Jobs['mix']['asked']): Promise<MixFound> {
  const cpuBefore = beginAnew()
  const began = performance.now()
  const { latencies } = notes
  const underWay = new Map<symbol, { kind: string; dueAt: number }>()
  const arrivals = poissonArrivals(random, rate, seconds)

  await openLoop(arrivals, (dueAt) => {
    const kind = random.weighted(mix)
    const tablet = random.pick(tablets)
    const label = random.pick(tablet.clinic.labels)
    const name = Symbol(kind)
    underWay.set(name, { kind, dueAt })
    // Scans and pulls write their own times, because one request may carry several of them.
    const timed = async (work: Promise<unknown>) => {
      await work
      latencies.record(kind, performance.now() - dueAt)
    }
    const actions: Record<keyof typeof mix, () => Promise<void>> = {
      scan: async () => {
        tablet.scan(label, dueAt)
        await tablet.drain()
      },
      'look-up': () => timed(tablet.lookUp(label)),
      'home info': () => timed(tablet.home()),
      'pull, asked': () => timed(tablet.pull()),
      'token refresh': () => timed(tablet.renew()),
      'sign-in': () => timed(tablet.signIn()),
    }
    actions[kind]()
      .catch((error: unknown) => notes.surprises.push(`${kind}: ${String(error)}`))
      .finally(() => underWay.delete(name))
  })
  const isDone = await until(() => underWay.size === 0, patienceMs)
  const now = performance.now()
  if (!isDone) for (const { kind, dueAt } of underWay.values()) latencies.record(kind === 'scan' ? 'scan to receipt' : kind, now - dueAt)
  return { ...found(cpuBefore), arrived: arrivals.length, seconds: (now - began) / 1000, unfinished: underWay.size }
}

function scanAll({ each }: Jobs['scan']['asked']): Jobs['scan']['answer'] {
  scanned = tablets.flatMap((tablet) =>
    Array.from({ length: each }, () => tablet.scan(random.pick(tablet.clinic.labels), performance.now())),
  )
  return { ids: scanned }
}

async function herd({ patienceSeconds }: Jobs['herd']['asked']): Promise<HerdFound> {
  const cpuBefore = beginAnew()
  const began = performance.now()
  const elapsed = () => (performance.now() - began) / 1000
  let drainedSeconds: number | null = null
  let mirroredSeconds: number | null = null
  const all = Promise.all(tablets.map((tablet) => comeBack(tablet)))
    .then(() => {
      drainedSeconds = elapsed()
      return Promise.all(tablets.map((tablet) => tablet.pull()))
    })
    .then(() => (mirroredSeconds = elapsed()))
  await Promise.race([all, wait(patienceSeconds * 1000)])
  const unsent = tablets.reduce((sum, tablet) => sum + tablet.unsent, 0)
  return { ...found(cpuBefore), drainedSeconds, mirroredSeconds, unsent }
}

/** Does the app's work when the browser is online again. */
async function comeBack(tablet: LoadTablet): Promise<void> {
  while (!(await tablet.probe())) await wait(countingBeatMs)
  const pulling = tablet.isListening()
    ? Promise.resolve()
    : Promise.all([tablet.pull(collections, 'pull after coming back'), tablet.home()])
  await Promise.all([tablet.drain(), pulling])
}

function close(): Record<never, never> {
  for (const tablet of tablets) tablet.leave()
  return {}
}

async function inTurns<T>(all: readonly T[], atOnce: number, work: (one: T) => Promise<void>): Promise<void> {
  const left = [...all]
  const hand = async () => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) await work(one)
  }
  await Promise.all(Array.from({ length: atOnce }, hand))
}

async function until(isSo: () => boolean, withinMs: number): Promise<boolean> {
  const limit = performance.now() + withinMs
  while (!isSo()) {
    if (performance.now() > limit) return false
    await wait(20)
  }
  return true
}

async function perform(ask: Ask): Promise<unknown> {
  switch (ask.job) {
    case 'open':
      return await open(ask.asked)
    case 'mix':
      return await runMix(ask.asked)
    case 'scan':
      return scanAll(ask.asked)
    case 'herd':
      return await herd(ask.asked)
    case 'close':
      return close()
  }
}

process.on('message', (ask: Ask) => {
  const tell = (told: Told) => process.send?.(told)
  perform(ask).then(
    (answer) => tell({ ok: true, answer }),
    (error: unknown) => tell({ ok: false, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
process.on('disconnect', () => process.exit(0))
