import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { signedText } from '#contract/sync/command-signature.ts'
import type { SigningKey } from '#contract/sync/signing-key.ts'
import type { SignedIn } from '#contract/people/session.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Device } from '#src/sync/device/device.ts'
import { offlineFact } from '#src/sync/session/offline-facts.ts'
import { forgetUnusedKeys, keyNameOf } from '#src/sync/session/signing-keys.ts'
import { FakeClinic, person } from '#tests/support/fake-clinic.ts'
import { FakeTablet, until } from '#tests/support/test-device.ts'

const sheet = '0199d0f0-0000-7000-8000-000000000001'
let clinic: FakeClinic
let tablet: FakeTablet
let device: Device

beforeEach(async () => {
  clinic = new FakeClinic()
  tablet = new FakeTablet(clinic.answer, { haste: 200, signing: crypto.subtle })
  device = await tablet.open()
})
afterEach(() => tablet.close())

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenFor = (key: SigningKey) => `${part({})}.${part({ cnf: { jwk: { kty: 'EC', crv: 'P-256', ...key } } })}.x`

async function signIn(username: string, id_user?: number): Promise<{ key: SigningKey; signedIn: SignedIn }> {
  const key = await device.session.signingKey()
  if (key === null) throw new Error('this tablet has no cryptography')
  const signedIn = { ...person(username, id_user), capture_token: tokenFor(key) }
  await device.session.signIn(signedIn)
  return { key, signedIn }
}
async function scan(): Promise<OutboxCommand> {
  const body = { id_count_sheet: sheet, raw_code: 'A1', id_inventory: null, via: 'scanner' as const, previous_scan: null }
  const made = await device.outbox.record('count.scan', `count:${sheet}`, body, { title: 'Scan A1' })
  if (!made.saved) throw new Error(made.problem.message)
  return made.command
}
const keys = async () =>
  (await device.hot.facts.where('key').startsWith('signing-key ').primaryKeys()).map((key) => key.slice('signing-key '.length))
const nameOf = ({ x, y }: SigningKey) => `${x}.${y}`
async function isSigned(command: { signature?: string | null | undefined }, text: string, { x, y }: SigningKey): Promise<boolean> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256' }
  const key = await crypto.subtle.importKey('jwk', { kty: 'EC', crv: 'P-256', x, y }, algorithm, false, ['verify'])
  const signature = Uint8Array.from(Buffer.from(command.signature ?? '', 'base64url'))
  return await crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, signature, new TextEncoder().encode(text))
}

describe('the work of a user on a tablet', () => {
  test('leaves under a colleague’s session with the signature of its author', async () => {
    tablet.network.online = false
    const ana = await signIn('ana', 3)
    const made = await scan()
    await device.session.deleteTokens()
    await signIn('ben')
    tablet.network.online = true
    await device.drain()
    await until('the scan has left', () => clinic.applied.has(made.id))
    const sent = clinic.applied.get(made.id)!
    expect(sent.author.id_user).toBe(3)
    expect(await isSigned(sent, signedText(sent, made.body_hash ?? ''), ana.key)).toBe(true)
  })

  test('is stored unsigned, with one write, and the key cannot be extracted', async () => {
    tablet.network.online = false
    const { key } = await signIn('ana', 3)
    const made = await scan()
    expect((await device.hot.outbox.get(made.id))?.signature).toBeUndefined()
    const kept = (await device.hot.facts.get(`signing-key ${nameOf(key)}`))?.value
    expect(kept).toBeInstanceOf(CryptoKey)
    expect([(kept as CryptoKey).extractable, (kept as CryptoKey).type]).toEqual([false, 'private'])
    await expect(crypto.subtle.exportKey('jwk', kept as CryptoKey)).rejects.toThrow()
  })

  test('carries its signature in a file for another tablet, which has no key', async () => {
    tablet.network.online = false
    const { key } = await signIn('ana', 3)
    const made = await scan()
    const { commands } = JSON.parse(await device.outbox.exportUnsent())
    expect(await isSigned(commands[0], signedText(made, made.body_hash ?? ''), key)).toBe(true)
  })

  test('leaves unsigned when its key is gone, and only the server learns of it', async () => {
    tablet.network.online = false
    const { key } = await signIn('ana', 3)
    const made = await scan()
    await device.hot.facts.delete(`signing-key ${nameOf(key)}`)
    tablet.network.online = true
    await device.drain()
    await until('the scan has left', () => clinic.applied.has(made.id))
    expect(clinic.applied.get(made.id)?.signature).toBeUndefined()
    expect(tablet.surprises).toEqual([])
  })
})

describe('a key', () => {
  test('stays after a sign-out while work of its author waits, and goes when that has left', async () => {
    tablet.network.online = false
    const ana = await signIn('ana', 3)
    const made = await scan()
    await device.session.deleteTokens()
    await forgetUnusedKeys(device.hot)
    expect(await keys()).toEqual([nameOf(ana.key)])
    const ben = await signIn('ben')
    tablet.network.online = true
    await device.drain()
    await until('the scan has left', async () => (await device.hot.outbox.get(made.id)) === undefined)
    await forgetUnusedKeys(device.hot)
    expect(await keys()).toEqual([nameOf(ben.key)])
  })

  test('stays while its author can sign in without a connection', async () => {
    const { key, signedIn } = await signIn('ana', 3)
    const box = { by: 'password', id_user: 3, signing_key: keyNameOf(signedIn.capture_token) }
    await device.hot.facts.put({ key: offlineFact('password', 3), value: box })
    await signIn('ben')
    await forgetUnusedKeys(device.hot)
    expect(await keys()).toContain(nameOf(key))
  })

  test('is made for a session that began under an older app, with its next refresh', async () => {
    await device.session.signIn(person('ben'))
    tablet.network.online = true
    await until('the tablet asks for a token with a key', () =>
      tablet.network.callsTo('/api/auth/token/refresh').some(({ body }) => 'signing_key' in JSON.parse(body)),
    )
  })
})

describe('work that needs attention', () => {
  // Real time: with a fast clock, the manager's 5 minutes pass on a slow machine during the test.
  beforeEach(async () => {
    await tablet.close()
    tablet = new FakeTablet(clinic.answer, { haste: 1, signing: crypto.subtle })
    device = await tablet.open()
  })

  test('is sent again when its author is back, or a manager may have applied it', async () => {
    tablet.network.online = false
    await signIn('ana', 3)
    const [absent, held] = [await scan(), await scan()]
    for (const [made, code] of [
      [absent, 'author-absent'],
      [held, 'work-held'],
    ] as const) {
      const last_error = { code, message: 'No', status: 403, at: new Date(tablet.now()).toISOString() }
      await device.hot.outbox.update(made.id, { state: 'needs-attention', last_error })
    }
    await device.session.deleteTokens()
    await signIn('ben')
    tablet.network.online = true
    await device.drain()
    expect(clinic.applied.size).toBe(0)
    tablet.pass(6 * 60_000)
    await device.drain()
    await until('the manager’s decision was asked for', () => clinic.applied.has(held.id))
    expect(clinic.applied.has(absent.id)).toBe(false)
    await signIn('ana', 3)
    await device.drain()
    await until('it left with its author', () => clinic.applied.has(absent.id))
  })
})
