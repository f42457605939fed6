import { dice, type Dice } from './dice.ts'
import type { NetworkFate } from './network.ts'

/**
 * The steps of one history, written down before it starts. So a history can be told, repeated and shortened. A step
 * picks its objects by numbers modulo the existing ones. So it works even when other steps are left out.
 */
export type Step = {
  do: StepName
  device: number
  tab: number
  /** The seed for other choices of the step: a sheet, a frame, a person, a number. */
  draw: number
  /** The network's only fate from now on, instead of drawn weather. */
  fate?: NetworkFate
  /** The time that passes after it, ms. */
  gapMs: number
}

export type StepName = keyof typeof usualWeights | keyof typeof patientWeights | keyof typeof stockWeights | DoorStep
/** Steps of PINs, revoked tablets and keys: see `door-plan.ts`. */
export const doorSteps = ['unlock-pin', 'remove-tablet', 'new-record-key'] as const
export type DoorStep = (typeof doorSteps)[number]

export type Plan = {
  seed: number
  /** The clinic opens for the first time. Otherwise its tablets were in use, and start with their last user. */
  isFirstDay: boolean
  devices: { people: PersonName[]; tabs: number; clockErrorMs: number; hasLocks: boolean }[]
  accessTokenSeconds: number
  /** The stores have patients, and the tablets mirror them. */
  hasPatients: boolean
  /** There is work in the stockroom: frames change, need labels, and arrive from vendors. */
  hasStock: boolean
  steps: Step[]
}

export const personNames = ['ben', 'ana', 'maya'] as const
export type PersonName = (typeof personNames)[number]

export const mostDevices = 5

/** The last user of a device before the day starts. */
export function lastUserOf(device: number): PersonName {
  return personNames[device % personNames.length] ?? 'ben'
}

export const usualWeights = {
  /** Replaces a step that was taken out: only its time passes. */
  nothing: 0,
  scan: 26,
  undo: 4,
  note: 3,
  'old-note': 2,
  create: 4,
  close: 2,
  recount: 1,
  decide: 2,
  delete: 0.5,
  punch: 2,
  'sign-in': 5,
  'sign-out': 2,
  'visit-login': 1,
  'switch-store': 2,
  retry: 2,
  discard: 2,
  'export-import': 1,
  'open-tab': 3,
  'close-tab': 2,
  'kill-browser': 2,
  'update-app': 1,
  'open-sheet': 2,
  'wake-worker': 4,
  'page-returns': 2,
  crash: 6,
  freeze: 3,
  thaw: 4,
  'steal-locks': 2,
  'close-connection': 3,
  'newer-schema': 1,
  'disk-trouble': 3,
  'disk-fine': 3,
  wipe: 0.3,
  weather: 10,
  offline: 4,
  'network-fine': 6,
  'server-crash': 4,
  'server-outage': 1.5,
  'back-up': 1,
  restore: 0.7,
  clock: 1.5,
  'revoke-sessions': 1,
}

/** Steps with patients, beside and in place of counting. */
export const patientWeights = {
  'new-patient': 5,
  'edit-patient': 10,
  'view-patient': 4,
  'type-patient': 3,
  settle: 5,
  lock: 3,
  unlock: 4,
  'lose-key': 1.5,
}

/** Steps in the stockroom, beside and in place of counting. */
export const stockWeights = {
  'change-state': 9,
  'ask-label': 4,
  receive: 7,
  'receive-unknown': 2,
  'match-upc': 3,
}

/** Gives each history a flavor: bad networks in one, bad disks in another, so that rare events meet. */
function flavoured(chance: Dice): typeof usualWeights {
  const weights = { ...usualWeights }
  for (const name of Object.keys(weights) as (keyof typeof usualWeights)[]) {
    if (['scan', 'network-fine', 'disk-fine', 'thaw'].includes(name)) continue
    if (chance.chance(0.25)) weights[name] = 0
    else if (chance.chance(0.15)) weights[name] *= 4
  }
  return weights
}

/** `beside`: on the next device. */
type Encounter = readonly { do: StepName; tab?: 1; beside?: true; fate?: NetworkFate; gapMs: number }[]

/**
 * Events that must meet on one device or on two within moments, before anything can go wrong. Random single steps
 * rarely do.
 */
