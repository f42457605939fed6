import type { Patient } from '#contract/patients/patient.ts'

export const priorityWords = { normal: 'Normal', vip: 'VIP', urgent: 'Urgent' } as const

/** What stands beside the name of whoever goes before others; null for everybody else. */
export function specialPriority({ priority }: Pick<Patient, 'priority'>): string | null {
  return priority === 'normal' ? null : priorityWords[priority]
}
