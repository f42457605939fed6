import { desks, everyone, managers, type PermissionEntries } from '#contract/core/role-groups.ts'

/** What patients bring back: looked at, taken at the desk, and decided. */
export const returnPermissions = {
  'patient-return.read': everyone,
  'patient-return.request': desks,
  'patient-return.decide': managers,
} as const satisfies PermissionEntries
