import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { controlFlags, type ControlFlag } from '#contract/stock/frames.ts'
import { allowedControls, type ControlPreset } from '#contract/stock/control-rules.ts'
import { errorBody } from '#contract/core/errors.ts'
import { emptyLetterhead, letterhead, type Letterhead } from '#contract/settings/letterhead.ts'
import { homeInfo } from '#contract/people/session.ts'
import {
  inventorySettings,
  type InventorySettings,
  opticalSettings,
  storeOpticalSettings,
  type OpticalSettings,
  usualOpticalSettings,
} from '#contract/settings/settings.ts'
import { defaultStoreSettings } from '#server/domain/people/store-settings.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'

let server: TestServer
const tokens = { maya: '', ben: '', ana: '' }
const path = '/api/settings/inventory'
const chosen: InventorySettings = { control_preset: 'specification', blind_counts: true, coverage_percent: 90, scan_gap_ms: 60 }

beforeAll(async () => {
  server = await startTestServer()
  for (const name of ['maya', 'ben', 'ana'] as const) tokens[name] = (await server.signIn(name)).access_token
})
afterEach(() => put(defaultStoreSettings))
afterAll(() => server.close())

const get = async (token: string) => v.parse(inventorySettings, await (await server.request('GET', path, { token })).json())
const put = (body: unknown, token = tokens.maya) => server.request('PUT', path, { token, body })
const refusalOf = async (answer: Response) => v.parse(errorBody, await answer.json())
const homeOf = async (token: string) => v.parse(homeInfo, await (await server.request('GET', '/api/home/home', { token })).json())

describe('the inventory settings of a store', () => {
  test('are readable for everyone who works there, and start with defaults for a stockroom', async () => {
    expect(await get(tokens.ben)).toEqual({ control_preset: 'practice', blind_counts: false, coverage_percent: 85, scan_gap_ms: 35 })
  })

  test('are changed by a manager, and then appear in everyone’s home info', async () => {
    const answer = await put(chosen)
    expect([answer.status, await answer.json()]).toEqual([200, chosen])
    expect(await get(tokens.ben)).toEqual(chosen)
    for (const token of [tokens.ben, tokens.maya, tokens.ana]) expect((await homeOf(token)).store_settings).toEqual(chosen)
  })

  test('cannot be changed by a clerk or an optician', async () => {
    for (const token of [tokens.ben, tokens.ana]) {
      const answer = await put(chosen, token)
      expect([answer.status, (await refusalOf(answer)).code]).toEqual([403, 'permission-missing'])
    }
    expect(await get(tokens.maya)).toEqual(defaultStoreSettings)
  })

  test('belong to one store: the others keep theirs', async () => {
    const { access_token } = await server.signIn('maya')
    await server.request('POST', '/api/home/set_store', { token: access_token, body: { store_id: 2 } })
    await put(chosen)
    expect(await get(access_token)).toEqual(defaultStoreSettings)
  })

  test.each([
    ['coverage_percent', [49, 101, 85.5, '85', null, -1]],
    ['scan_gap_ms', [9, 121, 35.5, 'fast', null, 1e9]],
    ['control_preset', ['practise', '', null, 1]],
    ['blind_counts', ['true', 1, null]],
  ])('a senseless %s is refused by name, and nothing is written', async (field, values) => {
    for (const value of values) {
      const answer = await put({ ...chosen, [field]: value })
      expect(answer.status).toBe(422)
      expect((await refusalOf(answer)).fields?.map((problem) => problem.path)).toEqual([`body.${field}`])
    }
    const { [field as keyof InventorySettings]: _left, ...rest } = chosen
    expect((await put(rest)).status).toBe(422)
    expect(await get(tokens.maya)).toEqual(defaultStoreSettings)
  })

  test('the ends of each range are allowed', async () => {
    for (const edge of [
      { coverage_percent: 50, scan_gap_ms: 10 },
      { coverage_percent: 100, scan_gap_ms: 120 },
    ]) {
      expect((await put({ ...chosen, ...edge })).status).toBe(200)
      expect(await get(tokens.ben)).toMatchObject(edge)
    }
  })

  test('keep the settings of a newer server, and ignore unknown ones', async () => {
    const kept = JSON.stringify({ ...defaultStoreSettings, label_printer: 'back room' })
    await server.db.pool.updateTable('stores').set({ settings: kept }).where('store_id', '=', 1).execute()
    expect(await (await put({ ...chosen, unheard_of: 1 })).json()).toEqual(chosen)
    const { settings } = await server.db.pool.selectFrom('stores').select('settings').where('store_id', '=', 1).executeTakeFirstOrThrow()
    expect(settings).toEqual({ ...chosen, label_printer: 'back room' })
  })

  test('of two managers who save at once the last one wins, and nothing is mixed', async () => {
    const other: InventorySettings = { control_preset: 'practice', blind_counts: false, coverage_percent: 55, scan_gap_ms: 15 }
    const answers = await Promise.all([put(chosen), put(other), put(chosen), put(other)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200])
    expect([chosen, other]).toContainEqual(await get(tokens.ben))
  })

  test('tablets of that store get a change through a revision of its own, which no scan raises', async () => {
    const heard: string[] = []
    const leave = server.services.changes.subscribe(({ scope }) => void heard.push(scope))
    await put(chosen)
    leave()
    expect(heard).toEqual(['settings:1'])
  })
})

