import { dice } from './dice.ts'
import type { Plan, Step } from './plan.ts'

/** The first seed with this encounter. Histories of smaller seeds stay unchanged. */
const firstSeed = 400_001

/**
 * Work piles up, and something on its way to the server rejects each batch as too large. Random steps seldom lead to
 * this.
 */
const encounter = [
  { do: 'offline', gapMs: 5 },
  { do: 'scan', gapMs: 300 },
  { do: 'scan', gapMs: 300 },
  { do: 'scan', gapMs: 300 },
  { do: 'weather', fate: 'too-large', gapMs: 5 },
  { do: 'page-returns', gapMs: 8000 },
  { do: 'network-fine', gapMs: 4000 },
] as const

export function withRareFaults(plan: Plan): Plan {
  if (plan.seed < firstSeed) return plan
  const chance = dice(plan.seed, 'rare')
  const device = chance.below(60)
  const steps: Step[] = encounter.map((step) => ({ ...step, device, tab: 0, draw: chance.below(1 << 30) }))
  return { ...plan, steps: plan.steps.toSpliced(chance.below(plan.steps.length), 0, ...steps) }
}
