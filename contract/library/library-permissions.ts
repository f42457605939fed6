import { counters, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of the frame library. */
export const libraryPermissions = {
  /** Vendors, brands, products and models, which all stores share. */
  'library.write': counters,
} as const satisfies PermissionEntries
