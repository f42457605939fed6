import { atMost, type Section, told } from '../section.ts'
import type { EngineRun, LoadPlan } from './run-engine.ts'

const share = (value: number | null) => (value === null ? '–' : value.toFixed(2))
const megabytes = (value: number) => (Number.isFinite(value) ? String(Math.round(value)) : '–')

/** The rows of the mix, in this order. */
const mixKinds = ['scan to receipt', 'look-up', 'home info', 'pull after an event', 'pull, asked', 'token refresh', 'sign-in']

export function mixSections(runs: readonly EngineRun[], plan: NonNullable<LoadPlan['mix']>): Section[] {
  const latencies = runs.flatMap(({ engine, mixes }) =>
    mixes.flatMap(({ rate, spreads }) =>
      mixKinds.flatMap((kind) => {
        const spread = spreads.find((one) => one.kind === kind)
        if (!spread) return []
        const { n, p50, p95, p99, p999, max } = spread
        return [[engine, String(rate), kind, String(n), ...[p50, p95, p99, p999, max].map(told)]]
      }),
    ),
  )
  const costs = runs.flatMap(({ engine, mixes }) =>
    mixes.map(({ rate, arrived, unfinished, answers, seconds, cpu, memoryMB }) => [
      engine,
      String(rate),
      String(arrived),
      String(unfinished),
      told(total(answers) / seconds),
      otherThan200(answers),
      ...[cpu.server, cpu.database, cpu.generator].map(share),
      [memoryMB.start, memoryMB.peak, memoryMB.end].map(megabytes).join(' / '),
    ]),
  )
  return [
    {
      name: 'load-mix',
      title: `A mixed day of ${plan.tablets} tablets`,
      head: ['engine', 'acts a second', 'what', 'n', 'p50, ms', 'p95, ms', 'p99, ms', 'p99.9, ms', 'most, ms'],
      rows: latencies,
      goals: [],
      notes: [],
    },
    {
      name: 'load-cost',
      title: 'The cost of that day',
      head: [
        'engine',
        'acts a second',
        'arrived',
        'unfinished',
        'requests a second',
        'answers but 200',
        'CPU server',
        'CPU PostgreSQL',
        'CPU tablets',
        'server memory: start / peak / end, MB',
      ],
      rows: costs,
      goals: [],
      notes: [],
    },
  ]
}

export function herdSection(runs: readonly EngineRun[], plan: NonNullable<LoadPlan['herd']>): Section {
  const herds = runs.flatMap(({ engine, herd }) => (herd ? [{ engine, ...herd }] : []))
  const goals = herds.flatMap(({ engine, answers, faults, unsent }) => [
    atMost(
      `${engine}: answers 5xx`,
      countOf(answers, (status) => status.startsWith('5')),
      0,
    ),
    atMost(`${engine}: commands that are left, lost or doubled`, Math.max(unsent, faults.length), 0),
  ])
  const rows = herds.map(({ engine, made, drainedSeconds, mirroredSeconds, spreads, answers, cpu, memoryMB }) => {
    const push = spreads.find(({ kind }) => kind === 'push, one request')
    const at = (second: number) => memoryMB.findLast((sample) => sample.second <= second)?.residentMB ?? Number.NaN
    const peak = Math.max(...memoryMB.map(({ residentMB }) => residentMB))
    return [
      engine,
      String(made),
      drainedSeconds === null ? 'not in time' : told(drainedSeconds),
      mirroredSeconds === null ? 'not in time' : told(mirroredSeconds),
      ...[push?.p50, push?.p99, push?.max].map((ms) => told((ms ?? Number.NaN) / 1000)),
      otherThan200(answers),
      [cpu.server, cpu.database, cpu.generator].map(share).join(' / '),
      [memoryMB[0]?.residentMB ?? Number.NaN, peak, at(drainedSeconds ?? Infinity), at(Infinity)].map(megabytes).join(' / '),
    ]
  })
  const faults = herds.flatMap(({ engine, unsent, faults: found }) => [
    ...(unsent > 0
      ? [`${engine}: ${unsent} commands had no receipt yet when patience ended; what the tables do not have was still on its tablet.`]
      : []),
    ...found.map((fault) => `${engine}: ${fault}.`),
  ])
  return {
    name: 'load-herd',
    title: `${plan.tablets} tablets come back at once with ${plan.scansEach} unsent scans each`,
    head: [
      'engine',
      'commands',
      'all have receipts after, s',
      'all mirrors whole after, s',
      'push p50, s',
      'push p99, s',
      'push most, s',
      'answers but 200',
      'CPU server / PostgreSQL / tablets',
      `server memory: start / peak / drained / ${plan.restSeconds} s later, MB`,
    ],
    rows,
    goals,
    notes: faults,
  }
}

function total(answers: Readonly<Record<string, number>>): number {
  return Object.values(answers).reduce((sum, count) => sum + count, 0)
}

function countOf(answers: Readonly<Record<string, number>>, isMeant: (status: string) => boolean): number {
  return Object.entries(answers).reduce((sum, [key, count]) => sum + (isMeant(statusOf(key)) ? count : 0), 0)
}

function otherThan200(answers: Readonly<Record<string, number>>): string {
  const others = Object.entries(answers).filter(([key]) => statusOf(key) !== '200')
  return others.length === 0 ? 'none' : others.map(([key, count]) => `${count} × ${key}`).join(', ')
}

/** `push 200` is the call and its status. */
function statusOf(key: string): string {
  return key.slice(key.indexOf(' ') + 1)
}
