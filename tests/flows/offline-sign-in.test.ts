import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { PatientInput } from '#contract/patients/patient.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpEndpoints } from '#contract/patients/pcps.ts'
import { syncEndpoints } from '#contract/sync/sync.ts'
import type { Device, Secret } from '#src/sync/device/device.ts'
import { signInWithPassword, signInWithPin } from '#src/features/app/login/actions.ts'
import { unlock } from '#src/features/app/login/model/unlock.ts'
import { createLockout } from '#src/sync/session/lockout.ts'
import { loadReference } from '#src/sync/device/load-reference.ts'
import { refreshSealingKey } from '#src/sync/session/fetch-sealing-key.ts'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import { onDisk } from '#tests/support/on-disk.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'
import { type FakeTablet, until } from '#tests/support/test-device.ts'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'

let day: ClinicDay

beforeEach(async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  day = await ClinicDay.begin()
})
afterEach(async () => {
  await day.end()
  vi.restoreAllMocks()
})

const patient: PatientInput = {
  first_name: 'Zuzana',
  last_name: 'Quillfeather',
  dob: '1980-02-28',
  street_address: '12 Quarry Ln',
  city: 'Larkspur',
  state: 'NY',
  zip_code: '12345',
  gender: 'Female',
  phone: '5185550123',
} as PatientInput

const dayMs = 86_400_000
const ana: Secret = { username: 'ana', password: seedPassword }
const stateOf = (device: Device) => device.session.state.getState()
const offlineFacts = async (device: Device) => (await device.hot.facts.where('key').startsWith('offline-p').toArray()).map(({ key }) => key)
const isReady = (device: Device) => async () => (await device.patients()).state.getState().status === 'ready'

async function signIn(device: Device, username: string, password = seedPassword) {
  return await signInWithPassword(device, createLockout(), { username, password })
}

/** A tablet where this user has signed in with a password, and can sign in offline from now on. */
async function at(username: string, options: { haste?: number } = {}): Promise<{ tablet: FakeTablet; device: Device; id: number }> {
  const tablet = day.tablet(options)
  const device = await tablet.open({ subtle: crypto.subtle })
  // A tablet gives up on a server that takes seconds to answer, as on a machine that stands still for a moment.
  await until('the sign-in gets through', async () => (await signIn(device, username)) === null)
  const id = stateOf(device).home?.id_user ?? 0
  await until('it is kept', async () => (await offlineFacts(device)).includes(`offline-password ${id}`))
  return { tablet, device, id }
}

/** Registers a patient at the server and waits until this tablet mirrors it. */
async function registered(device: Device): Promise<string> {
  await refreshSealingKey(device, Date.now())
  await until('the shelf is open', isReady(device))
  const id = uuidv7()
  const made = await device.outbox.record('patient.create', `patient:${id}`, { id_patient: id, patient }, { title: 'New patient' })
  if (!made.saved) throw new Error(made.problem.message)
  await allSent(device)
  await until('it has come back', async () => (await device.patients()).get(id)?.patient_no !== null)
  return id
}

