import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import type { Endpoint } from '#contract/core/endpoint.ts'
import { timeCardEndpoints } from '#contract/people/time-card.ts'
import { errorCatalog, type ErrorCode } from '#contract/core/errors.ts'
import { hashedText } from '#contract/sync/command-hash.ts'
import { punchSealContext } from '#contract/sync/commands.ts'
import type { SealedPunch } from '#contract/people/time-card.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { HotDatabase, type OutboxCommand } from '#src/db/hot/hot.ts'
import type { ConnectionState, Device, SessionState } from '#src/sync/device/device.ts'
import { createPunching, punchSentence } from '#src/sync/session/punching.ts'

const suite = new CipherSuite({ kem: new DhkemP256HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() })
const start = Date.parse('2026-11-20T14:00:00.000Z')
const deviceId = '7d0a4d3e-3c3f-4f29-9a54-0a6f7c1f1a01'

type Answering = 'yes' | 'unreachable' | 'answer-lost' | 'failing' | 'slow-down'

/** The server for the punching client: keys, sessions, and one punch for each id. */
async function fakeServer() {
  const pair = await suite.kem.generateKeyPair()
  const publicKey = Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString('base64url')
  const state = {
    answering: 'yes' as Answering,
    password: 'right',
    open: new Set<string>(),
    /** The hash of each received punch, by id: the same id with another hash would be refused. */
    received: new Map<string, string>(),
    asked: [] as string[],
    keyAsked: 0,
  }

  async function open(punch: SealedPunch): Promise<string> {
    const joined = Uint8Array.from(Buffer.from(punch.sealed_password, 'base64url'))
    const recipient = await suite.createRecipientContext({ recipientKey: pair.privateKey, enc: joined.slice(0, 65).buffer })
    const context = new TextEncoder().encode(punchSealContext(punch.id, punch.username, punch.direction))
    return new TextDecoder().decode(await recipient.open(joined.slice(65).buffer, context.buffer))
  }

  async function check(punch: SealedPunch): Promise<Outcome<unknown>> {
    const { id, version, username, direction, sealed_password, key_id, store_id, author, captured } = punch
    const body = { username, direction, sealed_password, key_id, store_id }
    const hash = hashedText({ id, kind: 'punch.record', version, body, store_id, author, captured })
    const before = state.received.get(id)
    if (before !== undefined && before !== hash) return refused('key-reused')
    if ((await open(punch)) !== state.password) return refused('punch-wrong')
    state.received.set(id, hash)
    if (direction === 'in') state.open.add(username)
    else state.open.delete(username)
    const answer = { time: '09:00 20-11-2026', session: direction === 'in', first_name: 'Ben', direction, receipt: null }
    return { ok: true, value: { ...answer, worked_minutes: direction === 'out' ? 185 : null } }
  }

  async function call(endpoint: Endpoint, request: { body?: unknown; query?: { username?: string } }): Promise<Outcome<unknown>> {
    state.asked.push(endpoint.path)
    if (state.answering === 'unreachable') return unreachable
    if (state.answering === 'failing') return refused('server-failed')
    if (state.answering === 'slow-down') return refused('request-too-frequent')
    if (endpoint === timeCardEndpoints.sealingKey) {
      state.keyAsked++
      return { ok: true, value: { key_id: 'k1', public_key: publicKey } }
    }
    if (endpoint === timeCardEndpoints.sessionStatus) {
      const session = state.open.has(request.query?.username ?? '')
      return {
        ok: true,
        value: { time: session ? '09:00 20-11-2026' : null, session, since: session ? new Date(start).toISOString() : null },
      }
    }
    const answer = await check(request.body as SealedPunch)
    return state.answering === 'answer-lost' ? unreachable : answer
  }
  return { state, call, check }
}

const unreachable: Outcome<never> = { ok: false, failure: { kind: 'unreachable', message: 'no answer' } }
function refused(code: ErrorCode): Outcome<never> {
  const { status, message } = errorCatalog[code]
  return { ok: false, failure: { kind: 'refused', status, code, message, fields: [], retryAfterS: null, details: {} } }
}

