import { dice } from './dice.ts'
import { withDoors } from './door-plan.ts'
import { withPatients } from './patient-plan.ts'
import { type Plan, planFor } from './plan.ts'
import { withRareFaults } from './rare-plan.ts'
import { withStock } from './stock-plan.ts'

/** The day of a seed; in one of four clinics there are patients, in one of four, these or others, there is work in the stockroom. */
export function clinicDay(seed: number): Plan {
  const plan = planFor(seed)
  return withRareFaults(withStock(dice(seed, 'clinic').chance(0.25) ? withDoors(withPatients(plan)) : plan))
}
