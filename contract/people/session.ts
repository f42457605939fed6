import * as v from 'valibot'
import { signingKey } from '#contract/sync/signing-key.ts'
import { endpoint } from '#contract/core/endpoint.ts'
import { done, requiredText, rowId } from '#contract/core/primitives.ts'
import type { Permission, Role } from '#contract/core/roles.ts'

/** A store a person belongs to, as the session and the Change Store dialog show it. */
export const location = v.object({
  store_id: rowId,
  store_name: v.string(),
  short_name: v.string(),
  time_zone: v.string(),
  is_warehouse: v.boolean(),
})
export type Location = v.InferOutput<typeof location>

export const navigationItem = v.object({ title: v.string(), url: v.string(), icon: v.string() })
export type NavigationItem = v.InferOutput<typeof navigationItem>

/** One of the server's names. A newer server may have more of them than this app, which asks for none of those. */
const named = <Name extends string>() => v.string() as unknown as v.GenericSchema<Name>

/** What the app knows of the person who is signed in. */
export const homeInfo = v.object({
  id_user: rowId,
  username: v.string(),
  email: v.string(),
  first_name: v.string(),
  last_name: v.string(),
  role_ids: v.array(named<Role>()),
  permissions: v.array(named<Permission>()),
  store_id: rowId,
  store_name: v.string(),
  locations: v.array(location),
  home_navigation: v.array(navigationItem),
  /** The store's rules that the app needs offline. */
  store_settings: v.object({
    blind_counts: v.boolean(),
    control_preset: v.picklist(['practice', 'specification']),
    coverage_percent: v.number(),
    scan_gap_ms: v.number(),
  }),
  /** After how many idle minutes the store's tablets lock. Servers of protocol 4 and older do not say it. */
  lock_minutes: v.optional(v.number()),
  /**
   * Proof of authorship for work done on this device: signed, good for 30 days and for attribution only, and bound to the key of the session.
   * See `contract/sync/commands.ts`.
   */
  capture_token: v.string(),
})
export type HomeInfo = v.InferOutput<typeof homeInfo>

/**
 * The header in which a tablet shows its device token, for calls with `tablet: true`. The token comes with a sign-in by password, stays on
 * the tablet across sign-outs, and ends when a manager revokes the tablet.
 */
export const deviceTokenHeader = 'Lorgnette-Tablet'
/** A PIN works on a tablet where its person signed in with a password within so many days. */
export const pinDays = 30

const deviceToken = v.optional(v.nullable(v.string()))

export const signedIn = v.object({
  ...homeInfo.entries,
  access_token: v.string(),
  refresh_token: v.string(),
  /** Null for a caller that names no device. */
  device_token: deviceToken,
})
export type SignedIn = v.InferOutput<typeof signedIn>

export const username = requiredText(120, 'Username is required')
export const password = v.pipe(v.string(), v.minLength(1, 'Password is required'), v.maxLength(256, 'must be at most 256 characters'))
export const pin = v.pipe(v.string(), v.minLength(1, 'This field is required'), v.regex(/^\d{4,8}$/, 'A PIN has 4 to 8 digits'))
const riskToken = v.pipe(v.string(), v.maxLength(8192))
/** The device that asks: capture tokens are bound to it. Minted by the app at its first start. */
const deviceId = v.optional(v.pipe(v.string(), v.uuid()))
/** The key to which the session's capture tokens are bound. Without one they are good only in this person's own session. */
const sessionKey = v.optional(signingKey)

export const logIn = endpoint({
  method: 'POST',
  path: '/api/auth/login',
  summary: 'Sign in with an email address or username, and a password',
  access: 'public',
  tablet: true,
  body: v.object({
    username: requiredText(120, 'Email or username is required'),
    password,
    recaptcha_token: riskToken,
    device_id: deviceId,
    signing_key: sessionKey,
  }),
  response: signedIn,
  refuses: ['login-wrong', 'login-blocked', 'risk-refused'],
})

export const logInWithPin = endpoint({
  method: 'POST',
  path: '/api/auth/login_with_pin',
  summary: 'Express Login: sign in with a PIN of 4 to 8 digits',
  access: 'public',
  tablet: true,
  body: v.object({ express_login: pin, recaptcha_token: riskToken, device_id: deviceId, signing_key: sessionKey }),
  response: signedIn,
  refuses: ['pin-wrong', 'pin-needs-password', 'pins-off', 'login-blocked', 'risk-refused'],
})

export const logOut = endpoint({
  method: 'POST',
  path: '/api/auth/logout',
  summary: 'End the session: every token of its family is revoked',
  access: 'signed-in',
  response: done,
})

export const refreshToken = endpoint({
  method: 'POST',
  path: '/api/auth/token/refresh',
  summary: 'A new access token for a refresh token, which is used up by it (30 s of grace; a lost answer is given again)',
  access: 'public',
  tablet: true,
  /** A tablet sends a key when it has none for the session: it began with an older app, or the browser lost the key. */
  body: v.object({ refresh_token: v.pipe(v.string(), v.maxLength(4096)), device_id: deviceId, signing_key: sessionKey }),
  response: v.object({ access_token: v.string(), refresh_token: v.string(), capture_token: v.string(), device_token: deviceToken }),
  refuses: ['refresh-expired', 'refresh-invalid', 'token-revoked', 'token-mismatch'],
})

export const riskProvider = endpoint({
  method: 'GET',
  path: '/api/auth/risk_provider',
  summary: 'Which service assesses the risk of a sign-in, and its public site key',
  access: 'public',
  response: v.object({
    provider: v.picklist(['development', 'recaptcha']),
    site_key: v.nullable(v.string()),
    script_url: v.nullable(v.string()),
  }),
})

export const home = endpoint({
  method: 'GET',
  path: '/api/home/home',
  summary: 'Who is signed in, where, and what their navigation lists',
  access: 'signed-in',
  query: v.object({ device_id: deviceId }),
  response: homeInfo,
})

export const storesToSet = endpoint({
  method: 'GET',
  path: '/api/home/set-stores-list',
  summary: 'The stores this person may switch to',
  access: 'signed-in',
  response: v.object({ stores: v.array(location) }),
  cached: 'reference',
})

export const setStore = endpoint({
  method: 'POST',
  path: '/api/home/set_store',
  summary: 'Work in another store',
  access: 'signed-in',
  body: v.object({ store_id: rowId, device_id: deviceId }),
  response: homeInfo,
  refuses: ['store-foreign', 'store-unknown'],
})

export const expressPass = endpoint({
  method: 'POST',
  path: '/api/home/express_pass',
  summary: 'A fresh PIN for Express Login, for the password or the present PIN, shown once; the former one ends',
  access: 'signed-in',
  tablet: true,
  body: v.union([v.object({ password }), v.object({ express_login: pin })]),
  response: v.object({ express_login: v.string() }),
  refuses: ['proof-wrong', 'pin-forbidden', 'login-blocked', 'request-too-frequent'],
})

export const sessionEndpoints = { logIn, logInWithPin, logOut, refreshToken, riskProvider, home, storesToSet, setStore, expressPass }

/** What the login forms check before they send; the texts are the specification's. */
export const loginForm = v.object({
  username: requiredText(120, 'Email or username is required'),
  password,
})
export const pinForm = v.object({ express_login: pin })
export const clockForm = v.object({ username, password })

/** Three failures block the form for a minute. The server counts too, and its blocks grow (docs/security.md). */
export const lockout = { failures: 3, seconds: 60 } as const
