import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { homeInfo } from '#contract/people/session.ts'
import * as v from 'valibot'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import type { Device } from '#src/sync/device/device.ts'
import { createPunching } from '#src/sync/session/punching.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { until } from '#tests/support/test-device.ts'
import { v7 as uuidv7 } from 'uuid'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

const names = async (device: Device) => (await device.hot.outbox.toArray()).map((command) => command.author.name)

describe('a shared tablet', () => {
  test('Ana signs out with a full outbox and Ben signs in: it leaves in his session and is hers', async () => {
    const { tablet, device } = await day.at('ana')
    tablet.network.online = false
    const sheet = await newSheet(device)
    for (let nth = 0; nth < 5; nth += 1) await scan(device, sheet, day.code(nth))
    await device.session.signOut()
    expect(await names(device)).toEqual(Array(6).fill('Ana Teixeira'))
    await until('the user sees it', () => device.connection.getState().waitsForSignIn)

    tablet.network.online = true
    await day.signIn(device, 'ben')
    await scan(device, sheet, day.code(5))
    await allSent(device)
    const { ana, ben } = day.server.seed.users
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => row.author_id)).toEqual([...Array(5).fill(ana.id_user), ben.id_user])
    const receipts = await day.receiptsAtServer()
    expect(new Set(receipts.map((receipt) => receipt.deliverer_id))).toEqual(new Set([ben.id_user]))
  })

  test('the next user does not get the mirrored punches of the last one, and the store’s sheets stay', async () => {
    // A punch waits eight seconds of the tablet's time, and a busy machine needs a while to check a password.
    const { tablet, device } = await day.at('ben', { haste: 2 })
    const sheet = await newSheet(device)
    const punching = createPunching(device, {
      now: () => tablet.now(),
      monotonic: () => 0,
      newId: () => uuidv7(),
      pause: async () => undefined,
    })
    expect(await punching.punch({ username: 'ben', password: seedPassword, direction: 'in' })).toMatchObject({ kind: 'done' })
    await device.pull()
    await until('his punch is mirrored', async () => (await device.hot.punches.count()) === 1)

    await device.session.signOut()
    expect(await device.hot.punches.count()).toBe(0)
    await day.signIn(device, 'ana')
    await device.pull()
    expect(await device.hot.punches.count()).toBe(0)
    expect(await device.hot.sheets.get(sheet)).toBeDefined()

    // The tablet drops the punch in the receipt too: it is another user's.
    tablet.network.online = false
    expect(await punching.punch({ username: 'ben', password: seedPassword, direction: 'out' })).toMatchObject({ kind: 'saved' })
    tablet.network.online = true
    await device.probe()
    await allSent(device)
    expect(await device.hot.punches.count()).toBe(0)

    await day.signIn(device, 'ben')
    await device.pull()
    await until('he finds both again', async () => (await device.hot.punches.count()) === 2)
  })

  test('the store is switched while scans are being sent: they stay the work of their store', async () => {
    const { tablet, device } = await day.at('ben')
    const sheet = await newSheet(device)
    await allSent(device)
    let switched = false
    tablet.network.between = async (path) => {
      if (path !== '/api/sync/push' || switched) return null
      switched = true
      const token = device.session.state.getState().home ? (tablet.stored.get('AccessToken') ?? '') : ''
      const answer = await day.server.request('POST', '/api/home/set_store', {
        token,
        body: { store_id: 2, device_id: device.deviceId },
      })
      await device.session.updateHome(v.parse(homeInfo, await answer.json()))
      return null
    }
    for (let nth = 0; nth < 4; nth += 1) await scan(device, sheet, day.code(nth))
    await until('the store was switched', () => device.session.state.getState().home?.store_id === 2)
    await allSent(device)
    tablet.network.between = null
    const eastside = await newSheet(device)
    await scan(device, eastside, day.server.seed.frames.eastside[0]?.sku ?? '')
    await allSent(device)
    await device.pull()
    expect((await day.scansAtServer(sheet)).map((row) => row.store_id)).toEqual([1, 1, 1, 1])
    expect((await day.scansAtServer(eastside)).map((row) => row.store_id)).toEqual([2])
    // The tablet keeps the sheets and cursors of both stores, for the way back.
    await until('both sheets are mirrored', async () => (await device.hot.sheets.count()) === 2)
    const cursors = (await device.hot.cursors.toArray()).map(({ key }) => key)
    expect(cursors).toEqual(expect.arrayContaining(['count_sheets store:1', 'count_sheets store:2']))
    expect(tablet.surprises).toEqual([])
  })

  test('two tabs count and send at once: every scan arrives once, in its order', async () => {
    const { tablet, device } = await day.at('ben')
    const second = await tablet.open()
    const sheet = await newSheet(device)
    tablet.network.answersToLose = 3
    const codes = []
    for (let nth = 0; nth < 20; nth += 1) {
      await scan(nth % 2 === 0 ? device : second, sheet, day.code(nth))
      codes.push(day.code(nth))
    }
    await allSent(device, second)
    expect((await day.scansAtServer(sheet)).map((row) => row.raw_code)).toEqual(codes)
  })

  test('a frozen tab wakes up after another has taken over: its old answer changes nothing', async () => {
    const { tablet, device } = await day.at('ben', { haste: 200 })
    const sheet = await newSheet(device)
    await allSent(device)
    let thaw = () => {}
    const frozen = new Promise<void>((resolve) => (thaw = resolve))
    let isFrozen = false
    const first = await scan(device, sheet, day.code(0))
    await allSent(device)
    expect(await device.hot.settled.get(first.id)).toBeDefined()
    // The page freezes during a call. The server has the work, and the tab learns it only after it thaws.
    tablet.network.between = async (path, init) => {
      if (path !== '/api/sync/push' || isFrozen) return null
      isFrozen = true
      const answer = await day.answer(path, init)
      await frozen
      return answer
    }
    const held = await scan(device, sheet, day.code(1))
    await until('the first tab is frozen', () => isFrozen)
    const second = await tablet.open()
    await until('the other tab lost its patience and sent it', async () => (await second.hot.settled.get(held.id)) !== undefined)
    const next = await scan(second, sheet, day.code(2))
    thaw()
    await allSent(device, second)
    expect((await day.scansAtServer(sheet)).map((row) => row.id)).toEqual([first.id, held.id, next.id])
    expect(await device.hot.settled.count()).toBe(4)
  })

  test('another tablet imports a file of unsent work, the first comes back and sends too: each command once', async () => {
    const { tablet, device } = await day.at('ana')
    tablet.network.online = false
    const sheet = await newSheet(device)
    const commands = []
    for (let nth = 0; nth < 6; nth += 1) commands.push(await scan(device, sheet, day.code(nth)))
    const file = await device.outbox.exportUnsent()
    const { device: other } = await day.at('ben')
    expect(await other.outbox.importUnsent(file)).toEqual({ added: 7, known: 0, problems: [] })
    tablet.network.online = true
    await Promise.all([device.drain(), other.drain()])
    await allSent(device, other)
    const rows = await day.scansAtServer(sheet)
    expect(rows.map((row) => row.id)).toEqual(commands.map(({ id }) => id))
    expect(new Set(rows.map((row) => row.author_id))).toEqual(new Set([day.server.seed.users.ana.id_user]))
    expect(await other.outbox.importUnsent(file)).toEqual({ added: 0, known: 7, problems: [] })
  })

  test('only the refresh token is left: the session is renewed without a sign-in', async () => {
    const { access_token: _access, refresh_token } = await day.server.signIn('ben')
    const tablet = day.tablet()
    tablet.stored.set('RefreshToken', refresh_token)
    const device = await tablet.open()
    await until('it is known who is signed in', () => device.session.state.getState().home?.username === 'ben')
    expect(device.session.state.getState().status).toBe(1)
    const sheet = await newSheet(device)
    await scan(device, sheet, day.code(0))
    await allSent(device)
    expect(await day.scansAtServer(sheet)).toHaveLength(1)
  })
})