describe('the preset', () => {
  const stateOf = async (id: number) =>
    await server.db.pool.selectFrom('frames').select(['status', 'version']).where('id_inventory', '=', id).executeTakeFirstOrThrow()
  const apply = async (id: number, flag: ControlFlag) =>
    await server.request('POST', '/api/inventory/update_state', {
      token: tokens.ben,
      body: { inventory_id: id, [flag]: true, note: 'as the rules allow' },
    })

  test.each(['practice', 'specification'] as ControlPreset[])(
    '%s decides which of the seven actions a frame for sale and a missing one can be given',
    async (control_preset) => {
      await put({ ...defaultStoreSettings, control_preset })
      const frames = server.seed.frames.downtown
      for (const [status, first] of [['Ready for Sale', 0] as const, ['Missing', 7] as const]) {
        for (const [at, flag] of controlFlags.entries()) {
          const frame = frames[first + at]!
          await server.db.pool.updateTable('frames').set({ status }).where('id_inventory', '=', frame.id_inventory).execute()
          const before = await stateOf(frame.id_inventory)
          const answer = await apply(frame.id_inventory, flag)
          const isAllowed = allowedControls(status, control_preset).includes(flag)
          expect(answer.status, `${flag} on ${status}`).toBe(isAllowed ? 200 : 409)
          if (isAllowed) continue
          const refusal = await refusalOf(answer)
          expect([refusal.code, refusal.error]).toEqual(['control-not-allowed', `Not possible while the frame is ${status}`])
          expect(await stateOf(frame.id_inventory)).toEqual(before)
        }
      }
    },
  )

  test('the two presets differ where it matters: a broken frame for sale', async () => {
    const { id_inventory } = server.seed.frames.downtown[20]!
    await put({ ...defaultStoreSettings, control_preset: 'specification' })
    expect((await apply(id_inventory, 'state_defective')).status).toBe(409)
    await put({ ...defaultStoreSettings, control_preset: 'practice' })
    expect((await apply(id_inventory, 'state_defective')).status).toBe(200)
  })

  test('of the current store counts, and a new count is blind when the store says so', async () => {
    await put(chosen)
    const answer = await server.request('POST', '/api/inventory/count_sheets', { token: tokens.maya, body: { notes: '' } })
    expect(await answer.json()).toMatchObject({ blind: true })
  })
})

describe('the optical settings of a store', () => {
  const place = '/api/settings/optical'
  const plus: OpticalSettings = {
    cylinder_notation: 'plus',
    power_step: 125,
    expiry_by_state: false,
    spectacle_expiry_months: 12,
    contact_lens_expiry_months: 24,
    vertex_distance: 12_500,
  }
  const change = (body: unknown, token = tokens.maya) => server.request('PUT', place, { token, body })
  const read = async (token = tokens.ben) => v.parse(opticalSettings, await (await server.request('GET', place, { token })).json())
  afterEach(() => change(usualOpticalSettings))

  test('start with the defaults, are changed by a manager, and leave the inventory settings alone', async () => {
    expect(await read()).toEqual(usualOpticalSettings)
    await put(chosen)
    const answer = await change(plus)
    expect([answer.status, await answer.json()]).toEqual([200, { ...plus, state: null }])
    expect(await read()).toEqual(plus)
    expect(await get(tokens.ben)).toEqual(chosen)
    await put(defaultStoreSettings)
    expect(await read()).toEqual(plus)
  })

  test('cannot be changed by others, and senseless values are refused', async () => {
    expect((await refusalOf(await change(plus, tokens.ana))).code).toBe('permission-missing')
    for (const [field, values] of Object.entries({
      cylinder_notation: ['both', null],
      power_step: [100, '250'],
      spectacle_expiry_months: [5, 61, 12.5],
      contact_lens_expiry_months: [11, 61],
      vertex_distance: [4500, 20_500, 12_600, null],
    })) {
      for (const value of values) {
        const answer = await change({ ...plus, [field]: value })
        expect(answer.status).toBe(422)
        expect((await refusalOf(answer)).fields?.map((problem) => problem.path)).toEqual([`body.${field}`])
      }
    }
    expect(await read()).toEqual(usualOpticalSettings)
  })

  test('read as the defaults when an older server wrote them or somebody spoiled them', async () => {
    const { pool } = server.services.db
    const optical = { cylinder_notation: 'plus', vertex_distance: 'far' } as never
    await pool
      .updateTable('stores')
      .set({ settings: JSON.stringify({ ...defaultStoreSettings, optical }) })
      .where('store_id', '=', 1)
      .execute()
    expect(await read()).toEqual({ ...usualOpticalSettings, cylinder_notation: 'plus', expiry_by_state: false })
  })

  test('expiry months follow the store’s state, unless managers choose their own; a tablet that knows no states chooses', async () => {
    const whole = async () => v.parse(storeOpticalSettings, await (await server.request('GET', place, { token: tokens.ben })).json())
    const address = (state: string | null) =>
      server.request('PUT', '/api/settings/letterhead', { token: tokens.maya, body: { ...emptyLetterhead, state } })
    await address('MN')
    await change({ ...plus, expiry_by_state: true })
    expect(await whole()).toMatchObject({ state: 'MN', expiry_by_state: true, spectacle_expiry_months: 24, contact_lens_expiry_months: 24 })
    await address('SC')
    expect(await whole()).toMatchObject({ state: 'SC', spectacle_expiry_months: 12, contact_lens_expiry_months: 12 })
    const { expiry_by_state: _, ...former } = plus
    await change(former)
    expect(await whole()).toEqual({ ...plus, state: 'SC' })
    await address(null)
  })
})

