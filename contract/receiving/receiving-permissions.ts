import { counters, type PermissionEntries } from '#contract/core/role-groups.ts'

/** What vendors deliver: looked at, received, and checked, paid or deleted. */
export const receivingPermissions = {
  'vendor-invoice.read': [...counters, 'biller'],
  'vendor-invoice.write': counters,
  'vendor-invoice.settle': ['biller', 'manager', 'admin'],
} as const satisfies PermissionEntries
