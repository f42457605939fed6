import { offices, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of insurance. */
export const insurancePermissions = {
  'insurance.write': offices,
} as const satisfies PermissionEntries
