import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('a user who was removed from a store', () => {
  let server: TestServer
  let tablet: WireTablet
  const eastside = 2

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, 'Tablet A')
  })
  afterAll(() => server.close())
  afterEach(async () => {
    const rows = [1, 2, 3].map((store_id) => ({ id_user: ben(), store_id }))
    await server.db.pool
      .insertInto('user_stores')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })

  const ben = () => server.seed.users.ben.id_user
  const takeOut = (store_id: number) =>
    server.db.pool.deleteFrom('user_stores').where('id_user', '=', ben()).where('store_id', '=', store_id).execute()
  const codeOf = async (answer: Response) => {
    const body: { code: string } = await answer.json()
    return `${answer.status} ${body.code}`
  }

  it('cannot read or write there from the next call on, and continues in another of their stores', async () => {
    await tablet.signIn('ben')
    const token = tablet.session.access_token
    await server.request('POST', '/api/home/set_store', { token, body: { store_id: eastside } })
    tablet.session = { ...tablet.session, store_id: eastside }
    const sheet = await tablet.createSheet()
    const made = tablet.scan(sheet, 'X')
    await takeOut(eastside)

    expect(await codeOf(await tablet.pushRaw([made]))).toBe('401 token-revoked')
    expect(await codeOf(await tablet.pullRaw('count_sheets'))).toBe('401 token-revoked')
    expect(await codeOf(await server.request('GET', '/api/sync/events', { token }))).toBe('401 token-revoked')
    expect(await codeOf(await server.request('GET', `/api/inventory/count_sheets/${sheet}`, { token }))).toBe('401 token-revoked')
    const refresh = { body: { refresh_token: tablet.session.refresh_token } }
    expect(await codeOf(await server.request('POST', '/api/auth/token/refresh', refresh))).toBe('401 token-revoked')

    expect((await tablet.signIn('ben')).store_id).toBe(1)
    // The tablet keeps the refused work and shows the reason.
    const [refused] = await tablet.push([made])
    expect(refused!.error).toMatchObject({ code: 'store-foreign' })
  })

  it('has no access through the home store alone', async () => {
    await tablet.signIn('ben')
    const sheet = await tablet.createSheet()
    const made = tablet.scan(sheet, 'X')
    await takeOut(1)
    await tablet.signIn('maya')
    expect((await tablet.push([made]))[0]!.error).toMatchObject({ code: 'work-held' })
    const asBen = await server.signIn('ben', tablet.deviceId)
    expect(asBen.store_id).toBe(eastside)
  })
})
