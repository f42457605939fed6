import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { defaultStoreSettings } from '#server/domain/people/store-settings.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

describe('a blind count', () => {
  let server: TestServer
  let tablet: WireTablet

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, 'Tablet A')
    await tablet.signIn('ben')
    await tablet.signIn('maya')
  })
  afterAll(() => server.close())
  beforeEach(() => setBlind(false))

  const setBlind = async (blind_counts: boolean) => {
    const settings = JSON.stringify({ ...defaultStoreSettings, blind_counts })
    await server.db.pool.updateTable('stores').set({ settings }).where('store_id', '=', 1).execute()
  }
  const isBlind = async (id: string) => {
    const sheet = await server.db.pool.selectFrom('count_sheets').select('blind').where('id_count_sheet', '=', id).executeTakeFirstOrThrow()
    return sheet.blind
  }

  it('shows its number in no receipt: another user who delivers the command again gets the same receipt', async () => {
    const id = await tablet.createSheet({ blind: true })
    const note = tablet.command('count.note', { id_count_sheet: id, notes: 'by a manager' }, { by: 'maya' })
    const [first] = await tablet.push([note])
    await tablet.signIn('ben')
    const [again] = await tablet.push([note])
    expect(again).toEqual(first)
    expect(again!.rows).toMatchObject([{ row: { notes: 'by a manager', expected_count: 0 } }])
    await tablet.signIn('maya')
    const { rows } = await tablet.pull('count_sheets')
    expect(rows.find((row) => row.id_count_sheet === id)).toMatchObject({ expected_count: 28 })
  })

  it('is made by every clerk in a store that counts blind, even when the tablet asks for an open one', async () => {
    await setBlind(true)
    await tablet.signIn('ben')
    expect(await isBlind(await tablet.createSheet({ blind: false }))).toBe(true)
    const made = await server.request('POST', '/api/inventory/count_sheets', { token: tablet.session.access_token, body: { blind: false } })
    expect(await made.json()).toMatchObject({ blind: true, expected_count: 0 })
    await tablet.signIn('maya')
    expect(await isBlind(await tablet.createSheet({ blind: false }))).toBe(false)
    await setBlind(false)
    await tablet.signIn('ben')
    expect(await isBlind(await tablet.createSheet({ blind: false }))).toBe(false)
  })
})
