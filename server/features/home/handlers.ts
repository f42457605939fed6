import { randomInt } from 'node:crypto'
import { Refusal } from '#contract/errors.ts'
import type { HomeInfo } from '#contract/session.ts'
import { brokenUniqueness } from '#server/db/database-faults.ts'
import type { HandlersOf } from '#server/http/handler.ts'
import type { Scope } from '#server/http/scope.ts'
import { findPersonById } from '#server/people/find-person.ts'
import { homeInfoOf, locationsOf } from '#server/people/home-info.ts'
import { pinLookup } from '#server/people/passwords.ts'
import { noteSecurityEvent } from '#server/people/security-log.ts'
import { storesOf } from '#server/people/stores-of.ts'
import type { Services } from '#server/services.ts'

/** Who is signed in, and where they work. */
export const homeHandlers: HandlersOf<'home' | 'storesToSet' | 'setStore' | 'expressPass'> = {
  async home({ services, scope, query }) {
    return await homeOf(services, scope, scope.store_id, query.device_id)
  },

  async storesToSet({ services, scope }) {
    return { stores: await locationsOf(services, scope.id_user) }
  },

  async setStore({ services, scope, body }) {
    const { reads } = services.db
    const store = await reads.selectFrom('stores').select('store_id').where('store_id', '=', body.store_id).executeTakeFirst()
    if (!store) throw new Refusal('store-unknown')
    if (!(await storesOf(reads, scope.id_user)).includes(body.store_id)) throw new Refusal('store-foreign')
    await reads.updateTable('sessions').set({ store_id: body.store_id }).where('id', '=', scope.session_id).execute()
    return await homeOf(services, scope, body.store_id, body.device_id)
  },

  async expressPass({ services, scope }) {
    const pin = await newPin(services, scope.id_user)
    await noteSecurityEvent(services, { kind: 'pin-changed' })
    return { express_login: pin }
  },
}

async function homeOf(services: Services, scope: Scope, storeId: number, deviceId: string | undefined): Promise<HomeInfo> {
  const person = await findPersonById(services.db.reads, scope.id_user)
  if (!person) throw new Refusal('token-revoked')
  return await homeInfoOf(services, person, { store_id: storeId, device_id: deviceId ?? scope.device_id })
}

/** Gives the person a PIN that nobody has; the former one ends. The chance to meet one that is taken is small, so it is simply drawn again. */
async function newPin(services: Services, idUser: number): Promise<string> {
  for (let draw = 0; draw < 20; draw++) {
    const pin = String(randomInt(1_000_000)).padStart(6, '0')
    try {
      await services.db.reads
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