describe('the letterhead of a store', () => {
  const place = '/api/settings/letterhead'
  const canal: Letterhead = {
    ...emptyLetterhead,
    street_address: '12 Canal Street',
    city: 'Millbrook Falls',
    state: 'NY',
    zip_code: '12345',
  }
  const change = (body: unknown, token = tokens.maya) => server.request('PUT', place, { token, body })
  const read = async (token = tokens.ben) => v.parse(letterhead, await (await server.request('GET', place, { token })).json())

  test('is entered by a manager, read by everyone of the store, and separate from other stores', async () => {
    const answer = await change({ ...canal, phone: '+1 (518) 555-0120', fax: '' })
    expect([answer.status, await answer.json()]).toEqual([200, { ...canal, phone: '5185550120' }])
    expect(await read()).toEqual({ ...canal, phone: '5185550120' })
    await put(chosen)
    expect(await read()).toEqual({ ...canal, phone: '5185550120' })
    const { access_token } = await server.signIn('maya')
    await server.request('POST', '/api/home/set_store', { token: access_token, body: { store_id: 2 } })
    expect((await read(access_token)).street_address).not.toBe('12 Canal Street')
  })

  test('cannot be changed by others, and senseless values are refused', async () => {
    await change(canal)
    expect((await refusalOf(await change({ ...canal, city: 'Elsewhere' }, tokens.ana))).code).toBe('permission-missing')
    for (const [field, value] of Object.entries({ state: 'ZZ', zip_code: '123', phone: '12', fax: 'x', street_address: 'a\u0000' })) {
      const answer = await change({ ...canal, [field]: value })
      expect(answer.status).toBe(422)
      expect((await refusalOf(answer)).fields?.map((problem) => problem.path)).toEqual([`body.${field}`])
    }
    expect(await read()).toEqual(canal)
  })

  test('reads as empty when somebody spoiled it', async () => {
    const spoiled = { ...defaultStoreSettings, letterhead: { state: 4 } as never }
    await server.services.db.pool
      .updateTable('stores')
      .set({ settings: JSON.stringify(spoiled) })
      .where('store_id', '=', 1)
      .execute()
    expect(await read()).toEqual(emptyLetterhead)
  })
})

describe('the lock time of a store', () => {
  const place = '/api/settings/security'
  const read = async (token = tokens.ben) => (await server.request('GET', place, { token })).json()
  const change = (lock_minutes: unknown, token = tokens.maya) => server.request('PUT', place, { token, body: { lock_minutes } })

  test('is 15 minutes until a manager changes it, and then everyone’s home info says so', async () => {
    expect(await read()).toEqual({ lock_minutes: 15 })
    expect((await change(5)).status).toBe(200)
    expect(await read()).toEqual({ lock_minutes: 5 })
    for (const token of [tokens.ben, tokens.ana]) expect((await homeOf(token)).lock_minutes).toBe(5)
    const log = await server.db.pool.selectFrom('settings_audit').select(['action', 'changes']).orderBy('id', 'desc').limit(1).execute()
    expect(log).toEqual([{ action: 'security.edit', changes: [{ field: 'lock_minutes', before: 15, after: 5 }] }])
  })

  test('cannot be changed by a clerk, and is from 1 to 30 minutes', async () => {
    const answer = await change(5, tokens.ben)
    expect([answer.status, (await refusalOf(answer)).code]).toEqual([403, 'permission-missing'])
    for (const wrong of [0, 31, 60, 2.5, '5', null]) expect((await change(wrong)).status).toBe(422)
    for (const edge of [1, 30]) expect((await change(edge)).status).toBe(200)
  })
})
