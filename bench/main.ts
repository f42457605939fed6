import fs from 'node:fs'
import os from 'node:os'
import { parseArgs } from 'node:util'
import { openTablet, type Tablet } from '#tests/support/browser.ts'
import type { Bench, Measure } from './bench.ts'
import { buildPage } from './build-page.ts'
import { chainFrames } from './frames.ts'
import { coldStart } from './measures/cold-start.ts'
import { counting } from './measures/counting.ts'
import { drain } from './measures/drains.ts'
import { firstMirror } from './measures/first-mirror.ts'
import { memory } from './measures/memory.ts'
import { patients } from './measures/patients.ts'
import { pull } from './measures/pulls.ts'
import { scanDuringRefresh, scanToDurable } from './measures/scans.ts'
import { containsSearch, lookUp, prefixSearch } from './measures/searches.ts'
import { stockFiles } from './measures/stock-files.ts'
import { stockList } from './measures/stock-lists.ts'
import { stockScreen } from './measures/stock-screen.ts'
import { openPageServer } from './page-server.ts'
import { storePatients } from './patients.ts'
import { thisMachine, toMarkdown, writeSection } from './section.ts'

// npm run bench [-- --only look-up,scan] [--frames 100000] [--patients 50000] [--rounds 3] [--long] [--write]
// Timings never fail a run: it prints the figures beside their goals.

const measures: Measure[] = [
  firstMirror,
  lookUp,
  prefixSearch,
  containsSearch,
  scanToDurable,
  scanDuringRefresh,
  drain,
  pull,
  memory,
  patients,
  stockList,
  stockScreen,
  stockFiles,
  counting,
  coldStart,
]

const { values: said } = parseArgs({
  options: {
    only: { type: 'string' },
    frames: { type: 'string', default: '100000' },
    patients: { type: 'string', default: '50000' },
    rounds: { type: 'string', default: '3' },
    long: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})

const wanted = said.only?.split(',') ?? measures.map(({ name }) => name)
const unknown = wanted.filter((name) => !measures.some((measure) => measure.name === name))
if (unknown.length > 0)
  throw new Error(`There is no measure ${unknown.join(', ')}; there are ${measures.map(({ name }) => name).join(', ')}`)

const say = (text: string) => process.stderr.write(`${text}\n`)

const frames = chainFrames(Number(said.frames))
const folder = await buildPage()
const server = await openPageServer(folder, frames, storePatients(Number(said.patients)))
const tablet = await openTablet()
try {
  const bench: Bench = {
    folder,
    tablet,
    server,
    frames,
    patients: Number(said.patients),
    rounds: Number(said.rounds),
    isLong: said.long,
    say,
  }
  const machine = await machineOf(tablet)
  for (const measure of measures.filter(({ name }) => wanted.includes(name))) {
    say(`── ${measure.name}`)
    const loadBefore = os.loadavg()[0] ?? 0
    const section = await measure.run(bench)
    const measuredOn = `${machine}, load ${loadBefore.toFixed(1)} before, ${new Date().toISOString().slice(0, 10)}`
    const text = toMarkdown(section, `npm run bench -- --only ${section.name}`, measuredOn)
    console.log(`\n${text}\n`)
    if (said.write) writeSection(section, text)
  }
} finally {
  await tablet.close()
  await server.close()
  fs.rmSync(folder, { recursive: true, force: true })
}

async function machineOf({ context }: Tablet): Promise<string> {
  const version = context.browser()?.version() ?? (await versionOf(context))
  return `${thisMachine()}, Chromium ${version}`
}

async function versionOf(context: Tablet['context']): Promise<string> {
  const page = context.pages()[0] ?? (await context.newPage())
  const session = await context.newCDPSession(page)
  const { product } = await session.send('Browser.getVersion')
  return product.split('/')[1] ?? product
}
