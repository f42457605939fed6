import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Device } from '#src/sync/device/device.ts'
import { keptPatientsKey, patientsKeyRow } from '#src/sync/patients/patients-key.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
const revoked = { error: 'Token has been revoked', code: 'token-revoked' }

let clinic: FakeClinic
let tablet: FakeTablet
let device: Device
let isRevoked = false

beforeEach(async () => {
  clinic = new FakeClinic()
  isRevoked = false
  tablet = new FakeTablet(clinic.answer)
  tablet.network.between = (path) => (isRevoked && path !== '/api/health' ? json(401, revoked) : null)
  device = await tablet.open()
  await device.session.signIn(person('ben'))
})
afterEach(() => tablet.close())

async function scan(code: string, on: Device = device) {
  const body = { id_count_sheet: sheet, raw_code: code, id_inventory: null, via: 'scanner' as const, previous_scan: null }
  return await on.outbox.record('count.scan', `count:${sheet}`, body, { title: `Scan ${code}` })
}

const shown = (on: Device = device) => on.session.state.getState()
const tokens = () => [tablet.stored.get('AccessToken'), tablet.stored.get('RefreshToken')]

/** The server ends the session, and the next push learns of it. */
async function revoke() {
  isRevoked = true
  await scan('REVOKED-0')
  await until('the tablet knows that the session is over', () => shown().status === 0)
}

const signInAgain = async (who = person('ben'), on: Device = device) => {
  isRevoked = false
  clinic.accessToken = 'access-again'
  await on.session.signIn({ ...who, access_token: 'access-again', refresh_token: 'refresh-again' })
}

describe('a session that ends during a count', () => {
  test('deletes the tokens; every further scan is saved under its author and sent once after the sign-in', async () => {
    device.session.holdWork('scans')
    await revoke()
    expect(tokens()).toEqual([undefined, undefined])
    expect(await device.hot.session.get('session')).toMatchObject({ access_token: null, refresh_token: null, home: null })
    expect(shown()).toMatchObject({ status: 0, ended: 'scans', home: { username: 'ben' } })

    for (let nth = 1; nth <= 10; nth += 1) expect((await scan(`AFTER-${nth}`)).saved).toBe(true)
    const waiting = await device.hot.outbox.toArray()
    expect(waiting).toHaveLength(11)
    expect(new Set(waiting.map(({ author, capture_token }) => `${author.id_user} ${capture_token}`))).toEqual(new Set(['2 capture-ben']))
    expect(clinic.applied.size).toBe(0)

    await signInAgain()
    expect(shown()).toMatchObject({ status: 1, ended: null })
    await until('everything was sent', async () => (await device.hot.outbox.count()) === 0)
    expect([...clinic.applied.values()].map(({ body }) => body['raw_code'])).toEqual([
      'REVOKED-0',
      ...Array.from({ length: 10 }, (_, nth) => `AFTER-${nth + 1}`),
    ])
    expect(clinic.batches.flat()).toHaveLength(11)
  })

  test('drops the work when the user leaves it, and then nobody is an author', async () => {
    const leave = device.session.holdWork('scans')
    await revoke()
    leave()
    await until('the work is left', () => shown().home === null)
    expect(shown().ended).toBeNull()
    expect(await scan('TOO-LATE')).toMatchObject({ saved: false, problem: { reason: 'signed-out' } })
  })

  test('keeps the work when one form on the screen gives way to the next', async () => {
    const leave = device.session.holdWork('form')
    await revoke()
    leave()
    device.session.holdWork('form')
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(shown()).toMatchObject({ ended: 'form', home: { username: 'ben' } })
  })

  test('ends at once when there is no work on the screen', async () => {
    await revoke()
    expect(shown()).toMatchObject({ status: 0, home: null, ended: null })
  })

  test('hides patients like a locked tablet, and is most careful when a patient is on the screen', async () => {
    const { subtle } = crypto
    const key = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const ben = shown().home!
    await device.hot.facts.put(patientsKeyRow(ben, key))
    device.session.holdWork('scans')
    device.session.holdWork('patient')
    await revoke()
    expect(await keptPatientsKey(device.hot, ben)).toBeNull()
    expect(shown().ended).toBe('patient')
  })

  test('tells a call from the screen what to do, and counts that the session was needed', async () => {
    device.session.holdWork('form')
    await revoke()
    const answer = await device.call((await import('#contract/people/session.ts')).sessionEndpoints.storesToSet, {})
    expect(answer).toMatchObject({ ok: false, failure: { kind: 'signed-out', message: 'Sign in, then try again' } })
    expect(shown().asks).toBe(1)
  })

  test('is locked in its own window when the tablet is idle', async () => {
    device.session.holdWork('scans')
    await revoke()
    await device.session.lock()
    expect(shown()).toMatchObject({ locked: true, ended: 'scans' })
    await signInAgain()
    expect(shown()).toMatchObject({ locked: false, ended: null, status: 1 })
  })

  test('ends with a sign-out and with a visit to the login screen', async () => {
    device.session.holdWork('scans')
    await revoke()
    await device.session.signOut()
    expect(shown()).toMatchObject({ home: null, ended: null })
    await signInAgain()
    await revoke()
    expect(shown().ended).toBe('scans')
    await device.session.deleteTokens()
    expect(shown()).toMatchObject({ home: null, ended: null })
  })
})

describe('two windows', () => {
  test('a sign-out in one window leaves the count in the other, whose scans leave under their author’s name', async () => {
    const other = await tablet.open()
    device.session.holdWork('scans')
    await other.session.signOut()
    await until('the count heard of it', () => shown().status === 0)
    expect(shown()).toMatchObject({ ended: 'scans', home: { username: 'ben' } })
    expect(shown(other).home).toBeNull()
    expect((await scan('AFTER')).saved).toBe(true)
    expect(tokens()).toEqual([undefined, undefined])

    // A second sign-out, or a visit to the login screen there, changes nothing here.
    await other.session.deleteTokens()
    expect(shown().ended).toBe('scans')
    await signInAgain(person('ben'), other)
    await until('the count goes on', () => shown().ended === null && shown().status === 1)
    await until('everything was sent', async () => (await device.hot.outbox.count()) === 0)
    expect([...clinic.applied.values()].map(({ author }) => author.id_user)).toEqual([2])
  })

  test('another user who signs in takes over the tablet, but never the earlier scans', async () => {
    const other = await tablet.open()
    device.session.holdWork('scans')
    await revoke()
    await scan('BENS')
    await signInAgain(person('ana', 3), other)
    await until('the count is hers', () => shown().home?.username === 'ana')
    await scan('ANAS')
    await until('everything was sent', async () => (await device.hot.outbox.count()) === 0)
    const sent = [...clinic.applied.values()].map(({ body, author, capture_token }) => [body['raw_code'], author.id_user, capture_token])
    expect(sent).toEqual([
      ['REVOKED-0', 2, 'capture-ben'],
      ['BENS', 2, 'capture-ben'],
      ['ANAS', 3, 'capture-ana'],
    ])
  })
})
