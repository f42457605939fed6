import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patientInput } from '#contract/patients/patient.ts'
import { permissionTable, roles } from '#contract/core/roles.ts'
import { collectionPermissions, collections } from '#contract/sync/sync.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

let server: TestServer
let tablet: WireTablet

/** A clinic in which maya can see something in every collection. */
beforeAll(async () => {
  server = await startTestServer()
  tablet = new WireTablet(server, 'Shared tablet')
  const { id_user } = await tablet.signIn('maya')
  const sheet = await tablet.createSheet()
  const scan = tablet.scan(sheet, 'NOBODY')
  const decision = { id_count_sheet: sheet, id_inventory: null, id_scan: scan.id, decision: 'skip' as const, reason: 'a price tag' }
  const decided = tablet.command('count.decide', decision)
  const patient = v.parse(patientInput, {
    last_name: 'Whitfield',
    first_name: 'Nora',
    dob: '1980-02-28',
    street_address: '1 Main St',
    city: 'Larkspur',
    state: 'NY',
    zip_code: '12345',
    gender: 'Female',
    phone: '5185550123',
  })
  const receipts = await tablet.push([scan, decided, tablet.command('patient.create', { id_patient: uuidv7(), patient })])
  expect(receipts.map(({ outcome }) => outcome)).toEqual(['applied', 'applied', 'applied'])
  const at = new Date(server.clock.now()).toISOString()
  await server.db.write([`user:${id_user}`], async ({ trx, revision }) => {
    const punch = { id: uuidv7(), id_user, username: 'maya', store_id: 1, direction: 'in' as const, at, device_wall: at, received_at: at }
    const rest = { skew_ms: null, device_id: null, deliverer_id: null, supersedes: null, edited_by: null, edit_reason: null }
    await trx
      .insertInto('punches')
      .values({ ...punch, ...rest, offline_captured: false, in_review: false, revision: revision(`user:${id_user}`) })
      .execute()
  })
})
afterAll(() => server.close())

const become = (role: (typeof roles)[number]) =>
  server.db.pool
    .updateTable('users')
    .set({ role_ids: [role] })
    .where('username', '=', 'maya')
    .execute()

describe.each(roles)('a %s', (role) => {
  beforeAll(() => become(role))

  test.each(collections)('pulls %s only where the role may read them', async (collection) => {
    const holders: readonly string[] = permissionTable[collectionPermissions[collection]]
    const { rows, header } = await tablet.pull(collection)
    if (holders.includes(role)) expect(rows.length).toBeGreaterThan(0)
    else expect({ rows, total: header.total }).toEqual({ rows: [], total: 0 })
  })
})

test('a pull needs the same right as the list of counts', async () => {
  for (const role of roles) {
    await become(role)
    const list = await server.request('GET', '/api/inventory/count_sheets', { token: tablet.session.access_token })
    expect([role, (await tablet.pull('count_sheets')).rows.length > 0]).toEqual([role, list.status === 200])
  }
})

test('an older app at the front desk gets the order to drop its counts, and keeps its punches', async () => {
  await become('stock_clerk')
  const { cursor } = await tablet.pull('count_items')
  await become('front_desk')
  expect(await tablet.pull('count_items', cursor)).toMatchObject({ rows: [], header: { replace: true } })
  expect((await tablet.pull('punches')).rows).toHaveLength(1)
})
