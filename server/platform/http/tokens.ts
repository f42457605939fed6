import { createHash, randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import * as v from 'valibot'
import { type SigningKey, signingKey } from '#contract/sync/signing-key.ts'
import { captureTokenDays } from '#contract/sync/commands.ts'
import { Refusal } from '#contract/core/errors.ts'
import { rowId, uuid } from '#contract/core/primitives.ts'
import { type Role, roles } from '#contract/core/roles.ts'
import type { Services } from '#server/platform/services.ts'

/**
 * The four kinds of token. Access tokens, capture tokens and device tokens are signed with keys of their own and name their use,
 * so that one can never stand for the other; refresh tokens say nothing and are only known by their hash.
 */

type Signing = Pick<Services, 'clock' | 'config' | 'secrets'>

const accessUse = 'lorgnette-access'
const captureUse = 'lorgnette-capture'
const deviceUse = 'lorgnette-tablet'
/** Clocks of several server processes differ a little. */
const toleranceSeconds = 5

export type AccessClaims = {
  id_user: number
  session_id: string
  store_id: number
  /** Of a token that came with a refresh token by rotation; who presents it shows that both arrived. */
  rotation?: string | undefined
}

const accessPayload = v.object({
  sub: v.pipe(v.string(), v.transform(Number), rowId),
  sid: uuid,
  store: rowId,
  rot: v.optional(v.string()),
})

/** A signed access token, good for `config.accessTokenSeconds`. */
export async function issueAccessToken(services: Signing, claims: AccessClaims): Promise<string> {
  const now = secondsOf(services.clock.now())
  return await new SignJWT({ sid: claims.session_id, store: claims.store_id, rot: claims.rotation })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(claims.id_user))
    .setAudience(accessUse)
    .setIssuedAt(now)
    .setExpirationTime(now + services.config.accessTokenSeconds)
    .sign(services.secrets.tokenKey)
}

/** What an access token says. Throws the refusal `token-expired`, or `token-mismatch` for everything that is none. */
export async function verifyAccessToken(services: Signing, token: string): Promise<AccessClaims> {
  try {
    const payload = await verified(token, keysOf(services.secrets.tokenKey, services.secrets.previousTokenKey), {
      audience: accessUse,
      currentDate: new Date(services.clock.now()),
    })
    const claims = v.parse(accessPayload, payload)
    return { id_user: claims.sub, session_id: claims.sid, store_id: claims.store, rotation: claims.rot }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new Refusal('token-expired')
    if (isTokenFault(error)) throw new Refusal('token-mismatch')
    throw error
  }
}

/** Who makes something on which device, and what was so when the token was given. */
export type CaptureGrant = {
  id_user: number
  device_id: string
  store_id: number
  /** The key with which the device signs this person's work; null: the work needs its author's own session. */
  key: SigningKey | null
  roles: readonly Role[]
  /** When a manager had last revoked the tablet, ms; null when never. */
  tabletRevokedAt: number | null
}

/** `issuedAt` and `expiresAt` are milliseconds since the epoch. */
export type CaptureClaims = CaptureGrant & {
  /** An app made before keys got this token: it is bound to none, and proves its author until it expires. */
  isOlder: boolean
  issuedAt: number
  expiresAt: number
}

const capturePayload = v.object({
  sub: v.pipe(v.string(), v.transform(Number), rowId),
  dev: uuid,
  store: rowId,
  iat: v.number(),
  exp: v.number(),
  /** Absent from tokens of before keys, as are the next two. */
  rol: v.optional(v.array(v.picklist(roles))),
  rev: v.optional(v.nullable(v.number())),
  cnf: v.optional(v.object({ jwk: signingKey })),
})

