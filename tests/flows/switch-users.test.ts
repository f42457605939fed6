import { afterEach, beforeEach, expect, test } from 'vitest'
import { unlock } from '#src/features/app/login/model/unlock.ts'
import { createLockout } from '#src/sync/session/lockout.ts'
import { allSent, ClinicDay, newSheet, scan } from '#tests/support/clinic-day.ts'
import { seedPassword } from '#tests/support/seed-clinic.ts'

let day: ClinicDay

beforeEach(async () => {
  day = await ClinicDay.begin()
})
afterEach(() => day.end())

test('a colleague’s PIN on the lock switches to them; the former user’s scans stay theirs, and their page waits', async () => {
  const tablet = day.tablet()
  const device = await tablet.open({ subtle: crypto.subtle })
  await day.signIn(device, 'ana')
  const sheet = await newSheet(device)
  const { home } = device.session.state.getState()
  if (!home) throw new Error('nobody is signed in')
  await scan(device, sheet, day.code(0))
  const ben = await day.server.signIn('ben', device.deviceId)
  const pass = await day.server.request('POST', '/api/home/express_pass', { token: ben.access_token, body: { password: seedPassword } })
  const { express_login } = (await pass.json()) as { express_login: string }
  await device.session.lock()
  expect(await unlock(device, createLockout(), home, { pin: express_login }, { leaving: '/patient/7' })).toBeNull()
  expect(device.session.state.getState()).toMatchObject({ locked: false, home: { username: 'ben' } })
  expect(await device.hot.facts.get('patients-key')).toBeUndefined()
  expect(await device.session.takeLeftPage()).toBeNull()
  await allSent(device)
  expect((await day.scansAtServer(sheet)).map(({ author_id }) => author_id)).toEqual([home.id_user])

  // Ana comes back to her page, once.
  await device.session.lock()
  await device.session.switchUser(await day.server.signIn('ana', device.deviceId), '/inventory')
  expect([await device.session.takeLeftPage(), await device.session.takeLeftPage()]).toEqual(['/patient/7', null])
  expect(tablet.surprises).toEqual([])
})
