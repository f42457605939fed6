import { dice, type Dice } from './dice.ts'
import type { NetworkFate } from './network.ts'
import { clockError, patientWeights, type PersonName, personNames, type Plan, type Step, type StepName } from './plan.ts'

/** Counting steps that give way to patients. */
const counting = new Set<StepName>(['scan', 'undo', 'note', 'old-note', 'create', 'close', 'recount', 'decide', 'delete'])

type Encounter = readonly { do: StepName; beside?: true; same?: true; fate?: NetworkFate; gapMs: number }[]

/** As in `plan.ts`. `same`: the same draw as the step before, so it concerns the same patient and field. */
const encounters: readonly Encounter[] = [
  // Two users change the same field unaware of each other, and one settles the conflict.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'edit-patient', beside: true, same: true, gapMs: 4000 },
    { do: 'network-fine', gapMs: 9000 },
    { do: 'settle', gapMs: 3000 },
  ],
  // The same, but the tablet dies before anyone has looked.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'edit-patient', beside: true, same: true, gapMs: 4000 },
    { do: 'network-fine', gapMs: 8000 },
    { do: 'kill-browser', gapMs: 5 },
    { do: 'open-tab', gapMs: 5000 },
    { do: 'settle', gapMs: 3000 },
  ],
  // A day offline: sign out, sign in by password alone, and work in between.
  [
    { do: 'sign-in', gapMs: 4000 },
    { do: 'offline', gapMs: 5 },
    { do: 'new-patient', gapMs: 500 },
    { do: 'sign-out', gapMs: 6000 },
    { do: 'sign-in', gapMs: 5000 },
    { do: 'view-patient', gapMs: 500 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'network-fine', gapMs: 500 },
    { do: 'sign-in', gapMs: 4000 },
  ],
  // A tablet is locked, killed and unlocked again.
  [
    { do: 'type-patient', gapMs: 300 },
    { do: 'lock', gapMs: 5 },
    { do: 'kill-browser', gapMs: 500 },
    { do: 'open-tab', gapMs: 2000 },
    { do: 'unlock', gapMs: 4000 },
    { do: 'type-patient', gapMs: 300 },
  ],
  // The key is lost while work waits that only it can decrypt.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 300 },
    { do: 'lose-key', gapMs: 5 },
    { do: 'new-patient', gapMs: 300 },
    { do: 'kill-browser', gapMs: 5 },
    { do: 'open-tab', gapMs: 2000 },
    { do: 'network-fine', gapMs: 3000 },
  ],
  // The answer to an edit gets lost, another user changes the same field, and the edit comes again.
  [
    { do: 'weather', fate: 'answer-lost', gapMs: 5 },
    { do: 'edit-patient', gapMs: 600 },
    { do: 'edit-patient', beside: true, same: true, gapMs: 2000 },
    { do: 'network-fine', gapMs: 6000 },
    { do: 'settle', gapMs: 3000 },
  ],
  // The next user may not read the last one's waiting work, but sends it.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 400 },
    { do: 'sign-out', gapMs: 5000 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'sign-in', gapMs: 5000 },
  ],
  // The disk does not answer, and the app saves the same work again.
  [
    { do: 'disk-trouble', gapMs: 5 },
    { do: 'edit-patient', gapMs: 7000 },
    { do: 'disk-fine', gapMs: 9000 },
  ],
  // A clock jumps while a user is signed in offline.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'sign-out', gapMs: 5000 },
    { do: 'sign-in', gapMs: 3000 },
    { do: 'clock', gapMs: 5 },
    { do: 'kill-browser', gapMs: 500 },
    { do: 'open-tab', gapMs: 2000 },
    { do: 'sign-in', gapMs: 3000 },
  ],
]

/** The last user of a device before the day starts, when it mirrors patients. The first two may read patients. */
export function lastReaderOf(device: number): PersonName {
  return (['ana', 'maya', 'ben'] as const)[device % 3] ?? 'ana'
}

/** Adds patients to the day. It uses its own dice, so other histories stay unchanged. */
export function withPatients(plan: Plan): Plan {
  const chance = dice(plan.seed, 'patients')
  const devices = plan.devices.map((device, at) => {
    const last = lastReaderOf(at)
    const people = [last, ...personNames.filter((name) => name !== last && chance.chance(0.5))]
    return { ...device, people, clockErrorMs: chance.chance(0.15) ? clockError(chance) : 0 }
  })
  const steps: Step[] = []
  for (const step of plan.steps) {
    if (chance.chance(0.17)) steps.push(...encounterOf(chance, step.device))
    if (chance.chance(0.3))
      steps.push({ ...step, do: chance.weighted(patientWeights), draw: chance.below(1 << 30), gapMs: chance.below(3000) })
    const isReplaced = counting.has(step.do) && chance.chance(0.8)
    steps.push(isReplaced ? { ...step, do: chance.weighted(patientWeights), draw: chance.below(1 << 30) } : step)
  }
  return { ...plan, hasPatients: true, devices, steps }
}

function encounterOf(chance: Dice, device: number): Step[] {
  let draw = 0
  return chance.pick(encounters).map(({ beside, same, ...step }) => {
    draw = same ? draw : chance.below(1 << 30)
    return { ...step, device: beside ? device + 1 : device, tab: 0, draw }
  })
}
