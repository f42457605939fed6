import { counters, managers, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of counting. */
export const countPermissions = {
  'count.scan': counters,
  'count.see-expected-while-blind': managers,
  'count.close': managers,
  'count.delete': managers,
} as const satisfies PermissionEntries
