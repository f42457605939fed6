export const roles = ['stock_clerk', 'front_desk', 'optician', 'doctor', 'biller', 'manager', 'admin'] as const
export type Role = (typeof roles)[number]

/** Groups of roles that many permissions share. */
export const everyone = [...roles] as const
export const counters = ['stock_clerk', 'optician', 'manager', 'admin'] as const
export const managers = ['manager', 'admin'] as const
export const desks = ['front_desk', 'optician', 'doctor', 'manager', 'admin'] as const
/** Desks, and billers. */
export const offices = [...desks, 'biller'] as const

/** What an area declares of its permissions: each one with the roles that hold it. */
export type PermissionEntries = Record<string, readonly Role[]>
