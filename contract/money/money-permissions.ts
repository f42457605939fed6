import { offices, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of invoices. */
export const moneyPermissions = {
  'invoice.read': offices,
} as const satisfies PermissionEntries
