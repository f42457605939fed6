import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Frame } from '#contract/frames.ts'
import { keepFrameState } from '#src/sync/keep-frame-state.ts'
import { keepLabelRequests } from '#src/sync/keep-label-request.ts'
import type { Device } from '#src/sync/device.ts'
import { allSent, ClinicDay } from '#tests/support/clinic-day.ts'
import { until } from '#tests/support/test-device.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

/** A tablet that has the frames, with someone at it. */
async function at(username: string) {
  const { tablet, device } = await day.at(username)
  await until('the frames are there', () => Promise.resolve(device.frames.size() > 0))
  return { tablet, device }
}

function piece(device: Device, nth: number): Frame {
  const found = device.frames.find(day.code(nth))
  if (!found || found.by === 'upc') throw new Error(`No frame ${nth} on the tablet`)
  return found.frame
}

const historyOf = (nth: number) =>
  day.server.db.reads
    .selectFrom('frame_history')
    .selectAll()
    .where('id_inventory', '=', day.server.seed.frames.downtown[nth]!.id_inventory)
    .execute()

describe('a day in the stockroom without a connection', () => {
  test('a defective frame is noted on the spot, survives a restart of the tablet, and reaches the server and the other tablet once', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await keepFrameState(here.device, piece(here.device, 3), 'state_defective', 'left hinge')).toBeNull()
    expect(await historyOf(3)).toEqual([])
    await here.device.close()
    const again = await here.tablet.open()
    expect(await again.hot.outbox.count()).toBe(1)

    here.tablet.network.online = true
    await allSent(again)
    expect(await historyOf(3)).toMatchObject([{ rep: 'Ben Halvorsen', action: 'Defective', extra: 'left hinge' }])
    for (const device of [again, there.device])
      await until('the tablet knows it', () => Promise.resolve(piece(device, 3).status === 'Defective'))
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })

  test('of two people who hold the same frame for something else one wins, and the other is told and loses nothing of what was typed', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await keepFrameState(here.device, piece(here.device, 4), 'state_return_vendor', 'RMA 7')).toBeNull()
    expect(await keepFrameState(there.device, piece(there.device, 4), 'state_remove', '')).toBeNull()
    await allSent(there.device)

    here.tablet.network.online = true
    const waiting = () => here.device.hot.outbox.toArray()
    await until('it waits for a person', async () => (await waiting()).every(({ state }) => state === 'needs-attention'))
    expect(await waiting()).toMatchObject([{ body: { note: 'RMA 7' }, last_error: { code: 'frame-changed' } }])
    expect(await historyOf(4)).toMatchObject([{ rep: 'Maya Okonjo', action: 'Item is missing' }])
    // The others of the tablet go on.
    expect(await keepFrameState(here.device, piece(here.device, 5), 'state_remove', '')).toBeNull()
    await until('the other one is sent', async () => (await waiting()).length === 1)
    expect(await historyOf(5)).toHaveLength(1)
  })

  test('a new label is asked for on two tablets, survives a restart, and waits at the server once', async () => {
    const [here, there] = [await at('ben'), await at('maya')]
    here.tablet.network.online = false
    expect(await keepLabelRequests(here.device, [piece(here.device, 6), piece(here.device, 7)])).toBeNull()
    await here.device.close()
    const again = await here.tablet.open()
    expect(await again.hot.outbox.count()).toBe(2)
    expect(await keepLabelRequests(there.device, [piece(there.device, 6)])).toBeNull()
    await allSent(there.device)

    here.tablet.network.online = true
    await allSent(again)
    const list = await day.server.db.reads.selectFrom('label_request').selectAll().orderBy('id_inventory').execute()
    const wanted = [6, 7].map((nth) => day.server.seed.frames.downtown[nth]!.id_inventory)
    expect(list.map(({ id_inventory, asked_by, state }) => [id_inventory, asked_by, state])).toEqual([
      [wanted[0], 'Maya Okonjo', 'waiting'],
      [wanted[1], 'Ben Halvorsen', 'waiting'],
    ])
    expect([...here.tablet.surprises, ...there.tablet.surprises]).toEqual([])
  })
})