/** A signed capture token, good for 30 days and for attribution only. */
export async function issueCaptureToken(services: Signing, grant: CaptureGrant): Promise<string> {
  const now = secondsOf(services.clock.now())
  // As RFC 7800 binds a token to a key.
  const bound = grant.key && { cnf: { jwk: { kty: 'EC', crv: 'P-256', ...grant.key } } }
  return await new SignJWT({ dev: grant.device_id, store: grant.store_id, rol: grant.roles, rev: grant.tabletRevokedAt, ...bound })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(String(grant.id_user))
    .setAudience(captureUse)
    .setIssuedAt(now)
    .setExpirationTime(now + captureTokenDays * 86_400)
    .sign(services.secrets.captureKey)
}

/**
 * What a capture token says; throws the refusal `capture-token-invalid` for anything the server did not sign as one.
 *
 * An expired token is *not* refused here: a tablet may deliver long after the work was done. The caller compares the
 * claims' `expiresAt` with the instant at which the work was captured.
 */
export async function verifyCaptureToken(services: Signing, token: string): Promise<CaptureClaims> {
  try {
    const payload = await verified(token, keysOf(services.secrets.captureKey, services.secrets.previousCaptureKey), {
      audience: captureUse,
      currentDate: new Date(0),
    })
    const claims = v.parse(capturePayload, payload)
    return {
      id_user: claims.sub,
      device_id: claims.dev,
      store_id: claims.store,
      key: claims.cnf?.jwk ?? null,
      roles: claims.rol ?? [],
      tabletRevokedAt: claims.rev ?? null,
      isOlder: claims.rol === undefined,
      issuedAt: claims.iat * 1000,
      expiresAt: claims.exp * 1000,
    }
  } catch (error) {
    if (isTokenFault(error)) throw new Refusal('capture-token-invalid')
    throw error
  }
}

/** Which tablet this is. A manager who revokes a tablet raises its generation. */
export type DeviceClaims = { device_id: string; generation: number }

const devicePayload = v.object({ sub: uuid, gen: v.number() })

/** A signed device token. It has no end of its own: the tablet keeps it until a manager revokes the tablet. */
export async function issueDeviceToken(services: Signing, claims: DeviceClaims): Promise<string> {
  return await new SignJWT({ gen: claims.generation })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(claims.device_id)
    .setAudience(deviceUse)
    .setIssuedAt(secondsOf(services.clock.now()))
    .sign(services.secrets.tokenKey)
}

/** What a device token says; null for anything that this server did not sign as one. */
export async function readDeviceToken(services: Signing, token: string): Promise<DeviceClaims | null> {
  try {
    const payload = await verified(token, keysOf(services.secrets.tokenKey, services.secrets.previousTokenKey), {
      audience: deviceUse,
      currentDate: new Date(services.clock.now()),
    })
    const claims = v.parse(devicePayload, payload)
    return { device_id: claims.sub, generation: claims.gen }
  } catch (error) {
    if (isTokenFault(error)) return null
    throw error
  }
}

/** A new refresh token: 256 random bits. Keep its hash only. */
export function newRefreshToken(): { token: string; hash: string } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: refreshTokenHash(token) }
}

export function isRefreshTokenShaped(token: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(token)
}

/** What the database knows a refresh token by. Plain SHA-256 will do for 256 random bits. */
export function refreshTokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** What the rotation that gave this refresh token is called: it tells nothing of the token. */
export function rotationOf(refreshToken: string): string {
  return refreshTokenHash(refreshToken).slice(0, 16)
}

async function verified(token: string, keys: Uint8Array[], options: { audience: string; currentDate: Date }): Promise<JWTPayload> {
  let lastFault: unknown
  for (const key of keys) {
    try {
      const { payload } = await jwtVerify(token, key, { ...options, algorithms: ['HS256'], clockTolerance: toleranceSeconds })
      return payload
    } catch (error) {
      lastFault = error
      // Only a wrong signature can be cured by the key before this one.
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) break
    }
  }
  throw lastFault
}

function keysOf(current: Uint8Array, previous: Uint8Array | null): Uint8Array[] {
  return previous ? [current, previous] : [current]
}

function isTokenFault(error: unknown): boolean {
  return error instanceof errors.JOSEError || error instanceof v.ValiError
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
