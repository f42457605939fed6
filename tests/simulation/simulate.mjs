// npm run simulate -- --seed S --histories N: plays clinic days full of faults, and reports broken promises.
//
//   --seed 1,200001  splits the histories among these first seeds
//   --processes P    the number of processes (2)
//   --all-kinds      fails unless each kind of step and fault happened
//   --twice          plays each history twice and compares all events
//   --story          prints all events of the history of --seed
//   --only 3,7,12    keeps only these steps; a failing run prints them
//   --fingerprints   prints the hash of each history, to prove that a change alters none
//   --planted        plants each bug of planted-bugs.mjs in turn, and counts the histories until one finds it
import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import esbuild from 'esbuild'
import { plantedBugs } from './planted-bugs.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '200' },
    processes: { type: 'string', default: '2' },
    only: { type: 'string' },
    bug: { type: 'string' },
    'all-kinds': { type: 'boolean', default: false },
    twice: { type: 'boolean', default: false },
    story: { type: 'boolean', default: false },
    fingerprints: { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false },
  },
})
const firstSeeds = given.seed.split(',').map(Number)
const [firstSeed] = firstSeeds
const histories = Number(given.histories)
const processes = Number(given.processes)
/** The number of histories in one order to a process. */
const portion = 5
const tellEveryMs = 15_000

/** Builds the simulation and the production code as one program, with a planted bug on request. */
async function build(bug) {
  const outdir = fs.mkdtempSync(path.join(cacheFolder(), 'built-'))
  const pending = new Map()
  for (const change of bug?.changes ?? []) {
    const file = path.join(root, change.file)
    pending.set(file, [...(pending.get(file) ?? []), change])
  }
  const simulation = (file) => path.join(import.meta.dirname, file)
  await esbuild.build({
    entryPoints: [simulation('boot.ts')],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    sourcemap: 'inline',
    logLevel: 'error',
    plugins: [
      {
        name: 'stand-ins',
        setup(builder) {
          builder.onResolve({ filter: /^#(contract|src|sw|server|tests)\// }, ({ path: name, importer }) => {
            if (name === '#server/platform/db/pglite-thread.ts') return { path: simulation('pglite-in-thread.ts') }
            if (name === '#server/platform/db/migrate.ts' && !importer.endsWith('migrate-once.ts'))
              return { path: simulation('migrate-once.ts') }
            return { path: path.join(root, name.slice(1)) }
          })
          builder.onResolve({ filter: /^node:async_hooks$/ }, () => ({ path: simulation('no-async-hooks.ts') }))
          builder.onResolve({ filter: /\/risk-token\.ts$/ }, () => ({ path: simulation('no-risk.ts') }))
          builder.onResolve({ filter: /^@node-rs\/argon2$/ }, () => ({ path: simulation('cheap-argon2.ts') }))
          builder.onLoad({ filter: /\.ts$/ }, ({ path: file }) => {
            const changes = pending.get(file)
            if (!changes) return undefined
            pending.delete(file)
            let text = fs.readFileSync(file, 'utf8')
            for (const change of changes) {
              if (text.split(change.find).length !== 2) {
                throw new Error(`${bug.name}: ${change.file} must hold exactly once:\n${change.find}`)
              }
              text = text.replace(change.find, () => change.put)
            }
            return { contents: text, loader: 'ts' }
          })
        },
      },
    ],
  })
  if (pending.size > 0) throw new Error(`${bug.name}: not part of what is simulated: ${[...pending.keys()].join(', ')}`)
  return outdir
}

const engineVersion = JSON.parse(fs.readFileSync(path.join(root, 'node_modules/@electric-sql/pglite/package.json'), 'utf8')).version
const emptyDatabase = path.join(cacheFolder(), `empty-${engineVersion}.tar`)

/** A folder inside the project, so that its packages are found from there. */
function cacheFolder() {
  const folder = path.join(root, 'node_modules', '.cache', 'simulation')
  fs.mkdirSync(folder, { recursive: true })
  return folder
}

/** The code makes and drops many objects, and has few hot paths. These flags save a quarter of the time. */
const flags = ['--max-semi-space-size=64', '--always-sparkplug']