describe('signing in without a connection', () => {
  test('lets Ana count: nothing leaves before a sign-in at the server, and the scans are hers', async () => {
    const { tablet, device } = await at('ana')
    await device.session.signOut()
    tablet.network.online = false
    expect(await signIn(device, ' Ana ')).toBeNull()
    expect(stateOf(device)).toMatchObject({ status: 1, home: { username: 'ana' }, offline: { by: 'password' } })
    expect(tablet.stored.has('AccessToken')).toBe(false)
    const sheet = await newSheet(device)
    await scan(device, sheet, day.code(0))
    await scan(device, sheet, day.code(1))

    // Back online without a session nothing leaves, and nothing is lost.
    tablet.network.online = true
    await device.probe()
    await device.drain()
    expect(await device.hot.outbox.count()).toBe(3)
    await until('the app says so', () => device.connection.getState().waitsForSignIn)

    const { home } = stateOf(device)
    if (!home) throw new Error('nobody is signed in')
    expect(await unlock(device, createLockout(), home, { password: seedPassword }, { byServer: true })).toBeNull()
    expect(stateOf(device)).toMatchObject({ status: 1, offline: null })
    await allSent(device)
    const rows = await day.scansAtServer(sheet)
    expect(rows.map(({ author_id }) => author_id)).toEqual([home.id_user, home.id_user])
    expect(tablet.surprises).toEqual([])
  })

  test('she signs out before that, and Ben’s session sends them: they stay hers', async () => {
    const { tablet, device, id } = await at('ana')
    await device.session.signOut()
    tablet.network.online = false
    await signIn(device, 'ana')
    const sheet = await newSheet(device)
    await scan(device, sheet, day.code(0))
    await device.session.signOut()
    expect(stateOf(device)).toMatchObject({ status: 0, home: null, offline: null })
    expect(await device.hot.outbox.count()).toBe(2)
    tablet.network.online = true
    await signIn(device, 'ben')
    await allSent(device)
    expect((await day.scansAtServer(sheet)).map(({ author_id }) => author_id)).toEqual([id])
  })

  test.each([
    ['at once', true],
    ['only after a word from the server', false],
  ])(
    'a page that closes too early leaves the setup to the next one, which fetches its code %s, without a password',
    async (_when, isKept) => {
      const tablet = day.tablet()
      const device = await tablet.open({ subtle: crypto.subtle })
      tablet.network.between = (path) => (path.startsWith(syncEndpoints.tabletMark.path) ? new Promise(() => undefined) : null)
      expect(await signIn(device, 'ana')).toBeNull()
      const begun = async (of: Device) => (await of.hot.facts.get('offline-begun')) !== undefined
      await until('it is begun', () => begun(device))
      expect(await offlineFacts(device)).toEqual([])
      expect(await onDisk(tablet)).not.toContain(seedPassword)
      await device.close()

      tablet.network.between = null
      const again = await tablet.open({ subtle: crypto.subtle, codeIsKept: () => isKept })
      await until('it is kept', async () => (await offlineFacts(again)).length === 1 && !(await begun(again)))
      const id = await registered(again)
      await again.session.signOut()
      tablet.network.online = false
      expect(await signIn(again, 'ana', 'another')).not.toBeNull()
      expect(await signIn(again, 'ana')).toBeNull()
      await until('the shelf is open', isReady(again))
      expect((await again.patients()).get(id)).toMatchObject({ last_name: 'Quillfeather' })
      expect(tablet.surprises).toEqual([])
    },
  )

  test('is set up even without the key for patients, and completed once the tablet can fetch it', async () => {
    const tablet = day.tablet()
    const device = await tablet.open({ subtle: crypto.subtle })
    tablet.network.between = (path) => (path.startsWith(syncEndpoints.patientsKey.path) ? new Response('', { status: 502 }) : null)
    await signIn(device, 'ana')
    await until('it is kept', async () => (await offlineFacts(device)).length === 1)
    expect(await device.hot.facts.get('offline-begun')).toBeDefined()
    tablet.network.between = null
    await (await device.offline()).finish()
    expect(await device.hot.facts.get('offline-begun')).toBeUndefined()
    const id = await registered(device)
    await device.session.signOut()
    tablet.network.online = false
    await signIn(device, 'ana')
    await until('the shelf is open', isReady(device))
    expect((await device.patients()).get(id)).not.toBeNull()
  })

  test.each(['signOut', 'lock'] as const)('an unfinished setup is gone after %s', async (ending) => {
    const tablet = day.tablet()
    const device = await tablet.open({ subtle: crypto.subtle })
    tablet.network.between = (path) => (path.startsWith(syncEndpoints.tabletMark.path) ? new Response('', { status: 502 }) : null)
    await signIn(device, 'ana')
    await until('it is begun', async () => (await device.hot.facts.get('offline-begun')) !== undefined)
    await device.session[ending]()
    expect(await device.hot.facts.get('offline-begun')).toBeUndefined()
    expect(await offlineFacts(device)).toEqual([])
  })

  test('a restart keeps her signed in, and a visit to the login screen does not', async () => {
    const { tablet, device } = await at('ana')
    await device.session.signOut()
    tablet.network.online = false
    await signIn(device, 'ana')
    await device.close()
    const again = await tablet.open({ subtle: crypto.subtle })
    expect(stateOf(again)).toMatchObject({ status: 1, home: { username: 'ana' } })
    await again.session.deleteTokens()
    expect(stateOf(again)).toMatchObject({ status: 0, home: null })
  })

  test('the password opens the mirrored patients; the disk holds neither them nor the password in the clear', async () => {
    const { tablet, device } = await at('ana')
    const id = await registered(device)
    await device.session.signOut()
    expect(await device.hot.facts.get('patients-key')).toBeUndefined()
    tablet.network.online = false
    await signIn(device, 'ana')
    await until('the shelf is open', isReady(device))
    expect((await device.patients()).get(id)).toMatchObject({ last_name: 'Quillfeather' })
    await device.session.signOut()
    const disk = await onDisk(tablet)
    expect(disk).not.toMatch(/Quillfeather|Zuzana|5185550123|Quarry/)
    expect(disk).not.toContain(seedPassword)
    expect(disk).not.toContain('ana@')
    // The rows for the offline sign-in do not identify her.
    const kept = (await device.hot.facts.where('key').startsWith('offline-p').toArray()).map((row) => JSON.stringify(row))
    expect(kept.join()).not.toMatch(/capture|Teixeira|"ana"|permissions/)
  })

  test('providers show their names offline, and users can choose others; nobody can read them on the disk', async () => {
    const office = await at('maya')
    const marsh = { id_pcp: uuidv7(), last_name: 'Marshwood', first_name: 'Helen', practice: 'Hill Street Practice' }
    expect(await office.device.call(pcpEndpoints.addPcp, { body: v.parse(pcpEndpoints.addPcp.body, marsh) })).toMatchObject({ ok: true })
    const { tablet, device } = await at('ana')
    await until('the shelf is open', isReady(device))
    await until('they are kept', async () => (await device.hot.facts.where('key').startsWith('patient-list').count()) === 2)
    await device.session.signOut()
    tablet.network.online = false
    await signIn(device, 'ana')
    await until('the shelf is open', isReady(device))
    const load = async () => await loadReference(device, pcpEndpoints.pcpCards)
    expect(await load()).toMatchObject({ ok: true, value: { pcps: [{ last_name: 'Marshwood' }] } })
    const choices = await loadReference(device, patientEndpoints.patientChoices)
    expect(choices).toMatchObject({ ok: true, value: { locations: expect.arrayContaining([{ store_id: 1, store_name: 'Downtown' }]) } })
    await device.session.lock()
    expect(await load()).toMatchObject({ ok: false, failure: { kind: 'unreachable' } })
    expect(await onDisk(tablet)).not.toMatch(/Marshwood|Hill Street/)
  })

  test('a PIN opens counting and the clock, and no patients', async () => {
    const { tablet, device, id } = await at('ana')
    const patientId = await registered(device)
    const pass = await device.call((await import('#contract/people/session.ts')).expressPass, { body: { password: seedPassword } })
    if (!pass.ok) throw new Error(pass.failure.message)
    const pin = { express_login: pass.value.express_login }
    await device.session.signOut()
    expect(await signInWithPin(device, createLockout(), pin)).toBeNull()
    await until('it is kept', async () => (await offlineFacts(device)).includes(`offline-pin ${id}`))
    await device.session.signOut()

    tablet.network.online = false
    expect(await signInWithPin(device, createLockout(), pin)).toBeNull()
    expect(stateOf(device)).toMatchObject({ status: 1, home: { username: 'ana' }, offline: { by: 'pin' } })
    expect(stateOf(device).home?.permissions).toContain('time.punch')
    expect(stateOf(device).home?.permissions.filter((name) => name.startsWith('patient.'))).toEqual([])
    expect((await device.patients()).state.getState().status).toBe('locked')
    expect((await device.patients()).get(patientId)).toBeNull()
    expect(await device.hot.facts.get('patients-key')).toBeUndefined()
    const sheet = await newSheet(device)
    await scan(device, sheet, day.code(0))

    tablet.network.online = true
    expect(await signInWithPin(device, createLockout(), pin)).toBeNull()
    await allSent(device)
    expect((await day.scansAtServer(sheet)).map(({ author_id }) => author_id)).toEqual([id])
    await until('patients are open again', isReady(device))
  })

  test('a user who never signed in here and a user with the wrong password stay out', async () => {
    const { tablet, device } = await at('ana')
    await device.session.signOut()
    tablet.network.online = false
    expect(await signIn(device, 'ben')).toMatchObject({ reason: expect.stringContaining('You’re offline') })
    expect(await signIn(device, 'ana', 'wrong')).toMatchObject({ reason: expect.stringContaining('9 tries left') })
    expect(stateOf(device).status).toBe(0)
  })

  test('wrong passwords wait longer and longer, also over restarts, and the tenth deletes the offline sign-in', async () => {
    const { tablet, device, id } = await at('ana', { haste: 1 })
    await device.session.signOut()
    tablet.network.online = false
    const wrong: Secret = { username: 'ana', password: 'wrong' }
    const offline = await device.offline()
    for (const left of [9, 8, 7]) expect(await offline.signIn(wrong)).toEqual({ kind: 'wrong', left })
    expect(await offline.signIn(ana)).toEqual({ kind: 'wait', seconds: expect.any(Number) })
    await device.close()
    const again = await tablet.open({ subtle: crypto.subtle })
    const later = await again.offline()
    expect(await later.signIn(ana)).toMatchObject({ kind: 'wait' })
    for (let left = 6; left >= 0; left -= 1) {
      tablet.pass(3_600_000)
      expect(await later.signIn(wrong)).toEqual({ kind: 'wrong', left })
    }
    expect(await offlineFacts(again)).not.toContain(`offline-password ${id}`)
    tablet.pass(3_600_000)
    expect(await later.signIn(ana)).toEqual({ kind: 'none' })
  }, 60_000)

  test('after 14 days it ends, also for a signed-in user, and setting the clock back gains nothing', async () => {
    const { tablet, device, id } = await at('ana')
    await device.session.signOut()
    tablet.network.online = false
    tablet.pass(13.9 * dayMs)
    expect(await signIn(device, 'ana')).toBeNull()
    await device.close()
    tablet.pass(0.2 * dayMs)
    const again = await tablet.open({ subtle: crypto.subtle })
    expect(stateOf(again)).toMatchObject({ status: 0, home: null })
    expect(await (await again.offline()).offers()).toEqual({ password: null, pin: null })
    tablet.clockErrorMs = -5 * dayMs
    expect(await (await again.offline()).signIn(ana)).toEqual({ kind: 'none' })
    expect(await offlineFacts(again)).not.toContain(`offline-password ${id}`)
  })

  test('a revoked tablet gets new keys, and the next sign-in deletes the old offline sign-ins', async () => {
    const { device, id } = await at('ana')
    await device.probe()
    await until(
      'the server knows the tablet',
      async () => (await day.server.db.pool.selectFrom('tablets').selectAll().execute()).length > 0,
    )
    const before = await device.call(syncEndpoints.patientsKey, {})
    await device.session.signOut()
    const maya = await day.server.signIn('maya')
    const revoked = await day.server.request('POST', `/api/settings/tablets/${device.deviceId}/revoke`, { token: maya.access_token })
    expect(revoked.status).toBe(200)
    expect(await signIn(device, 'ben')).toBeNull()
    await until('hers is gone', async () => !(await offlineFacts(device)).includes(`offline-password ${id}`))
    await day.signIn(device, 'ana')
    const after = await device.call(syncEndpoints.patientsKey, {})
    if (!before.ok || !after.ok) throw new Error('no key')
    expect(after.value.key).not.toBe(before.value.key)
  })

  test('a session that the server ends and a password that it refuses both end the offline sign-in', async () => {
    const { device, id } = await at('ana')
    await day.server.db.pool
      .updateTable('sessions')
      .set({ revoked_at: new Date(0).toISOString(), revoked_because: 'disabled' })
      .execute()
    await device.probe()
    await device.pull()
    await until('she is signed out', () => stateOf(device).status === 0)
    await until('it is deleted', async () => !(await offlineFacts(device)).includes(`offline-password ${id}`))

    await signIn(device, 'ana')
    await until('it is kept', async () => (await offlineFacts(device)).includes(`offline-password ${id}`))
    await device.session.signOut()
    await (await device.offline()).refused({ username: 'ana', password: 'a slip' })
    expect(await offlineFacts(device)).toContain(`offline-password ${id}`)
    await (await device.offline()).refused(ana)
    expect(await offlineFacts(device)).not.toContain(`offline-password ${id}`)
  })
})

