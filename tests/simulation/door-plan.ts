import { dice } from './dice.ts'
import type { Plan, Step, StepName } from './plan.ts'

/** The first seed whose clinics with patients have these; all before it are the histories that they were. */
const firstSeed = 200_001

type Encounter = readonly { do: StepName; gapMs: number }[]

const encounters: readonly Encounter[] = [
  // Left alone, and opened by a PIN.
  [
    { do: 'lock', gapMs: 500 },
    { do: 'unlock-pin', gapMs: 4000 },
    { do: 'edit-patient', gapMs: 500 },
  ],
  // The tablet knows the PIN from then on, and asks for it without a connection.
  [
    { do: 'lock', gapMs: 500 },
    { do: 'unlock-pin', gapMs: 6000 },
    { do: 'offline', gapMs: 5 },
    { do: 'lock', gapMs: 500 },
    { do: 'unlock-pin', gapMs: 4000 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'network-fine', gapMs: 4000 },
    { do: 'sign-in', gapMs: 3000 },
  ],
  // A manager removes a tablet on which work waits.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'new-patient', gapMs: 500 },
    { do: 'remove-tablet', gapMs: 500 },
    { do: 'network-fine', gapMs: 5000 },
    { do: 'sign-in', gapMs: 5000 },
    { do: 'view-patient', gapMs: 500 },
  ],
  // And one on which somebody works at that moment, and which is killed over it.
  [
    { do: 'type-patient', gapMs: 300 },
    { do: 'remove-tablet', gapMs: 5 },
    { do: 'edit-patient', gapMs: 3000 },
    { do: 'kill-browser', gapMs: 500 },
    { do: 'open-tab', gapMs: 2000 },
    { do: 'sign-in', gapMs: 5000 },
  ],
  // A new key at the server while work waits, and the next who signs in gets another key than the one before.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'new-record-key', gapMs: 3000 },
    { do: 'network-fine', gapMs: 3000 },
    { do: 'new-patient', gapMs: 500 },
    { do: 'sign-out', gapMs: 3000 },
    { do: 'sign-in', gapMs: 6000 },
    { do: 'edit-patient', gapMs: 500 },
  ],
  // The same behind the lock: the mirror is under the new key, and the one who comes back without a connection has the old.
  [
    { do: 'new-record-key', gapMs: 3000 },
    { do: 'sign-out', gapMs: 2000 },
    { do: 'sign-in', gapMs: 6000 },
    { do: 'offline', gapMs: 5 },
    { do: 'lock', gapMs: 500 },
    { do: 'unlock', gapMs: 4000 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'network-fine', gapMs: 5000 },
  ],
]

/** A day in a clinic with patients, with who comes in by a PIN, whose tablet is removed, and a new key at the server. */
export function withDoors(plan: Plan): Plan {
  if (plan.seed < firstSeed) return plan
  const chance = dice(plan.seed, 'doors')
  const steps: Step[] = []
  for (const step of plan.steps) {
    if (chance.chance(0.15)) {
      const met = chance.pick(encounters)
      steps.push(...met.map((one) => ({ ...one, device: step.device, tab: 0, draw: chance.below(1 << 30) })))
    }
    steps.push(step)
  }
  return { ...plan, steps }
}
