import { randomInt } from 'node:crypto'
import { Refusal } from '#contract/core/errors.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import { brokenUniqueness } from '#server/platform/db/database-faults.ts'
import type { HandlersOf } from '#server/platform/http/handler.ts'
import type { Scope } from '#server/platform/http/scope.ts'
import { findPersonById } from '#server/domain/people/find-person.ts'
import { homeInfoOf, locationsOf } from '#server/domain/people/home-info.ts'
import { type Place, placeOf } from '#server/domain/people/known-tablets.ts'
import { pinLookup, verifyPassword } from '#server/domain/people/passwords.ts'
import { noteSecurityEvent } from '#server/domain/people/security-log.ts'
import { guardedAttempt } from '#server/domain/people/sign-in-failures.ts'
import { passwordAttempt } from '#server/domain/people/sign-in-limits.ts'
import { storesOf } from '#server/domain/people/stores-of.ts'
import type { Services } from '#server/platform/services.ts'

/** The signed-in user, their stores and their PIN. */
export const homeHandlers: HandlersOf<'home' | 'storesToSet' | 'setStore' | 'expressPass'> = {
  async home({ services, scope, query }) {
    return await homeOf(services, scope, scope.store_id, query.device_id)
  },

  async storesToSet({ services, scope }) {
    return { stores: await locationsOf(services, scope.id_user) }
  },

  async setStore({ services, scope, body }) {
    const { pool } = services.db
    const store = await pool.selectFrom('stores').select('store_id').where('store_id', '=', body.store_id).executeTakeFirst()
    if (!store) throw new Refusal('store-unknown')
    if (!(await storesOf(pool, scope.id_user)).includes(body.store_id)) throw new Refusal('store-foreign')
    await pool.updateTable('sessions').set({ store_id: body.store_id }).where('id', '=', scope.session_id).execute()
    return await homeOf(services, scope, body.store_id, body.device_id)
  },

  async expressPass({ services, scope, body, headers, address }) {
    const place = await placeOf(services, { headers, address }, scope.device_id)
    await assertProven(services, scope, body, place)
    const express_login = await newPin(services, scope.id_user)
    await noteSecurityEvent(services, { kind: 'pin-changed' })
    return { express_login }
  },
}

async function homeOf(services: Services, scope: Scope, storeId: number, deviceId: string | undefined): Promise<HomeInfo> {
  const person = await findPersonById(services.db.pool, scope.id_user)
  if (!person) throw new Refusal('token-revoked')
  return await homeInfoOf(services, person, { id: scope.session_id, store_id: storeId, device_id: deviceId ?? scope.device_id })
}

const newPinsInADay = 5
const dayMs = 86_400_000

/**
 * A session alone proves too little for a new PIN: a tablet may lie unattended, and a token can be copied.
 * @throws Refusal `proof-wrong`, `pin-forbidden`, `login-blocked`, `request-too-frequent`
 */
async function assertProven(
  services: Services,
  scope: Scope,
  proof: { password: string } | { express_login: string },
  place: Place,
): Promise<void> {
  if (scope.role_ids.includes('admin')) throw new Refusal('pin-forbidden')
  const person = await findPersonById(services.db.pool, scope.id_user)
  if (!person) throw new Refusal('token-revoked')
  const prove = async () => {
    if ('password' in proof) return await verifyPassword(services, scope.username, proof.password)
    return person.pin_lookup !== null && person.pin_lookup === pinLookup(services.secrets, proof.express_login) ? person : null
  }
  const proven = await guardedAttempt(services, passwordAttempt('new-pin', scope.username, person, place), prove)
  if (proven?.id_user !== scope.id_user) throw new Refusal('proof-wrong')
  const { made } = await services.db.pool
    .selectFrom('security_log')
    .select((log) => log.fn.countAll<number>().as('made'))
    .where('kind', '=', 'pin-changed')
    .where('id_user', '=', scope.id_user)
    .where('at', '>', new Date(services.clock.now() - dayMs).toISOString())
    .executeTakeFirstOrThrow()
  if (Number(made) >= newPinsInADay) {
    const message = `You can create only ${newPinsInADay} new PINs a day`
    throw new Refusal('request-too-frequent', { retry_after_s: dayMs / 1000, message })
  }
}

/** People guess these PINs first: fewer than three different digits, digits in a row, or the same half twice. */
function isGuessable(pin: string): boolean {
  const isRow = (row: string) => row.includes(pin)
  return new Set(pin).size < 3 || isRow('0123456789') || isRow('9876543210') || pin.slice(0, 3) === pin.slice(3)
}

/**
 * Gives the person a PIN that nobody has, and ends the former one. A drawn PIN is seldom taken, so the loop just draws
 * again.
 */
async function newPin(services: Services, idUser: number): Promise<string> {
  for (let draw = 0; draw < 20; draw++) {
    const pin = String(randomInt(1_000_000)).padStart(6, '0')
    if (isGuessable(pin)) continue
    try {
      await services.db.pool
        .updateTable('users')
        .set({ pin_lookup: pinLookup(services.secrets, pin) })
        .where('id_user', '=', idUser)
        .execute()
      return pin
    } catch (error) {
      if (brokenUniqueness(error) === null) throw error
    }
  }
  throw new Error('no free PIN was found in 20 draws')
}
