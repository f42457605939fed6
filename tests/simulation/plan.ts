import { dice, type Dice } from './dice.ts'
import type { NetworkFate } from './network.ts'

/**
 * What happens in one history, written down before it begins: so it can be told, repeated, and made shorter. A step names
 * whom it concerns by numbers that are taken modulo what is there, so that it means something whatever steps are left out.
 */
export type Step = {
  do: StepName
  device: number
  tab: number
  /** Draws whatever else the step needs: a sheet, a frame, a person, how many. */
  draw: number
  /** Time that goes by afterwards, ms. */
  gapMs: number
}

export type StepName = keyof typeof usualWeights

export type Plan = {
  seed: number
  devices: { people: PersonName[]; tabs: number; clockErrorMs: number; hasLocks: boolean }[]
  accessTokenSeconds: number
  steps: Step[]
}

export const personNames = ['ben', 'ana', 'maya'] as const
export type PersonName = (typeof personNames)[number]

const usualWeights = {
  /** What is left of a step that was taken out: its time goes by. */
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

/** A history of its own flavour: in one the network is bad, in another the disks are, so that rare things meet. */
function flavoured(chance: Dice): Record<StepName, number> {
  const weights = { ...usualWeights }
  for (const name of Object.keys(weights) as StepName[]) {
    if (['scan', 'network-fine', 'disk-fine', 'thaw'].includes(name)) continue
    if (chance.chance(0.25)) weights[name] = 0
    else if (chance.chance(0.15)) weights[name] *= 4
  }
  return weights
}

const gaps = { instant: 6, moment: 12, while: 4, long: 0.7 }

export function planFor(seed: number): Plan {
  const chance = dice(seed, 'plan')
  const weights = flavoured(chance)
  const devices = Array.from({ length: 2 + Math.floor(chance.next() * chance.next() * 4) }, () => ({
    people: personNames.filter(() => chance.chance(0.6)),
    tabs: 1 + chance.below(chance.chance(0.3) ? 3 : 1),
    clockErrorMs: chance.chance(0.3) ? clockError(chance) : 0,
    hasLocks: !chance.chance(0.1),
  }))
  for (const device of devices) if (device.people.length === 0) device.people.push('ben')
  // Many short days find more in an hour than few long ones; some things need a long one.
  const length = 5 + Math.floor(chance.next() ** 3 * 56)
  const steps = Array.from({ length }, (): Step => ({
    do: chance.weighted(weights),
    device: chance.below(60),
    tab: chance.below(60),
    draw: chance.below(1 << 30),
    gapMs: gapMs(chance),
  }))
  return { seed, devices, accessTokenSeconds: chance.chance(0.3) ? 5 + chance.below(40) : 900, steps }
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

/** Minutes to years, ahead or behind. */
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

/** Mostly one kind of trouble, so that it gets through to where it hurts. */
export function badWeather(chance: Dice): Partial<Record<NetworkFate, number>> {
  const weights: Partial<Record<NetworkFate, number>> = { arrives: chance.chance(0.2) ? 0 : 1 }
  for (let kinds = 1 + chance.below(3); kinds > 0; kinds -= 1) weights[chance.pick(troubles)] = 0.3 + chance.next()
  return weights
}