describe('an idle tablet', () => {
  test('locks all its windows and drops the key for patients; work still leaves, and her password unlocks it offline', async () => {
    const { tablet, device } = await at('ana')
    const other = await tablet.open({ subtle: crypto.subtle })
    const id = await registered(device)
    const sheet = await newSheet(device)
    await scan(device, sheet, day.code(0))
    expect(tablet.stored.has('PatientsPlace')).toBe(true)
    await device.session.lock()
    expect(stateOf(device)).toMatchObject({ status: 1, locked: true })
    await until('the other window is locked', () => stateOf(other).locked)
    expect(await device.hot.facts.get('patients-key')).toBeUndefined()
    for (const window of [device, other]) await until('nobody can read it', async () => (await window.patients()).get(id) === null)
    expect(tablet.stored.has('PatientsPlace')).toBe(false)
    await allSent(device)
    expect(await day.scansAtServer(sheet)).toHaveLength(1)

    tablet.network.online = false
    await device.close()
    const again = await tablet.open({ subtle: crypto.subtle })
    expect(stateOf(again).locked).toBe(true)
    const { home } = stateOf(again)
    if (!home) throw new Error('nobody is signed in')
    expect(await unlock(again, createLockout(), home, { password: 'wrong' })).not.toBeNull()
    expect(stateOf(again).locked).toBe(true)
    expect(await unlock(again, createLockout(), home, { password: seedPassword })).toBeNull()
    expect(stateOf(again)).toMatchObject({ locked: false, reduced: false, offline: null })
    await until('the shelf is open', isReady(again))
    expect(tablet.stored.has('PatientsPlace')).toBe(true)
    await until('the other window is open', () => !stateOf(other).locked)
    expect(tablet.surprises).toEqual([])
  })

  test('a window with a new key drops the rows of the old key, and the other windows use the new key', async () => {
    const [here, there] = [await at('ana', { haste: 1 }), await at('maya')]
    const id = await registered(there.device)
    const other = await here.tablet.open({ subtle: crypto.subtle })
    const shelves = [await here.device.patients(), await other.patients()]
    for (const shelf of shelves) await until('it is mirrored', () => shelf.mirrored(id) !== null)

    Object.assign(day.server.services.secrets, { recordKey: new Uint8Array(32).fill(7) })
    await here.device.hot.facts.delete('patients-key')
    const third = await here.tablet.open({ subtle: crypto.subtle })
    await until('it reads under the new key', async () => (await third.patients()).mirrored(id) !== null)
    const later = await registered(there.device)
    for (const shelf of shelves) await until('what came afterwards is mirrored', () => shelf.mirrored(later) !== null)
    expect(here.tablet.surprises).toEqual([])
  })

  test('the tablet gets patients of other users soon after it is unlocked', async () => {
    const [here, there] = [await at('ana', { haste: 1 }), await at('maya')]
    await until('the shelf is open', isReady(here.device))
    const shelf = await here.device.patients()
    const known = await registered(there.device)
    await until('the server tells her of it', () => shelf.get(known) !== null)
    await here.device.session.lock()
    await until('nobody can read it', () => shelf.get(known) === null)
    const id = await registered(there.device)
    // The server reports the new patient at once, and the tablet would fetch it a tenth of a second later. Locked, it
    // could not keep it.
    await new Promise((resolve) => setTimeout(resolve, 500))
    const { home } = stateOf(here.device)
    if (!home) throw new Error('nobody is signed in')
    expect(await unlock(here.device, createLockout(), home, { password: seedPassword })).toBeNull()
    await until('it is here', () => shelf.get(id) !== null)
    expect(shelf.get(known)).not.toBeNull()
  })

  test('her PIN opens counting without a connection; patients open once the server confirms it', async () => {
    const { tablet, device, id } = await at('ana')
    const patientId = await registered(device)
    const pass = await device.call((await import('#contract/people/session.ts')).expressPass, { body: { password: seedPassword } })
    if (!pass.ok) throw new Error(pass.failure.message)
    const pin = { pin: pass.value.express_login }
    const keep = await (await device.offline()).prepare(pin)
    await keep()
    expect(await offlineFacts(device)).toContain(`offline-pin ${id}`)
    await device.session.lock()
    tablet.network.online = false
    const { home } = stateOf(device)
    if (!home) throw new Error('nobody is signed in')
    expect(await unlock(device, createLockout(), home, pin)).toBeNull()
    expect(stateOf(device)).toMatchObject({ locked: false, reduced: true })
    expect((await device.patients()).get(patientId)).toBeNull()

    tablet.network.online = true
    await device.probe()
    await until('patients are open again', isReady(device))
    expect(stateOf(device)).toMatchObject({ locked: false, reduced: false })

    await device.session.lock()
    expect(await unlock(device, createLockout(), home, pin)).toBeNull()
    expect(stateOf(device)).toMatchObject({ locked: false, reduced: false })
    await until('patients are open again', isReady(device))
  })

  test('nobody else can unlock it, and the session of another user’s PIN is ended', async () => {
    const { device } = await at('ana')
    const ben = await day.server.signIn('ben', device.deviceId)
    const pass = await day.server.request('POST', '/api/home/express_pass', { token: ben.access_token, body: { password: seedPassword } })
    const { express_login } = (await pass.json()) as { express_login: string }
    await day.server.request('POST', '/api/auth/logout', { token: ben.access_token })
    await device.session.lock()
    const { home } = stateOf(device)
    if (!home) throw new Error('nobody is signed in')
    expect(await unlock(device, createLockout(), home, { pin: express_login })).toMatchObject({
      reason: expect.stringContaining('Switch user'),
    })
    expect(stateOf(device)).toMatchObject({ locked: true, home: { username: 'ana' } })
    await until('it is ended', async () => {
      const open = await day.server.db.pool
        .selectFrom('sessions')
        .select('id')
        .where('id_user', '=', ben.id_user)
        .where('device_id', '=', device.deviceId)
        .where('revoked_at', 'is', null)
        .execute()
      return open.length === 0
    })
  })

  test('a start after the idle time is locked before the app shows anything', async () => {
    const { tablet, device } = await at('ana')
    tablet.stored.set('LastTouch', String(tablet.now()))
    await device.close()
    tablet.pass(16 * 60_000)
    const again = await tablet.open({ subtle: crypto.subtle })
    expect(stateOf(again)).toMatchObject({ status: 1, locked: true })
    expect(await again.hot.facts.get('patients-key')).toBeUndefined()
  })
})
