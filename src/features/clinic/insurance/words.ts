import type { InsurancePriority, Relationship } from '#contract/insurance/insurance.ts'
import type { LensKind, Service, ShareLine } from '#contract/insurance/insurance-benefits.ts'

export const priorityNames: Record<InsurancePriority, string> = { primary: 'Primary', secondary: 'Secondary', tertiary: 'Tertiary' }
export const relationshipNames: Record<Relationship, string> = {
  self: 'Self (the subscriber)',
  spouse: 'Spouse',
  child: 'Child',
  other: 'Other',
}
export const serviceNames: Record<Service, string> = { exam: 'Exam', lens: 'Lenses', frame: 'Frame', cl: 'Contact lenses' }
export const lensNames: Record<LensKind, string> = { sv: 'Single vision', bi: 'Bifocal', tri: 'Trifocal', prog: 'Progressive' }
export const shareNames: Record<ShareLine['item'], string> = {
  exam: 'Exam',
  fit: 'Contact lens fitting',
  frame: 'Frame',
  lens: 'Lenses',
  'material copay': 'Material copay',
  cl: 'Contact lenses',
}
