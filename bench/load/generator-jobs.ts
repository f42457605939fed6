import type { ChainClinic } from './chain.ts'
import type { Spread } from './latencies.ts'

/** The jobs of the generator's process, one after the other, and their answers. */
export type Jobs = {
  /** Signs in so many tablets, spread over the clinics, with a sheet in each, and puts them on duty. */
  open: { asked: { origin: string; password: string; clinics: ChainClinic[]; tablets: number; seed: string }; answer: { frames: number } }
  mix: { asked: { rate: number; seconds: number }; answer: MixFound }
  /** Every tablet scans so many while the server is away. Answers the ids of all commands. */
  scan: { asked: { each: number }; answer: { ids: string[] } }
  /** The network is back for all of them in the same instant. */
  herd: { asked: { patienceSeconds: number }; answer: HerdFound }
  close: { asked: Record<never, never>; answer: Record<never, never> }
}
export type JobName = keyof Jobs

type Found = {
  spreads: Spread[]
  /** How often each answer was given: `push 200`. */
  answers: Record<string, number>
  /** Commands that the server refused, and unexpected errors of the generator. */
  complaints: string[]
  /** CPU of the generator's process, s. */
  cpuSeconds: number
}
export type MixFound = Found & {
  arrived: number
  /** From the first due time to the last answer. */
  seconds: number
  /** Without an answer when patience ended; their wait so far is in the times. */
  unfinished: number
}
export type HerdFound = Found & {
  /** Until the last command had its receipt; null when patience ended first. */
  drainedSeconds: number | null
  /** Until every tablet had fetched all work of the others; null when patience ended first. */
  mirroredSeconds: number | null
  unsent: number
}

export type Ask = { [K in JobName]: { job: K; asked: Jobs[K]['asked'] } }[JobName]
export type Told = { ok: true; answer: unknown } | { ok: false; error: string }
