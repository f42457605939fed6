import { networkFates } from './network.ts'
import { doorSteps, patientWeights, stockWeights, usualWeights } from './plan.ts'

/** How often each kind of step and fault happened. */
export type Met = Record<string, number>

const steps = [...Object.keys({ ...usualWeights, ...patientWeights, ...stockWeights }), ...doorSteps].filter((name) => name !== 'nothing')
const faults = networkFates.filter((fate) => fate !== 'arrives')
const diskFaults = ['full-at-write', 'full-at-commit', 'hangs'] as const

/** Every kind of step and fault. A run without one of them proves nothing about it. */
export const metKinds: readonly string[] = [
  ...steps.map((name) => `step ${name}`),
  ...faults.map((name) => `network ${name}`),
  ...diskFaults.map((name) => `disk ${name}`),
]