let server: Awaited<ReturnType<typeof fakeServer>>
let hot: HotDatabase
let device: Device
let diskFull: boolean
let drains: number
let now = start
let offsetMs: number | null

beforeEach(async () => {
  now = start
  offsetMs = 30_000
  diskFull = false
  drains = 0
  server = await fakeServer()
  hot = new HotDatabase('punching', { indexedDB: new IDBFactory(), IDBKeyRange })
  const connection = createStore<ConnectionState>(() => ({
    online: null,
    unsent: 0,
    needsAttention: 0,
    oldestAt: null,
    waitsForSignIn: false,
    stalled: false,
    sending: false,
    updateRequired: false,
    lastSyncedAt: null,
  }))
  const session = {
    state: createStore<SessionState>(() => ({
      status: 0,
      home: null,
      ready: true,
      locked: false,
      offline: null,
      reduced: false,
      ended: null,
      asks: 0,
    })),
  }
  const outbox = {
    async record(kind: string, lane: string, body: Record<string, unknown>, more: Record<string, unknown>) {
      if (diskFull) return { saved: false, problem: { reason: 'disk-full', message: 'The device is full.' } }
      const lane_seq = (await hot.outbox.where('[lane+lane_seq+device_id]').between([lane], [lane, []]).count()) + 1
      const command = {
        kind,
        lane,
        lane_seq,
        body,
        version: 1,
        author: { id_user: null, name: body['username'] },
        capture_token: null,
        ...more,
      }
      await hot.outbox.add({ ...command, device_id: deviceId, state: 'queued' } as unknown as OutboxCommand)
      return { saved: true, command }
    },
  }
  async function drain() {
    drains++
    if (server.state.answering !== 'yes') return
    for (const waiting of await hot.outbox.toArray()) {
      const answer = await server.check({ ...waiting, ...waiting.body, live: false } as unknown as SealedPunch)
      if (answer.ok) await hot.outbox.delete(waiting.id)
    }
  }
  const parts = { deviceId, hot, connection, session, outbox, drain, call: server.call, serverOffsetMs: () => offsetMs }
  device = parts as unknown as Device
})
afterEach(() => hot.close())

/** A tablet that was online a while ago: its key is cached. */
async function punchingWithKey() {
  const punching = create()
  await punching.keepSealingKey()
  return punching
}
function create() {
  let made = 0
  return createPunching(device, {
    now: () => now,
    pause: () => new Promise<void>(() => undefined),
    monotonic: () => now - start,
    newId: () => `018f0000-0000-7000-8000-${String(++made).padStart(12, '0')}`,
  })
}
const ben = { username: 'ben', password: 'right' }

describe('with a connection', () => {
  test('a punch says what happened, and none of it stays on the device', async () => {
    const punching = create()
    const into = await punching.punch({ ...ben, direction: 'auto' })
    expect(into).toMatchObject({ kind: 'done', direction: 'in', first_name: 'Ben', already: false })
    const out = await punching.punch({ ...ben, direction: 'auto' })
    expect(punchSentence(out)).toBe('Clocked out at 09:00 20-11-2026 after 3 h 05 min')
    expect(await hot.outbox.count()).toBe(0)
  })

  test('a wrong password is refused while the person is there, and nothing is kept', async () => {
    const punching = await punchingWithKey()
    const result = await punching.punch({ username: 'ben', password: 'wrong', direction: 'in' })
    expect(result).toMatchObject({ kind: 'refused', code: 'punch-wrong', message: 'Wrong username or password' })
    expect(await hot.outbox.count()).toBe(0)
  })

  test('a waiting punch of the same person goes first', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    await punching.punch({ ...ben, direction: 'in' })
    server.state.answering = 'yes'
    now += 3_600_000
    expect(await punching.sessionStatus('Ben')).toMatchObject({ known: true, session: true, waiting: true })
    expect(await punching.punch({ ...ben, direction: 'auto' })).toMatchObject({ kind: 'done', direction: 'out' })
    expect(drains).toBe(1)
    expect([...server.state.received.values()].map((text) => JSON.parse(text)[3].direction)).toEqual(['in', 'out'])
  })
})

