import { Refusal } from '#contract/errors.ts'
import type { HandlersOf } from '#server/http/handler.ts'
import { issueAccessToken, rotationOf } from '#server/http/tokens.ts'
import { rotateRefreshToken } from '#server/features/auth/refresh-rotation.ts'
import { revokeSession, startSession } from '#server/features/auth/sessions.ts'
import { captureTokenFor } from '#server/people/home-info.ts'
import { verifyPassword, verifyPin } from '#server/people/passwords.ts'
import { assertNotBlocked, guardedAttempt } from '#server/people/sign-in-failures.ts'
import { noteSecurityEvent } from '#server/people/security-log.ts'
import type { Services } from '#server/services.ts'

/** Signing in and out, and what keeps a session going. */
export const authHandlers: HandlersOf<'logIn' | 'logInWithPin' | 'logOut' | 'refreshToken' | 'riskProvider'> = {
  async logIn({ services, body, address }) {
    await assertNotBlocked(services, body.username, address)
    await assertLowRisk(services, body.recaptcha_token, address)
    const person = await guardedAttempt(services, body.username, address, () => verifyPassword(services, body.username, body.password))
    if (!person) throw new Refusal('login-wrong')
    return await startSession(services, person, body.device_id, 'password')
  },

  async logInWithPin({ services, body, address }) {
    await assertNotBlocked(services, null, address)
    await assertLowRisk(services, body.recaptcha_token, address)
    const person = await guardedAttempt(services, null, address, () => verifyPin(services, body.express_login))
    if (!person) throw new Refusal('pin-wrong')
    return await startSession(services, person, body.device_id, 'pin')
  },

  async logOut({ services, scope }) {
    await revokeSession(services.db.reads, scope.session_id, 'logout', new Date(services.clock.now()).toISOString())
    await noteSecurityEvent(services, { kind: 'signed-out' })
    return { ok: true }
  },

  async refreshToken({ services, body }) {
    const { token, session } = await rotateRefreshToken(services, body.refresh_token)
    const claims = { id_user: session.id_user, session_id: session.id, store_id: session.store_id, rotation: rotationOf(token) }
    const device = { store_id: session.store_id, device_id: body.device_id ?? session.device_id }
    return {
      access_token: await issueAccessToken(services, claims),
      refresh_token: token,
      capture_token: await captureTokenFor(services, session.id_user, device),
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
