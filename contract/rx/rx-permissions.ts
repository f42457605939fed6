import type { PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of prescriptions. */
export const rxPermissions = {
  'rx.enter': ['optician', 'doctor'],
  /** Providers only. */
  'rx.sign': ['doctor'],
} as const satisfies PermissionEntries
