import { managers, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of settings. */
export const settingsPermissions = {
  'settings.inventory': managers,
  'settings.optical': managers,
  'settings.security': managers,
} as const satisfies PermissionEntries
