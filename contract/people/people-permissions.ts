import { everyone, managers, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of the time clock, tablets and the security log. */
export const peoplePermissions = {
  'time.punch': everyone,
  'time.review': managers,
  'settings.tablets': managers,
  /** The security log of one's stores. */
  'audit.read': managers,
} as const satisfies PermissionEntries
