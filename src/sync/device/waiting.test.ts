import { afterEach, beforeEach, expect, test } from 'vitest'
import * as v from 'valibot'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet } from '#tests/support/test-device.ts'
import type { Device } from './device.ts'
import { waiting } from './waiting.ts'

const labels = waiting('frame', { 'label.request': v.object({ id_inventory: v.number() }) })

let tablet: FakeTablet
let device: Device

beforeEach(async () => {
  tablet = new FakeTablet(new FakeClinic().answer, { haste: 200 })
  tablet.network.online = false
  device = await tablet.open()
  await device.session.signIn(person('ben'))
})
afterEach(() => tablet.close())

const ask = (id_inventory: number) => labels.record(device, 'label.request', id_inventory, { id_inventory }, `Label ${id_inventory}`)

test('recorded work waits under its lane, with its author and title', async () => {
  expect([await ask(1), await ask(12)]).toEqual([null, null])
  expect((await labels.read(device.hot)).map(({ title, refusal }) => [title, refusal])).toEqual([
    ['Label 1', null],
    ['Label 12', null],
  ])
  expect(await labels.read(device.hot, 1)).toMatchObject([{ kind: 'label.request', body: { id_inventory: 1 } }])
})

test('other work of the same lane, and a body of an older app, are left out', async () => {
  await ask(1)
  const seen = { status: 'Ready for Sale' as const, store_id: 1 }
  const change = { id_inventory: 1, action: 'state_remove' as const, note: '', seen }
  await device.outbox.record('frame.change-state', 'frame:1', change, { title: 'Removed' })
  const [first] = await labels.read(device.hot)
  await ask(2)
  const second = (await labels.read(device.hot)).at(-1)!
  await device.hot.outbox.update(second.id, { body: { frame: 2 } })
  expect(await labels.read(device.hot)).toEqual([first])
})

test('refused work says why', async () => {
  await ask(1)
  const [{ id } = { id: '' }] = await labels.read(device.hot)
  const last_error = { code: 'store-foreign', message: 'It belongs to Eastside', status: 403, at: '2026-11-21T10:00:00.000Z' }
  await device.hot.outbox.update(id, { state: 'needs-attention', last_error })
  expect(await labels.read(device.hot)).toMatchObject([{ refusal: { message: 'It belongs to Eastside' } }])
})
