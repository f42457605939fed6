import type { CommandFacts } from '#contract/sync/command-facts.ts'

/** Commands of patients. */
export const patientCommandKinds = {
  'patient.create': { version: 1, blocksLane: true, isSealed: true },
  'patient.edit': { version: 1, isSealed: true },
  'patient.view': { version: 1 },
} as const satisfies Record<string, CommandFacts>

export type PatientLane = `patient:${string}` | `views:${string}`
