import type { PermissionEntries, Role } from '#contract/core/role-groups.ts'
import { calendarPermissions } from '#contract/calendar/calendar-permissions.ts'
import { countPermissions } from '#contract/counts/count-permissions.ts'
import { insurancePermissions } from '#contract/insurance/insurance-permissions.ts'
import { libraryPermissions } from '#contract/library/library-permissions.ts'
import { moneyPermissions } from '#contract/money/money-permissions.ts'
import { patientPermissions } from '#contract/patients/patient-permissions.ts'
import { peoplePermissions } from '#contract/people/people-permissions.ts'
import { receivingPermissions } from '#contract/receiving/receiving-permissions.ts'
import { returnPermissions } from '#contract/returns/return-permissions.ts'
import { rxPermissions } from '#contract/rx/rx-permissions.ts'
import { settingsPermissions } from '#contract/settings/settings-permissions.ts'
import { stockPermissions } from '#contract/stock/stock-permissions.ts'

export * from '#contract/core/role-groups.ts'

/**
 * Who may do what. Each area declares its permissions in `<area>-permissions.ts`; this file only merges them. The server
 * checks every call; the screens only reflect it.
 */
export const permissionTable = {
  ...calendarPermissions,
  ...countPermissions,
  ...insurancePermissions,
  ...libraryPermissions,
  ...moneyPermissions,
  ...patientPermissions,
  ...peoplePermissions,
  ...receivingPermissions,
  ...returnPermissions,
  ...rxPermissions,
  ...settingsPermissions,
  ...stockPermissions,
} as const satisfies PermissionEntries

export type Permission = keyof typeof permissionTable
const permissions = Object.keys(permissionTable) as Permission[]

/** The permissions of someone with these roles. */
export function permissionsOf(held: readonly Role[]): Permission[] {
  return permissions.filter((permission) => (permissionTable[permission] as readonly Role[]).some((role) => held.includes(role)))
}
