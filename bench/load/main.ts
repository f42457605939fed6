import os from 'node:os'
import { parseArgs } from 'node:util'
import { type PostgresServer, startPostgres } from '#tests/support/postgres-server.ts'
import { type Section, thisMachine, toMarkdown, writeSection } from '../section.ts'
import { herdSection, mixSections } from './report.ts'
import { type EngineRun, type LoadPlan, runEngine } from './run-engine.ts'

// npm run load [-- --engine pglite] [--only mix|herd] [--tablets 100] [--rates 25,50,100] [--seconds 30] [--write]
// Timings never fail anything. The run fails when a command is left, lost or doubled, or an answer is a fault of the server.

const { values: said } = parseArgs({
  options: {
    engine: { type: 'string' },
    only: { type: 'string' },
    tablets: { type: 'string' },
    rates: { type: 'string', default: '25,50,100' },
    seconds: { type: 'string', default: '30' },
    scans: { type: 'string', default: '200' },
    clinics: { type: 'string', default: '20' },
    frames: { type: 'string', default: '20000' },
    outage: { type: 'string', default: '10' },
    rest: { type: 'string', default: '60' },
    seed: { type: 'string', default: 'load' },
    write: { type: 'boolean', default: false },
  },
})

function number(name: 'tablets' | 'seconds' | 'scans' | 'clinics' | 'frames' | 'outage' | 'rest', otherwise = 0): number {
  const text = said[name] ?? String(otherwise)
  if (!/^\d{1,7}$/.test(text)) throw new Error(`--${name} must be a whole number`)
  return Number(text)
}
function oneOf<T extends string>(name: 'engine' | 'only', known: readonly T[]): readonly T[] {
  const wanted = said[name]
  if (wanted === undefined) return known
  const found = known.find((one) => one === wanted)
  if (found === undefined) throw new Error(`--${name} must be ${known.join(' or ')}; without it, both`)
  return [found]
}

const engines = oneOf('engine', ['pglite', 'postgres'])
const parts = oneOf('only', ['mix', 'herd'])
const rates = said.rates.split(',').map(Number)
if (!rates.every((rate) => rate > 0)) throw new Error('--rates must be numbers separated by commas')
const plan: LoadPlan = {
  clinics: number('clinics'),
  frames: number('frames'),
  seed: said.seed,
  mix: parts.includes('mix') ? { tablets: number('tablets', 100), rates, seconds: number('seconds') } : null,
  herd: parts.includes('herd')
    ? {
        tablets: number('tablets', 500),
        scansEach: number('scans'),
        outageSeconds: number('outage'),
        patienceSeconds: 900,
        restSeconds: number('rest'),
      }
    : null,
}

const say = (text: string) => process.stderr.write(`${text}\n`)
const loadBefore = os.loadavg()[0] ?? 0
const runs: EngineRun[] = []
for (const engine of engines) {
  if (engine === 'pglite') {
    runs.push(await runEngine(plan, null, say))
    continue
  }
  const postgres = await startPostgres({ durable: true }).catch((error: unknown): PostgresServer | null => {
    say(`There is no PostgreSQL to be had on this machine, so PGlite alone is measured: ${String(error)}`)
    return null
  })
  if (!postgres) continue
  try {
    runs.push(await runEngine(plan, postgres, say))
  } finally {
    await postgres.stop()
  }
}

const sections: Section[] = [...(plan.mix ? mixSections(runs, plan.mix) : []), ...(plan.herd ? [herdSection(runs, plan.herd)] : [])]
const asked = process.argv.slice(2).filter((word) => word !== '--write')
const command = ['npm run load', ...(asked.length > 0 ? ['--', ...asked] : [])].join(' ')
for (const section of sections) {
  const measuredOn = `${thisMachine()}, load ${loadBefore.toFixed(1)} before, ${new Date().toISOString().slice(0, 10)}`
  const text = toMarkdown(section, command, measuredOn)
  console.log(`\n${text}\n`)
  if (said.write) writeSection(section, text)
}
if (sections.some(({ goals }) => goals.some(({ isMet }) => !isMet))) process.exitCode = 1