describe('without a connection', () => {
  test('the punch is saved on the device, sealed: its password can’t be read back', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    const result = await punching.punch({ username: 'Ben ', password: 'right', direction: 'in' })
    expect(result).toMatchObject({ kind: 'saved', direction: 'in', at: '2026-11-20T14:00:30.000Z' })
    expect(punchSentence(result)).toContain('Saved on this device')
    const [waiting] = await hot.outbox.toArray()
    expect(waiting).toMatchObject({ lane: 'punch:ben', author: { id_user: null, name: 'Ben' }, capture_token: null })
    expect(JSON.stringify([await hot.outbox.toArray(), await hot.facts.toArray()])).not.toContain('right')
  })

  test('a lost answer and a resend from the outbox make one punch: same id, same bytes', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'answer-lost'
    const result = await punching.punch({ ...ben, direction: 'in' })
    expect(result.kind).toBe('saved')
    expect(server.state.received.size).toBe(1)
    now += 5 * 60_000
    server.state.answering = 'yes'
    await device.drain()
    expect(await hot.outbox.count()).toBe(0)
    expect([...server.state.received.keys()]).toEqual([result.kind === 'saved' && result.id])
  })

  test('a server in trouble counts as none: the punch is saved', async () => {
    const punching = await punchingWithKey()
    for (const trouble of ['failing', 'slow-down'] as const) {
      server.state.answering = trouble
      expect((await punching.punch({ ...ben, direction: 'in' })).kind).toBe('saved')
    }
  })

  test('the form asks whether to clock in or out, and does not guess', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    expect(await punching.punch({ ...ben, direction: 'auto' })).toEqual({ kind: 'ask-direction' })
    expect(await hot.outbox.count()).toBe(0)
  })

  test('after a waiting punch the next direction is known: no question, and the next punch waits behind it', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    await punching.punch({ ...ben, direction: 'in' })
    expect(await punching.punch({ username: 'BEN', password: 'right', direction: 'auto' })).toMatchObject({
      kind: 'saved',
      direction: 'out',
    })
    expect((await hot.outbox.orderBy('[lane+lane_seq+device_id]').toArray()).map((one) => [one.lane_seq, one.body['direction']])).toEqual([
      [1, 'in'],
      [2, 'out'],
    ])
  })

  test('a clock that was never measured does not count as right: the server must not believe the time', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    offsetMs = null
    await punching.punch({ ...ben, direction: 'in' })
    expect((await hot.outbox.toArray())[0]?.captured).toMatchObject({ wall: '2026-11-20T14:00:00.000Z', server_offset_ms: null })
  })

  test('a tablet that was never online says so', async () => {
    server.state.answering = 'unreachable'
    const result = await create().punch({ ...ben, direction: 'in' })
    expect(result.kind).toBe('must-be-online-once')
    expect(await hot.outbox.count()).toBe(0)
  })

  test('on a full disk the punch says NOT SAVED', async () => {
    const punching = await punchingWithKey()
    server.state.answering = 'unreachable'
    diskFull = true
    const result = await punching.punch({ ...ben, direction: 'in' })
    expect(result.kind).toBe('not-saved')
    expect(punchSentence(result)).toBe('NOT SAVED. The device is full.')
  })
})

describe('the server’s key', () => {
  test('is fetched when the device comes online, and again when it is half a day old', async () => {
    server.state.answering = 'unreachable'
    create()
    server.state.answering = 'yes'
    device.connection.setState({ online: true })
    await expect.poll(async () => (await hot.facts.get('sealing-key'))?.value).toMatchObject({ key_id: 'k1' })
    const asked = server.state.keyAsked
    const punching = create()
    await punching.keepSealingKey()
    expect(server.state.keyAsked).toBe(asked)
    now += 13 * 3_600_000
    await punching.keepSealingKey()
    expect(server.state.keyAsked).toBe(asked + 1)
  })
})