/** The processes that play. `play` gives an order to a free one. */
class Players {
  #free = []
  #waiting = []
  #all = []
  /** Every kind of step and fault that histories can have, once a process is ready. */
  kinds = []

  constructor(outdir, count) {
    for (let number = 0; number < count; number += 1) this.#start(outdir)
  }

  #start(outdir) {
    const player = {
      child: fork(path.join(outdir, 'boot.mjs'), [emptyDatabase], { execArgv: flags }),
      done: null,
    }
    this.#all.push(player.child)
    player.child.on('message', (message) => {
      if ('ready' in message) {
        this.kinds = message.kinds
        return this.#isFree(player)
      }
      const { done } = player
      player.done = null
      this.#isFree(player)
      if (message.failed) done.reject(new Error(message.failed))
      else done.resolve(message.results)
    })
    player.child.on('exit', (code) => {
      if (code !== 0) player.done?.reject(new Error(`A player ended with code ${code}`))
    })
  }

  #isFree(player) {
    const next = this.#waiting.shift()
    if (next) this.#give(player, next)
    else this.#free.push(player)
  }

  #give(player, { order, done }) {
    player.done = done
    player.child.send(order)
  }

  play(order) {
    return new Promise((resolve, reject) => {
      const task = { order, done: { resolve, reject } }
      const player = this.#free.pop()
      if (player) this.#give(player, task)
      else this.#waiting.push(task)
    })
  }

  end() {
    for (const child of this.#all) child.disconnect()
  }
}

async function withPlayers(bug, count, work) {
  const outdir = await build(bug)
  const players = new Players(outdir, count)
  try {
    return await work(players)
  } finally {
    players.end()
    fs.rmSync(outdir, { recursive: true, force: true })
  }
}

/** Plays until `enough` histories have failed. Calls `onResult` with each result. */
async function playAll(players, { seed, count, enough, onResult }) {
  let next = seed
  let failed = 0
  const runs = Array.from({ length: processes }, async () => {
    while (next < seed + count && failed < enough) {
      const seeds = Array.from({ length: Math.min(portion, seed + count - next) }, (_, at) => next + at)
      next += seeds.length
      const results = await players.play({ seeds, story: given.twice })
      const again = given.twice ? await players.play({ seeds, story: true }) : null
      for (const [at, result] of results.entries()) {
        if (again && again[at].hash !== result.hash) result.broken.push({ invariant: 0, what: firstDifference(result, again[at]) })
        if (result.broken.length > 0) failed += 1
        onResult(result)
      }
    }
  })
  await Promise.all(runs)
}

function firstDifference({ story: one }, { story: other }) {
  const at = one.findIndex((line, number) => line !== other[number])
  const lines = [...one.slice(Math.max(0, at - 2), at), `once:  ${one[at]}`, `again: ${other[at]}`]
  return ['played twice it is not the same:', ...lines].join('\n    ')
}

const isSame = (broken, other) => broken.some(({ invariant }) => other.some((one) => one.invariant === invariant))

/** Leaves out steps as long as the same promise still breaks. */
async function shrink(players, failing) {
  let kept = Array.from({ length: failing.steps }, (_, at) => at + 1)
  for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < kept.length;) {
      const fewer = [...kept.slice(0, from), ...kept.slice(from + size)]
      const [result] = await players.play({ seeds: [failing.seed], only: fewer })
      if (isSame(result.broken, failing.broken)) kept = fewer
      else from += size
    }
  }
  return kept
}

async function tell(players, seed, only) {
  const [result] = await players.play({ seeds: [seed], story: true, ...(only && { only }) })
  console.log(result.story.join('\n'))
  console.log(
    `\nseed ${seed}, ${result.acts} acts, ${Math.round(result.virtualMs / 1000)} s of virtual time, ${Math.round(result.cpuMs)} ms, ${result.hash}`,
  )
  for (const { invariant, what } of result.broken) console.log(`BROKEN ${invariant}: ${what}`)
  return result
}

