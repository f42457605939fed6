import { dice } from './dice.ts'
import { withDoors } from './door-plan.ts'
import { withPatients } from './patient-plan.ts'
import { type Plan, planFor } from './plan.ts'
import { withRareFaults } from './rare-plan.ts'
import { withStock } from './stock-plan.ts'

/**
 * Returns the day of a seed. A quarter of the clinics have patients, and a quarter, drawn separately, have work in the
 * stockroom.
 */
export function clinicDay(seed: number): Plan {
  const plan = planFor(seed)
  return withRareFaults(withStock(dice(seed, 'clinic').chance(0.25) ? withDoors(withPatients(plan)) : plan))
}
