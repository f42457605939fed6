import type { Patient } from '#contract/patients/patient.ts'

export const priorityWords = { normal: 'Normal', vip: 'VIP', urgent: 'Urgent' } as const

/** Returns the label of a patient with priority, or null for the others. */
export function specialPriority({ priority }: Pick<Patient, 'priority'>): string | null {
  return priority === 'normal' ? null : priorityWords[priority]
}
