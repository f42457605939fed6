import { Refusal } from '#contract/core/errors.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import { assertSigningKey } from '#server/platform/http/signing-keys.ts'
import { issueAccessToken, rotationOf } from '#server/platform/http/tokens.ts'
import { rotateRefreshToken } from '#server/features/app/login/refresh-rotation.ts'
import { bindSession, revokeSession, startSession } from '#server/features/app/login/sessions.ts'
import { captureTokenFor } from '#server/domain/people/home-info.ts'
import { findPerson } from '#server/domain/people/find-person.ts'
import { deviceTokenFor, notePassword, placeOf, takesPins, verifyPin } from '#server/domain/people/known-tablets.ts'
import { verifyPassword } from '#server/domain/people/passwords.ts'
import { assertNotBlocked, guardedAttempt } from '#server/domain/people/sign-in-failures.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { passwordAttempt, pinAttempt } from '#server/domain/people/sign-in-limits.ts'
import type { Services } from '#server/platform/services.ts'

const pinsOff = { code: 'pins-off' } as const

/** Signing in, signing out and refreshing a session. */
export const authHandlers: HandlersOf<'logIn' | 'logInWithPin' | 'logOut' | 'refreshToken' | 'riskProvider'> = {
  async logIn({ services, body, headers, address }) {
    const { username, password, device_id } = body
    const key = assertSigningKey(body.signing_key)
    const place = await placeOf(services, { headers, address }, device_id)
    const attempt = passwordAttempt('sign-in', username, await findPerson(services.db.pool, username), place)
    await assertNotBlocked(services, attempt)
    await assertLowRisk(services, body.recaptcha_token, address)
    const person = await guardedAttempt(services, attempt, () => verifyPassword(services, username, password))
    if (!person) throw new Refusal('login-wrong')
    const signedIn = await startSession(services, person, { deviceId: device_id, way: 'password', key })
    return { ...signedIn, device_token: device_id === undefined ? null : await notePassword(services, person, device_id) }
  },

  async logInWithPin({ services, body, headers, address }) {
    const key = assertSigningKey(body.signing_key)
    const place = await placeOf(services, { headers, address }, body.device_id)
    // This refusal looks up no PIN, so it counts no attempt.
    if (place.kind === 'address' || !(await takesPins(services, place.device_id))) throw new Refusal('pin-needs-password')
    const attempt = pinAttempt(place.device_id)
    await assertNotBlocked(services, attempt, pinsOff)
    await assertLowRisk(services, body.recaptcha_token, address)
    const person = await guardedAttempt(services, attempt, () => verifyPin(services, body.express_login, place.device_id), pinsOff)
    if (!person) throw new Refusal('pin-wrong')
    const signedIn = await startSession(services, person, { deviceId: place.device_id, way: 'pin', key })
    return { ...signedIn, device_token: await deviceTokenFor(services, place.device_id) }
  },

  async logOut({ services, scope }) {
    await revokeSession(services.db.pool, scope.session_id, 'logout', new Date(services.clock.now()).toISOString())
    await noteSecurityEvent(services, { kind: 'signed-out' })
    return { ok: true }
  },

  async refreshToken({ services, body }) {
    const key = assertSigningKey(body.signing_key)
    const { token, session } = await rotateRefreshToken(services, body.refresh_token)
    if (key !== null) await bindSession(services.db.pool, session.id, key)
    const claims = { id_user: session.id_user, session_id: session.id, store_id: session.store_id, rotation: rotationOf(token) }
    const device = { id: session.id, store_id: session.store_id, device_id: body.device_id ?? session.device_id }
    return {
      access_token: await issueAccessToken(services, claims),
      refresh_token: token,
      capture_token: await captureTokenFor(services, session.id_user, device),
      // Covers tablets from before device tokens existed, and tablets that lost the answer with their token.
      device_token: session.device_id === null ? null : await deviceTokenFor(services, session.device_id),
    }
  },

  async riskProvider({ services }) {
    const { risk } = services.config
    if (risk.provider === 'development') return { provider: 'development', site_key: null, script_url: null }
    return { provider: 'recaptcha', site_key: risk.siteKey, script_url: risk.scriptUrl }
  },
}

async function assertLowRisk(services: Services, token: string, address: string): Promise<void> {
  if (!(await services.risk.assess(token, address))) throw new Refusal('risk-refused')
}
