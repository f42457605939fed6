import type { ProviderNumbers } from '#contract/settings/providers.ts'
import type { Role } from '#contract/core/roles.ts'

/** The stores and people of the demo clinic. The first start prints their sign-in data, and the README has it too. */
export const demoPassword = 'lorgnette-demo'

export const demoStores = [
  {
    store_id: 1,
    store_name: 'Downtown Eye Care',
    short_name: 'Downtown',
    time_zone: 'America/New_York',
    is_warehouse: false,
    tag: 'DT',
    city: 'Millbrook Falls',
    letterhead: {
      street_address: '12 Canal Street',
      address_line_2: 'Suite 2',
      city: 'Millbrook Falls',
      state: 'NY',
      zip_code: '12345',
      phone: '5185550120',
      fax: '5185550121',
    },
  },
  {
    store_id: 2,
    store_name: 'Eastside Eye Care',
    short_name: 'Eastside',
    time_zone: 'America/Chicago',
    is_warehouse: false,
    tag: 'ES',
    city: 'Larkspur',
    letterhead: {
      street_address: '480 Prairie Avenue',
      address_line_2: null,
      city: 'Larkspur',
      state: 'IL',
      zip_code: '60123',
      phone: '3095550140',
      fax: '3095550141',
    },
  },
  {
    store_id: 3,
    store_name: 'Central Warehouse',
    short_name: 'Warehouse',
    time_zone: 'America/New_York',
    is_warehouse: true,
    tag: 'WH',
    city: 'Millbrook Falls',
    letterhead: {
      street_address: '7 Depot Road',
      address_line_2: null,
      city: 'Millbrook Falls',
      state: 'NY',
      zip_code: '12345',
      phone: '5185550130',
      fax: '5185550131',
    },
  },
] as const

export type DemoStore = (typeof demoStores)[number]

type DemoPerson = { id_user: number; username: string; first_name: string; last_name: string; pin: string; roles: Role[]; device: string }

/** The doctor's license and NPI, as her prescriptions print them. */
export const doctorNumbers: ProviderNumbers = { license_no: 'OPT-20417', npi: '1234567893' }

export const demoPeople = [
  {
    id_user: 1,
    username: 'maya',
    first_name: 'Maya',
    last_name: 'Okonjo',
    pin: '246810',
    roles: ['manager'],
    device: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f01',
  },
  {
    id_user: 2,
    username: 'ben',
    first_name: 'Ben',
    last_name: 'Halvorsen',
    pin: '135790',
    roles: ['stock_clerk'],
    device: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f02',
  },
  {
    id_user: 3,
    username: 'ana',
    first_name: 'Ana',
    last_name: 'Teixeira',
    pin: '112233',
    roles: ['optician'],
    device: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f03',
  },
  {
    id_user: 4,
    username: 'iris',
    first_name: 'Iris',
    last_name: 'Lindqvist',
    pin: '314159',
    roles: ['doctor'],
    device: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f04',
  },
  {
    id_user: 5,
    username: 'leo',
    first_name: 'Leo',
    last_name: 'Marchetti',
    pin: '271828',
    roles: ['front_desk'],
    device: '5b0e9a3c-41d7-4c0a-9f52-0d6a8e1c7f05',
  },
] as const satisfies readonly DemoPerson[]

export function fullName(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`
}
