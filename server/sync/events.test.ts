import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { SyncEvent } from '#contract/sync/sync.ts'
import { heartbeatMs } from '#server/sync/events.ts'
import { eventually } from '#tests/support/eventually.ts'
import { startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { WireTablet } from '#tests/support/wire-tablet.ts'

/** Reads a stream of events as it arrives. */
class Listener {
  readonly events: SyncEvent[] = []
  ended = false
  comments = 0

  async listen(answer: Response): Promise<void> {
    let text = ''
    for await (const bytes of answer.body!) {
      text += new TextDecoder().decode(bytes)
      const blocks = text.split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        if (block.startsWith('data: ')) this.events.push(JSON.parse(block.slice(6)))
        else this.comments += 1
      }
    }
    this.ended = true
  }

  async see(wanted: (event: SyncEvent) => boolean): Promise<SyncEvent> {
    return await eventually(() => {
      const found = this.events.find(wanted)
      if (!found) throw new Error(`not yet: ${JSON.stringify(this.events)}`)
      return found
    })
  }
}

describe('events for tablets', () => {
  let server: TestServer
  let tablet: WireTablet
  let other: WireTablet

  beforeAll(async () => {
    server = await startTestServer()
    tablet = new WireTablet(server, "Ana's tablet")
    other = new WireTablet(server, "Ben's tablet")
    await tablet.signIn('ana')
    await other.signIn('ben')
  })
  afterAll(() => server.close())

  const listen = async (who: WireTablet) => {
    const listener = new Listener()
    const answer = await server.request('GET', '/api/sync/events', { token: who.session.access_token })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const listening = listener.listen(answer)
    await listener.see((event) => event.type === 'hello')
    return { listener, listening }
  }

  it('keep four streams of a tablet, and end the oldest for one more', async () => {
    const many = []
    for (let opened = 0; opened < 6; opened++) many.push(await listen(tablet))
    await Promise.all([many[0]!.listening, many[1]!.listening])
    expect(many.map(({ listener }) => listener.ended)).toEqual([true, true, false, false, false, false])
    const { listener } = await listen(other)
    expect(listener.ended).toBe(false)
  })

  it('come from the own store, the chain and the own person, and from no other store', async () => {
    const { listener } = await listen(tablet)
    await server.db.write(['store:2', 'user:2'], async () => {})
    await server.db.write(['chain', 'store:1', `user:${tablet.session.id_user}`], async () => {})
    await listener.see((event) => event.type === 'changed' && event.scope === `user:${tablet.session.id_user}`)
    expect(listener.events.flatMap((event) => (event.type === 'changed' ? event.scope : [])).toSorted()).toEqual([
      'chain',
      'store:1',
      'user:3',
    ])
  })

  it('announce changed rules of the own store, and not of another store', async () => {
    const { listener } = await listen(tablet)
    await server.db.write(['settings:2'], async () => {})
    await server.db.write(['settings:1'], async () => {})
    await listener.see((event) => event.type === 'changed' && event.scope === 'settings:1')
    expect(listener.events.flatMap((event) => (event.type === 'changed' ? event.scope : []))).toEqual(['settings:1'])
  })

  it('announce changed patients of the own store to people who may read them, and of no other store', async () => {
    const [reader, clerk] = [await listen(tablet), await listen(other)]
    await server.db.write(['patients:2'], async () => {})
    await server.db.write(['patients:1'], async () => {})
    await server.db.write(['chain'], async () => {})
    for (const { listener } of [reader, clerk]) await listener.see((event) => event.type === 'changed' && event.scope === 'chain')
    const heard = ({ listener }: typeof reader) => listener.events.flatMap((event) => (event.type === 'changed' ? event.scope : []))
    expect(heard(reader)).toEqual(['patients:1', 'chain'])
    expect(heard(clerk)).toEqual(['chain'])
  })

  it('announce at once who works on a sheet, and how much each still holds', async () => {
    const sheet = await other.createSheet()
    const { listener } = await listen(tablet)
    await other.push([other.scan(sheet, 'A')], { open_sheets: [sheet], holds: [{ lane: `count:${sheet}`, unsent: 4 }] })
    expect(await listener.see((event) => event.type === 'presence')).toMatchObject({
      id_count_sheet: sheet,
      devices: [{ device_name: "Ben's tablet", person_name: 'Ben Halvorsen', open: true, unsent: 4 }],
    })
  })

  it("need one query for a sheet's presence, no matter how many listen, and reach no other store", async () => {
    const sheet = await other.createSheet()
    const listeners = await Promise.all(Array.from({ length: 4 }, async () => (await listen(tablet)).listener))
    const stranger = new WireTablet(server, 'Tablet elsewhere')
    await stranger.signIn('maya')
    await server.request('POST', '/api/home/set_store', { token: stranger.session.access_token, body: { store_id: 2 } })
    const elsewhere = (await listen(stranger)).listener
    const asked = vi.spyOn(server.db.pool, 'selectFrom')
    await other.push([], { open_sheets: [sheet] })
    for (const listener of listeners) await listener.see((event) => event.type === 'presence' && event.id_count_sheet === sheet)
    const reads = asked.mock.calls.filter(([table]) => (table as unknown) === 'count_devices as device')
    asked.mockRestore()
    expect(reads).toHaveLength(1)
    expect(elsewhere.events.filter((event) => event.type === 'presence')).toEqual([])
  })

  it('do not make an open stream a sign of life, because it looks open long after the network is gone', async () => {
    const sheet = await tablet.createSheet()
    await tablet.push([], { open_sheets: [sheet] })
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { listener, listening } = await listen(tablet)
      const pushedAt = server.clock.now()
      server.clock.advance(20_000)
      vi.advanceTimersByTime(heartbeatMs)
      vi.useRealTimers()
      await eventually(() => expect(listener.comments).toBe(1))
      const device = await server.db.pool
        .selectFrom('count_devices')
        .selectAll()
        .where('id_count_sheet', '=', sheet)
        .executeTakeFirstOrThrow()
      expect(Date.parse(device.last_seen_at)).toBe(pushedAt)
      expect(listener.ended).toBe(false)
      void listening
    } finally {
      vi.useRealTimers()
    }
  })

  it('end within a heartbeat of signing out', async () => {
    await tablet.signIn('ana')
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { listening } = await listen(tablet)
      await server.request('POST', '/api/auth/logout', { token: tablet.session.access_token, body: {} })
      vi.advanceTimersByTime(heartbeatMs)
      await listening
    } finally {
      vi.useRealTimers()
    }
    await tablet.signIn('ana')
  })

  it('end within a heartbeat of losing the store', async () => {
    const place = { id_user: tablet.session.id_user, store_id: tablet.session.store_id }
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    try {
      const { listening } = await listen(tablet)
      await server.db.pool.deleteFrom('user_stores').where('id_user', '=', place.id_user).where('store_id', '=', place.store_id).execute()
      vi.advanceTimersByTime(heartbeatMs)
      await listening
    } finally {
      vi.useRealTimers()
      await server.db.pool.insertInto('user_stores').values(place).execute()
    }
  })

  it('end when the server stops', async () => {
    const { listening } = await listen(tablet)
    server.stopping.abort()
    await listening
  })
})