async function simulate(bug) {
  return await withPlayers(bug, given.story || given.only ? 1 : processes, async (players) => {
    const only = given.only?.split(',').map(Number)
    if (given.story || only) return (await tell(players, firstSeed, only)).broken.length === 0
    const began = Date.now()
    const failing = []
    let played = 0
    let acts = 0
    let virtualMs = 0
    let told = began
    const met = new Map()
    const order = {
      enough: 20,
      onResult(result) {
        played += 1
        for (const [kind, times] of Object.entries(result.met)) met.set(kind, (met.get(kind) ?? 0) + times)
        acts += result.acts
        virtualMs += result.virtualMs
        if (given.fingerprints) console.log(`${result.seed} ${result.hash} ${Math.round(result.cpuMs)} ms`)
        if (result.broken.length > 0) {
          failing.push(result)
          console.log(`seed ${result.seed} BROKEN: ${result.broken.map(({ invariant, what }) => `(${invariant}) ${what}`).join('\n    ')}`)
        }
        if (Date.now() - told > tellEveryMs) {
          told = Date.now()
          console.log(`${played} histories, ${failing.length} failed, ${((told - began) / played).toFixed(0)} ms each`)
        }
      },
    }
    for (const [at, seed] of firstSeeds.entries()) {
      const count = Math.ceil((histories - at) / firstSeeds.length)
      await playAll(players, { ...order, seed, count })
    }
    const seconds = (Date.now() - began) / 1000
    const neverMet = players.kinds.filter((kind) => !met.has(kind))
    console.log(
      `${played} histories from seed ${firstSeeds.join(' and ')}, ${acts} acts, ${Math.round(virtualMs / 3_600_000)} h of virtual time ` +
        `in ${seconds.toFixed(1)} s: ${failing.length} failed`,
    )
    console.log(`${players.kinds.length - neverMet.length} of ${players.kinds.length} kinds of steps and faults happened`)
    if (neverMet.length > 0) console.log(`Never happened: ${neverMet.join(', ')}`)
    const [first] = failing.toSorted((a, b) => a.steps - b.steps)
    if (first && first.broken.every(({ invariant }) => invariant > 0)) {
      const kept = await shrink(players, first)
      console.log(`\nThe shortest of them, shrunk: npm run simulate -- --seed ${first.seed} --only ${kept.join(',')}\n`)
      await tell(players, first.seed, kept)
    }
    return failing.length === 0 && (!given['all-kinds'] || neverMet.length === 0)
  })
}

/** Counts the histories until each planted bug is found, and prints a row of docs/reliability.md for each. */
async function findPlanted() {
  let allFound = true
  console.log('| planted bug | failure | found after | by promise |\n|---|---|---|---|')
  for (const bug of plantedBugs.filter(({ name }) => !given.bug || name === given.bug)) {
    // Some bugs show only in histories from a later seed on.
    const seed = Math.max(firstSeed, bug.from ?? firstSeed)
    const found = await withPlayers(bug, processes, async (players) => {
      let played = 0
      let first = null
      await playAll(players, {
        seed,
        count: histories,
        enough: 1,
        onResult(result) {
          played += 1
          if (result.broken.length > 0 && (first === null || result.seed < first.seed)) first = result
        },
      })
      return { played, first }
    })
    allFound &&= found.first !== null || bug.harmless !== undefined
    const promises = [...new Set(found.first?.broken.map(({ invariant }) => invariant))].toSorted((a, b) => a - b).join(', ')
    const notFound = bug.harmless ? `harmless in ${found.played}: ${bug.harmless}` : `NOT FOUND in ${found.played}`
    const after = found.first ? `${found.first.seed - seed + 1} histories` : notFound
    console.log(`| ${bug.name} | ${bug.failure} | ${after} | ${promises} |`)
  }
  return allFound
}

const bug = given.bug && !given.planted ? plantedBugs.find(({ name }) => name === given.bug) : undefined
if (given.bug && !given.planted && !bug) throw new Error(`No planted bug is called ${given.bug}`)
process.exitCode = (given.planted ? await findPlanted() : await simulate(bug)) ? 0 : 1
