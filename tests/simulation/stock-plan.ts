import { dice, type Dice } from './dice.ts'
import type { NetworkFate } from './network.ts'
import { type Plan, type Step, type StepName, stockWeights } from './plan.ts'

/** Counting steps that give way to stock work. */
const counting = new Set<StepName>(['scan', 'undo', 'note', 'old-note', 'close', 'recount', 'decide', 'delete'])

type Encounter = readonly { do: StepName; beside?: true; same?: true; fate?: NetworkFate; gapMs: number }[]

/** As in `plan.ts`. `same`: the same draw as the step before, so it concerns the same piece. */
const encounters: readonly Encounter[] = [
  // Two users change the same frame, and one of them learns of it late.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'change-state', gapMs: 500 },
    { do: 'change-state', beside: true, same: true, gapMs: 3000 },
    { do: 'network-fine', gapMs: 4000 },
  ],
  // Two users request the same label, and then the piece changes.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'ask-label', gapMs: 300 },
    { do: 'ask-label', beside: true, same: true, gapMs: 1000 },
    { do: 'change-state', same: true, gapMs: 300 },
    { do: 'network-fine', gapMs: 4000 },
  ],
  // The server takes a scan, and its answer gets lost.
  [
    { do: 'weather', fate: 'answer-lost', gapMs: 5 },
    { do: 'receive', gapMs: 2500 },
    { do: 'network-fine', gapMs: 3000 },
  ],
  // The same, but the tablet dies before the scan is stored or sent again.
  [
    { do: 'weather', fate: 'answer-late', gapMs: 5 },
    { do: 'receive', gapMs: 1500 },
    { do: 'kill-browser', gapMs: 500 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'open-tab', gapMs: 4000 },
  ],
  // The answer takes so long that another user is at the tablet by then.
  [
    { do: 'weather', fate: 'hangs', gapMs: 5 },
    { do: 'receive', gapMs: 1500 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'sign-out', gapMs: 3000 },
    { do: 'sign-in', gapMs: 25_000 },
  ],
  // The same user works in another store by then.
  [
    { do: 'weather', fate: 'hangs', gapMs: 5 },
    { do: 'receive', gapMs: 1500 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'switch-store', gapMs: 25_000 },
  ],
  // A delivery arrives offline with an unknown label, and a user of another tablet matches it.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'receive', gapMs: 500 },
    { do: 'receive-unknown', gapMs: 500 },
    { do: 'receive-unknown', beside: true, same: true, gapMs: 3000 },
    { do: 'network-fine', gapMs: 5000 },
    { do: 'match-upc', gapMs: 4000 },
    { do: 'receive-unknown', same: true, gapMs: 2000 },
  ],
  // The next user's session sends the work that the last one left.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'change-state', gapMs: 300 },
    { do: 'receive', gapMs: 300 },
    { do: 'ask-label', gapMs: 300 },
    { do: 'sign-out', gapMs: 4000 },
    { do: 'network-fine', gapMs: 5 },
    { do: 'sign-in', gapMs: 5000 },
  ],
  // A restore makes the server forget its work.
  [
    { do: 'back-up', gapMs: 500 },
    { do: 'receive', gapMs: 1500 },
    { do: 'change-state', gapMs: 1500 },
    { do: 'ask-label', gapMs: 2500 },
    { do: 'restore', gapMs: 4000 },
  ],
  // The disk does not answer, and the app saves the same work again.
  [
    { do: 'offline', gapMs: 5 },
    { do: 'disk-trouble', gapMs: 5 },
    { do: 'change-state', gapMs: 300 },
    { do: 'receive', gapMs: 7000 },
    { do: 'disk-fine', gapMs: 10_000 },
    { do: 'network-fine', gapMs: 3000 },
  ],
]

/** Adds work in the stockroom to a quarter of the clinics. It uses its own dice, so other histories stay unchanged. */
export function withStock(plan: Plan): Plan {
  const chance = dice(plan.seed, 'stockroom')
  if (!chance.chance(0.25)) return plan
  const steps: Step[] = []
  for (const step of plan.steps) {
    if (chance.chance(0.1)) steps.push(...encounterOf(chance, step.device))
    if (chance.chance(0.15))
      steps.push({ ...step, do: chance.weighted(stockWeights), draw: chance.below(1 << 30), gapMs: chance.below(3000) })
    const isReplaced = counting.has(step.do) && chance.chance(0.6)
    steps.push(isReplaced ? { ...step, do: chance.weighted(stockWeights), draw: chance.below(1 << 30) } : step)
  }
  return { ...plan, hasStock: true, steps }
}

function encounterOf(chance: Dice, device: number): Step[] {
  let draw = 0
  return chance.pick(encounters).map(({ beside, same, ...step }) => {
    draw = same ? draw : chance.below(1 << 30)
    return { ...step, device: beside ? device + 1 : device, tab: 0, draw }
  })
}