const encounters: readonly Encounter[] = [
  // A tab freezes while it sends, and the tab beside it has work too.
  [
    { do: 'open-tab', gapMs: 2000 },
    { do: 'freeze', gapMs: 5 },
    { do: 'scan', gapMs: 300 },
    { do: 'scan', tab: 1, gapMs: 2000 },
  ],
  // A command that waits for its next try meets a newer one.
  [
    { do: 'weather', fate: 'server-error', gapMs: 5 },
    { do: 'scan', gapMs: 300 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'scan', gapMs: 300 },
  ],
  // A clock is wrong while captures are stamped, and is corrected.
  [
    { do: 'clock', gapMs: 5 },
    { do: 'weather', fate: 'server-error', gapMs: 5 },
    { do: 'scan', gapMs: 2000 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'clock', gapMs: 300 },
  ],
  // The server has another store than the tablet believes.
  [
    { do: 'weather', fate: 'answer-lost', gapMs: 5 },
    { do: 'switch-store', gapMs: 1000 },
    { do: 'network-fine', gapMs: 2000 },
  ],
  // A tab finds the disk empty, and dies before it can say so.
  [
    { do: 'wipe', gapMs: 5 },
    { do: 'open-tab', gapMs: 0 },
    { do: 'crash', gapMs: 1000 },
    { do: 'open-tab', gapMs: 2000 },
  ],
  // The network fails and leaves work behind, and no user touches anything.
  [
    { do: 'scan', gapMs: 2000 },
    { do: 'weather', fate: 'request-lost', gapMs: 5 },
    { do: 'scan', gapMs: 5000 },
  ],
  // One device learns late of something that another has undone meanwhile.
  [
    { do: 'weather', fate: 'answer-late', gapMs: 5 },
    { do: 'create', gapMs: 300 },
    { do: 'network-fine', gapMs: 500 },
    { do: 'delete', beside: true, gapMs: 1000 },
    { do: 'page-returns', gapMs: 4000 },
  ],
]

const gaps = { instant: 6, moment: 12, while: 4, long: 0.7 }

export function planFor(seed: number): Plan {
  const chance = dice(seed, 'plan')
  const weights = flavoured(chance)
  const devices = Array.from({ length: 2 + Math.floor(chance.next() * chance.next() * chance.next() * (mostDevices - 1)) }, () => ({
    people: personNames.filter(() => chance.chance(0.6)),
    tabs: 1 + chance.below(chance.chance(0.2) ? 3 : 1),
    clockErrorMs: chance.chance(0.3) ? clockError(chance) : 0,
    hasLocks: !chance.chance(0.1),
  }))
  const isFirstDay = chance.chance(0.25)
  for (const [at, { people }] of devices.entries()) {
    const first = isFirstDay ? (people[0] ?? 'ben') : lastUserOf(at)
    if (!people.includes(first)) people.unshift(first)
  }
  // Many short days find more in an hour than a few long ones, but some faults need a long one.
  const length = chance.chance(0.85) ? 4 + chance.below(10) : 10 + chance.below(51)
  const meetsTrouble = chance.chance(0.5)
  const steps: Step[] = []
  while (steps.length < length) {
    if (meetsTrouble && chance.chance(0.08)) steps.push(...encounterOf(chance))
    else steps.push({ do: chance.weighted(weights), ...place(chance), gapMs: gapMs(chance) })
  }
  const accessTokenSeconds = chance.chance(0.3) ? 5 + chance.below(40) : 900
  return { seed, isFirstDay, devices, accessTokenSeconds, hasPatients: false, hasStock: false, steps }
}

function place(chance: Dice): Pick<Step, 'device' | 'tab' | 'draw'> {
  return { device: chance.below(60), tab: chance.below(60), draw: chance.below(1 << 30) }
}

function encounterOf(chance: Dice): Step[] {
  const { device } = place(chance)
  return chance.pick(encounters).map(({ tab, beside, ...step }) => ({
    ...step,
    ...place(chance),
    device: beside ? device + 1 : device,
    tab: tab ?? 0,
  }))
}

function gapMs(chance: Dice): number {
  switch (chance.weighted(gaps)) {
    case 'instant':
      return chance.below(20)
    case 'moment':
      return 20 + chance.below(1500)
    case 'while':
      return 1500 + chance.below(8000)
    case 'long':
      return 10_000 + chance.below(80_000)
  }
}

/** Returns an error from minutes to years, ahead or behind. */
export function clockError(chance: Dice): number {
  const size = chance.pick([90_000, 10 * 60_000, 5 * 3_600_000, 40 * 86_400_000, 2 * 365 * 86_400_000])
  return Math.round((chance.chance(0.5) ? 1 : -1) * size * (0.5 + chance.next()))
}

const troubles: readonly NetworkFate[] = [
  'request-lost',
  'answer-lost',
  'answer-lost',
  'answer-truncated',
  'request-repeated',
  'late',
  'answer-late',
  'hangs',
  'portal',
  'redirect',
  'bad-gateway',
  'server-error',
  'busy',
  'too-many',
  'forbidden',
  'conflict',
  'too-large',
  'outdated',
  'foreign-answer',
]

/** Mostly one kind of trouble, so that it happens often enough to do harm. */
export function badWeather(chance: Dice): Partial<Record<NetworkFate, number>> {
  const weights: Partial<Record<NetworkFate, number>> = { arrives: chance.chance(0.2) ? 0 : 1 }
  for (let kinds = 1 + chance.below(3); kinds > 0; kinds -= 1) weights[chance.pick(troubles)] = 0.3 + chance.next()
  return weights
}
