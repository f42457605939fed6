import { desks, managers, offices, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of patients, messages, files and primary care providers. */
export const patientPermissions = {
  'patient.read': offices,
  'patient.write': desks,
  /** Patients of stores that one does not belong to. */
  'patient.other-stores': ['doctor', 'biller', 'manager', 'admin'],
  'patient.reveal-ssn': ['biller', 'manager', 'admin'],
  'patient.audit': managers,
  /** Many at once, from a file. */
  'patient.import': managers,
  'message.read': offices,
  'message.write': offices,
  'file.read': offices,
  'file.write': offices,
  /** The list of primary care providers, which all stores share. */
  'pcp.write': offices,
  'pcp.merge': managers,
  'pcp.import': managers,
} as const satisfies PermissionEntries
