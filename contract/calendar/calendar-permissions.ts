import { offices, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of appointments. */
export const calendarPermissions = {
  'appointment.read': offices,
} as const satisfies PermissionEntries
