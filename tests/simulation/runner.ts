import process from 'node:process'
import { clinicDay } from './clinic-day.ts'
import { ClinicServer } from './clinic-server.ts'
import { takeOverIndexedDb } from './disk.ts'
import { type HistoryResult, runHistory } from './history.ts'
import { makeMorning, type Morning } from './morning.ts'
import type { Plan } from './plan.ts'
import { time } from './virtual-time.ts'

/** `only` keeps these steps of the plan, counted from 1, and leaves out all others. */
export type Order = { seeds: number[]; only?: number[]; story?: boolean }

/** `cpuMs`: the time on one core, ms. */
export type PlayedHistory = HistoryResult & { cpuMs: number }

export type Ground = { server: ClinicServer; morning: Morning; morningWithPatients: Morning }

/** The parts that all histories of a process share. */
export async function prepare(): Promise<Ground> {
  takeOverIndexedDb()
  // Load the app's lazy modules now: the disk of this machine runs on real time.
  await import('#src/sync/session/seal.ts')
  await import('#src/sync/engine/outbox-repair.ts')
  await import('#src/sync/patients/patient-shelf.ts')
  await import('#src/sync/session/seal-draft.ts')
  await import('#src/sync/session/offline-sign-in.ts')
  await import('#src/features/app/login/model/without-server.ts')
  const server = await time.drive(ClinicServer.start())
  return { server, morning: await makeMorning(server, false), morningWithPatients: await makeMorning(server, true) }
}

export async function obey({ server, morning, morningWithPatients }: Ground, order: Order): Promise<PlayedHistory[]> {
  const results: PlayedHistory[] = []
  for (const seed of order.seeds) {
    const began = process.cpuUsage()
    const plan = planOf(seed, order.only)
    const result = await runHistory(server, plan.hasPatients ? morningWithPatients : morning, plan, { story: order.story ?? false })
    const { user, system } = process.cpuUsage(began)
    results.push({ ...result, cpuMs: (user + system) / 1000 })
  }
  return results
}

function planOf(seed: number, only: number[] | undefined): Plan {
  const plan = clinicDay(seed)
  return only
    ? { ...plan, steps: plan.steps.map((step, at) => (only.includes(at + 1) ? step : { ...step, do: 'nothing' as const })) }
    : plan
}
