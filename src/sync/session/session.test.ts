import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sessionEndpoints } from '#contract/people/session.ts'
import { tabletHeaders } from '#src/sync/session/device-token.ts'
import type { Device } from '#src/sync/device/device.ts'
import { keepAnswer } from '#src/sync/device/kept-answers.ts'
import { keptPrefix } from '#src/sync/device/kept-prefix.ts'
import { FakeClinic, json, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

let clinic: FakeClinic
let tablet: FakeTablet
let device: Device

/** A sign-out has four seconds. */
async function signedIn(haste: number) {
  tablet = new FakeTablet(clinic.answer, { haste })
  device = await tablet.open()
  await device.session.signIn(person('ben'))
}

beforeEach(() => {
  clinic = new FakeClinic()
})
afterEach(() => tablet.close())

const isSignedOut = () => device.session.state.getState().status === 0 && !tablet.stored.has('RefreshToken')

describe('signing out', () => {
  test('ends the session at the server', async () => {
    await signedIn(1)
    expect(await device.session.signOut()).toMatchObject({ ok: true })
    expect(clinic.ended).toEqual(['access-1'])
    expect(isSignedOut()).toBe(true)
  })

  test('ends it there even when the access token has expired or is gone', async () => {
    await signedIn(1)
    clinic.accessToken = 'another'
    expect(await device.session.signOut()).toMatchObject({ ok: true })
    expect(clinic.ended).toEqual(['access-2'])

    await device.session.signIn({ ...person('ben'), access_token: 'access-2' })
    await device.hot.session.update('session', { access_token: null })
    const second = await tablet.open()
    expect(await second.session.signOut()).toMatchObject({ ok: true })
    expect(clinic.ended).toEqual(['access-2', 'access-3'])
  })

  test('keeps the tablet known to the server', async () => {
    await signedIn(1)
    expect(await tabletHeaders(device.hot, sessionEndpoints.logInWithPin)).toEqual({})
    await device.session.signIn({ ...person('ben'), device_token: 'proof' })
    expect(device.session.state.getState().home).not.toHaveProperty('device_token')
    await device.session.signOut()
    expect(await tabletHeaders(device.hot, sessionEndpoints.logInWithPin)).toEqual({ 'Lorgnette-Tablet': 'proof' })
    // Other calls do not need it.
    expect(await tabletHeaders(device.hot, sessionEndpoints.home)).toEqual({})
  })

  test('leaves none of the pages that the user had opened on the disk', async () => {
    await signedIn(1)
    const { home } = device.session.state.getState()
    const answer = { at: '2026-11-23T10:00:00.000Z', value: {} }
    await keepAnswer(device.hot, { id_user: home!.id_user, store_id: home!.store_id }, `${keptPrefix}an answer`, answer)
    expect(await device.hot.facts.get(`${keptPrefix}an answer`)).toBeDefined()
    await device.session.signOut()
    expect(await device.hot.facts.get(`${keptPrefix}an answer`)).toBeUndefined()
  })

  test('succeeds when the session has already ended at the server', async () => {
    await signedIn(1)
    clinic.accessToken = 'another'
    clinic.refreshRefusal = { status: 401, code: 'token-revoked', message: 'Token has been revoked' }
    expect(await device.session.signOut()).toMatchObject({ ok: true })
    expect(isSignedOut()).toBe(true)
  })

  test('does not wait for a server that is silent', async () => {
    await signedIn(40)
    tablet.network.between = (_, init) => new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('cut'))))
    expect(await device.session.signOut()).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
    expect(isSignedOut()).toBe(true)
  })

  test('never ends the session of the next user, even when the server answers late', async () => {
    await signedIn(40)
    clinic.accessToken = 'another'
    let answerLate = () => {}
    let asked = 0
    tablet.network.between = async (path) => {
      if (path !== '/api/auth/token/refresh') return null
      asked += 1
      await new Promise<void>((resolve) => {
        answerLate = resolve
      })
      return json(200, { access_token: 'access-late', refresh_token: 'refresh-late', capture_token: 'capture-late' })
    }
    expect(await device.session.signOut()).toMatchObject({ ok: false })
    expect(asked).toBe(1)
    clinic.accessToken = 'access-ana'
    await device.session.signIn({ ...person('ana', 3), access_token: 'access-ana', refresh_token: 'refresh-ana' })
    answerLate()
    await until('Ana’s session has been used', async () => (await device.drain(), tablet.network.callsTo('/api/sync').length > 2))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(clinic.ended).toEqual([])
    expect(device.session.state.getState().home?.username).toBe('ana')
    expect(tablet.stored.get('AccessToken')).toBe('access-ana')
  })
})

describe('a renewal of tokens', () => {
  test('is not tried again with a token that another tab has used meanwhile', async () => {
    await signedIn(1)
    clinic.accessToken = 'another'
    let asked = 0
    tablet.network.between = async (path) => {
      if (path !== '/api/auth/token/refresh') return null
      asked += 1
      // The answer is lost. Before this tab tries again, another tab has new tokens.
      await device.hot.session.update('session', { access_token: 'another', refresh_token: 'refresh-of-another-tab', serial: 99 })
      throw new TypeError('Failed to fetch')
    }
    await device.pull()
    await until('the tokens of the other tab are taken over', () => tablet.stored.get('RefreshToken') === 'refresh-of-another-tab')
    expect(asked).toBe(1)
  })
})
