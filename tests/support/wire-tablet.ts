import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { hashedText } from '#contract/sync/command-hash.ts'
import { signedText } from '#contract/sync/command-signature.ts'
import { boundKeyOf, nameOfKey, type SigningKey, signingKey } from '#contract/sync/signing-key.ts'
import { type CommandBody, type CommandKind, commandVersions, type WireCommand, wireCommand } from '#contract/sync/commands.ts'
import type { SignedIn } from '#contract/people/session.ts'
import { type Collection, protocol, push, type PullHeader, type PullLine, type Receipt } from '#contract/sync/sync.ts'
import { bodyHash } from '#server/platform/db/receipts.ts'
import type { TestServer } from '#tests/support/test-server.ts'

export type Pulled = {
  header: PullHeader
  rows: Record<string, unknown>[]
  removed: (string | number)[]
  cursor: string
  /** The cursor of every page, in order. */
  cursors: string[]
}

/** A tablet as the server sees it: it makes commands, pushes and pulls. It stores only its positions in the lanes. */
export class WireTablet {
  readonly deviceId = uuidv7()
  readonly people = new Map<string, SignedIn>()
  /** The session that delivers. */
  session!: SignedIn
  /** The keys of the users who signed in here, by key name. */
  readonly #keys = new Map<string, KeyObject>()
  readonly #lanes = new Map<string, number>()
  #reports = 0
  readonly #server: TestServer
  readonly name: string

  constructor(server: TestServer, name: string) {
    this.#server = server
    this.name = name
  }

  /** @param keyed false signs in like an app without keys */
  async signIn(username: string, keyed = true): Promise<SignedIn> {
    this.session = await this.#server.signIn(username, this.deviceId, keyed ? this.newKey() : null)
    this.people.set(username, this.session)
    return this.session
  }

  newKey(): SigningKey {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = v.parse(signingKey, publicKey.export({ format: 'jwk' }))
    this.#keys.set(nameOfKey(key), privateKey)
    return key
  }

  /** Returns the command as it leaves: signed with the key of its token, if this tablet has that key. */
  signed(command: WireCommand): WireCommand {
    const bound = command.capture_token === null ? null : boundKeyOf(command.capture_token)
    const key = bound && this.#keys.get(nameOfKey(bound))
    if (!key || command.signature !== undefined) return command
    const text = signedText(command, bodyHash(hashedText(command)))
    return { ...command, signature: sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url') }
  }

  /** Makes a command now, of the signed-in user or of an earlier one (`by`). */
  command<K extends CommandKind>(kind: K, body: CommandBody<K>, more: Partial<WireCommand> & { by?: string } = {}): WireCommand {
    const { by, ...rest } = more
    const author = by === undefined ? this.session : this.people.get(by)
    if (!author) throw new Error(`${by} never signed in on this tablet`)
    const id = uuidv7()
    const lane =
      'id_patient' in body
        ? `patient:${body.id_patient}`
        : 'id_count_sheet' in body
          ? `count:${body.id_count_sheet}`
          : 'id_inventory' in body
            ? `frame:${body.id_inventory}`
            : 'id_vendor_invoice' in body
              ? `receiving:${body.id_vendor_invoice}`
              : `${kind === 'command.discard' ? 'discard' : 'punch'}:${id}`
    const position = (this.#lanes.get(lane) ?? 0) + 1
    this.#lanes.set(lane, position)
    return {
      id,
      lane,
      lane_seq: position,
      kind,
      version: commandVersions[kind],
      body,
      store_id: author.store_id,
      author: { id_user: author.id_user, name: `${author.first_name} ${author.last_name}` },
      capture_token: author.capture_token,
      device_id: this.deviceId,
      captured: {
        wall: new Date(this.#server.clock.now()).toISOString(),
        time_zone: 'America/New_York',
        server_offset_ms: 0,
        monotonic_ms: 1,
      },
      ...rest,
    }
  }

  scan(idCountSheet: string, code: string, more: Partial<WireCommand> & { by?: string } = {}): WireCommand {
    const body = { id_count_sheet: idCountSheet, raw_code: code, id_inventory: null, via: 'scanner' as const, previous_scan: null }
    return this.command('count.scan', body, more)
  }

  async pushRaw(commands: readonly unknown[], more: Record<string, unknown> = {}): Promise<Response> {
    return await this.#server.request('POST', '/api/sync/push', {
      token: this.session.access_token,
      body: {
        device_id: this.deviceId,
        device_name: this.name,
        protocol,
        report: (this.#reports += 1),
        commands: commands.map((command) => (v.is(wireCommand, command) ? this.signed(command) : command)),
        holds: [],
        open_sheets: [],
        ...more,
      },
    })
  }

  async push(commands: readonly unknown[], more: Record<string, unknown> = {}): Promise<Receipt[]> {
    const answer = await this.pushRaw(commands, more)
    if (answer.status !== 200) throw new Error(`push: ${answer.status} ${await answer.text()}`)
    return v.parse(push.response, await answer.json()).receipts
  }

  /** Makes a new sheet with every frame in its scope. */
  async createSheet(body: Partial<CommandBody<'count.create'>> = {}): Promise<string> {
    const id = uuidv7()
    const scope = { brand_ids: [], vendor_ids: [], statuses: [], price_min_cents: null, price_max_cents: null }
    const [made] = await this.push([this.command('count.create', { id_count_sheet: id, scope, notes: '', blind: false, ...body })])
    if (made?.outcome !== 'applied') throw new Error(`create: ${JSON.stringify(made)}`)
    return id
  }

  async pullRaw(collection: Collection, cursor?: string): Promise<Response> {
    const query = new URLSearchParams({ collection, ...(cursor !== undefined && { cursor }) })
    return await this.#server.request('GET', `/api/sync/pull?${query}`, { token: this.session.access_token })
  }

  async pull(collection: Collection, cursor?: string): Promise<Pulled> {
    const answer = await this.pullRaw(collection, cursor)
    if (answer.status !== 200) throw new Error(`pull: ${answer.status} ${await answer.text()}`)
    const lines = (await answer.text())
      .trim()
      .split('\n')
      .map((line): PullLine => JSON.parse(line))
    const [header, ...rest] = lines
    const end = rest.at(-1)
    if (header?.type !== 'header' || end?.type !== 'end') throw new Error('the stream was cut')
    const pages = rest.flatMap((line) => (line.type === 'page' ? [line] : []))
    return {
      header,
      rows: pages.flatMap((page) =>
        page.rows.map((row) => Object.fromEntries(header.columns.map((column, place) => [column, row[place]]))),
      ),
      removed: pages.flatMap((page) => page.removed),
      cursor: end.cursor,
      cursors: pages.map((page) => page.cursor),
    }
  }
}
