import { dice } from './dice.ts'
import type { Plan, Step, StepName } from './plan.ts'

/** The first seed with these encounters. Histories of smaller seeds stay unchanged. */
const firstSeed = 200_001

type Encounter = readonly { do: StepName; gapMs: number }[]

const encounters: readonly Encounter[] = [
  // The tablet locks, and a PIN unlocks it.
  [
    { do: 'lock', gapMs: 500 },
    { do: 'unlock-pin', gapMs: 4000 },
    { do: 'edit-patient', gapMs: 500 },
  ],
  // From then on the tablet knows the PIN, and accepts it without a connection.
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
  // A manager revokes a tablet with waiting work.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'edit-patient', gapMs: 500 },
    { do: 'new-patient', gapMs: 500 },
    { do: 'remove-tablet', gapMs: 500 },
    { do: 'network-fine', gapMs: 5000 },
    { do: 'sign-in', gapMs: 5000 },
    { do: 'view-patient', gapMs: 500 },
  ],
  // A manager revokes a tablet in use, and the browser dies over it.
  [
    { do: 'type-patient', gapMs: 300 },
    { do: 'remove-tablet', gapMs: 5 },
    { do: 'edit-patient', gapMs: 3000 },
    { do: 'kill-browser', gapMs: 500 },
    { do: 'open-tab', gapMs: 2000 },
    { do: 'sign-in', gapMs: 5000 },
  ],
  // The server gets a new key while work waits. The next user who signs in gets another key than the one before.
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
  // The same behind the lock: the mirror is under the new key, and a user who unlocks offline has the old one.
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

/** Adds PIN unlocks, revoked tablets and a new key at the server to a day in a clinic with patients. */
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
