import { counters, everyone, managers, type PermissionEntries } from '#contract/core/role-groups.ts'

/** Permissions of frames, transfers and labels. */
export const stockPermissions = {
  'frame.look-up': everyone,
  'frame.change-state': counters,
  'frame.add': counters,
  'frame.price': managers,
  /** To another store, and received from one. */
  'frame.transfer': counters,
  /** Price labels: printed, and asked for. */
  'frame.label': counters,
  'frame.see-cost': ['biller', 'manager', 'admin'],
} as const satisfies PermissionEntries
