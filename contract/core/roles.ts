/** Who may do what. The server enforces it on every call; the screens only reflect it. */
export const roles = ['stock_clerk', 'front_desk', 'optician', 'doctor', 'biller', 'manager', 'admin'] as const
export type Role = (typeof roles)[number]

const everyone = roles
const counters = ['stock_clerk', 'optician', 'manager', 'admin'] as const
const managers = ['manager', 'admin'] as const
const desks = ['front_desk', 'optician', 'doctor', 'manager', 'admin'] as const

/** Each permission and the roles that hold it. */
export const permissionTable = {
  'count.scan': counters,
  'count.see-expected-while-blind': managers,
  'count.close': managers,
  'count.delete': managers,
  'frame.look-up': everyone,
  'frame.change-state': counters,
  'frame.add': counters,
  'frame.price': managers,
  /** To another store, and received from one. */
  'frame.transfer': counters,
  /** Price labels: printed, and asked for. */
  'frame.label': counters,
  'frame.see-cost': ['biller', 'manager', 'admin'],
  /** What vendors deliver: looked at, received, and checked, paid or deleted. */
  'vendor-invoice.read': [...counters, 'biller'],
  'vendor-invoice.write': counters,
  'vendor-invoice.settle': ['biller', 'manager', 'admin'],
  /** What patients bring back: looked at, taken at the desk, and decided. */
  'patient-return.read': everyone,
  'patient-return.request': desks,
  'patient-return.decide': managers,
  /** Vendors, brands, products and models, which all stores share. */
  'library.write': counters,
  'time.punch': everyone,
  'time.review': managers,
  'patient.read': [...desks, 'biller'],
  'patient.write': desks,
  /** Patients of stores that one does not belong to. */
  'patient.other-stores': ['doctor', 'biller', 'manager', 'admin'],
  'patient.reveal-ssn': ['biller', 'manager', 'admin'],
  'patient.audit': managers,
  'message.read': [...desks, 'biller'],
  'message.write': [...desks, 'biller'],
  'invoice.read': [...desks, 'biller'],
  'appointment.read': [...desks, 'biller'],
  'file.read': [...desks, 'biller'],
  'file.write': [...desks, 'biller'],
  'insurance.write': [...desks, 'biller'],
  'rx.enter': ['optician', 'doctor'],
  /** Providers only. */
  'rx.sign': ['doctor'],
  /** Many at once, from a file. */
  'patient.import': managers,
  /** The list of primary care providers, which all stores share. */
  'pcp.write': [...desks, 'biller'],
  'pcp.merge': managers,
  'pcp.import': managers,
  'settings.inventory': managers,
  'settings.optical': managers,
  'settings.tablets': managers,
  /** The security log of one's stores. */
  'audit.read': managers,
} as const satisfies Record<string, readonly Role[]>

export type Permission = keyof typeof permissionTable
const permissions = Object.keys(permissionTable) as Permission[]

/** The permissions of someone with these roles. */
export function permissionsOf(held: readonly Role[]): Permission[] {
  return permissions.filter((permission) => (permissionTable[permission] as readonly Role[]).some((role) => held.includes(role)))
}
