import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { hashedText } from '#contract/sync/command-hash.ts'
import { commandVersions, type CommandBody, type CommandKind, type WireCommand } from '#contract/sync/commands.ts'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { inventoryEndpoints } from '#contract/stock/frames.ts'
import { operationsEndpoints } from '#contract/core/operations.ts'
import { sessionEndpoints, type SignedIn } from '#contract/people/session.ts'
import { collections, protocol, pullLine, pushBatchLimit, syncEndpoints, type Collection, type PullHeader } from '#contract/sync/sync.ts'
import { call, openStream } from '#src/api/call.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { pushTimeoutMs } from '#src/sync/engine/drain.ts'
import { createEvents, type Events } from '#src/sync/engine/events.ts'
import { linesOf, StreamCut } from '#src/sync/engine/lines.ts'
import { countingBeatMs, probeTimeoutMs } from '#src/sync/device/open-device.ts'
import { pullIdleMs } from '#src/sync/engine/pull.ts'
import { isExpired } from '#src/sync/session/session.ts'
import { backoffMs, judgeFailure, judgeReceipt } from '#src/sync/engine/verdict.ts'
import type { Answers, Latencies } from './latencies.ts'

/** A clinic of the chain as its tablets see it: they share its address, its people and its sheet. */
export type Clinic = { store_id: number; address: string; usernames: string[]; sheet: string; labels: string[] }

/** The shared notes of all tablets of one generator. */
export type Notes = { latencies: Latencies; answers: Answers; refused: string[]; surprises: string[] }

type Waiting = { command: WireCommand; body_hash: string; dueAt: number }

const trackOf = (collection: Collection) => (collection === 'frames' ? 'frames' : 'rows')

/**
 * A tablet as the server sees it. The app's own code decides what it sends and when it repeats: calls, events, pauses and
 * verdicts are those of `src/`. It has no disk: commands wait in memory, and it keeps only the cursors of the mirror.
 */
export class LoadTablet {
  readonly clinic: Clinic
  readonly deviceId = uuidv7()
  readonly cursors: Map<Collection, string>
  session!: SignedIn
  #notes: Notes
  #wire
  #username: string
  #password: string
  #queue: Waiting[] = []
  #limit = pushBatchLimit
  #laneSeq = 0
  #report = 0
  #failures = 0
  #draining: Promise<void> | null = null
  #sending: Promise<unknown> = Promise.resolve()
  #renewing: Promise<boolean> | null = null
  #isAnnouncing = false
  #tracks = { rows: new Track(), frames: new Track() }
  #events: Events | null = null
  #beat: NodeJS.Timeout | undefined
  #isOver = false

  constructor(origin: string, clinic: Clinic, username: string, password: string, cursors: ReadonlyMap<Collection, string>, notes: Notes) {
    this.clinic = clinic
    this.cursors = new Map(cursors)
    this.#username = username
    this.#password = password
    this.#notes = notes
    this.#wire = {
      origin,
      schedule: (ms: number, work: () => void) => {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
      fetch: (address: string, init: RequestInit) => this.#fetch(address, init),
    }
  }

  get unsent(): number {
    return this.#queue.length
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    const kind = new URL(address).pathname.split('/').at(-1) ?? ''
    const headers = new Headers(init.headers)
    // The header of the reverse proxy on every clinic's line.
    headers.set('x-forwarded-for', this.clinic.address)
    const began = performance.now()
    try {
      const answer = await fetch(address, { ...init, headers })
      this.#notes.answers.note(kind, answer.status)
      if (kind === 'push') this.#notes.latencies.record('push, one request', performance.now() - began)
      return answer
    } catch (error) {
      if (!this.#isOver) this.#notes.answers.note(kind, 'no answer')
      throw error
    }
  }

  async signIn(): Promise<Outcome<SignedIn>> {
    const body = {
      username: this.#username,
      password: this.#password,
      recaptcha_token: 'development:login:load',
      device_id: this.deviceId,
    }
    const answer = await call(this.#wire, sessionEndpoints.logIn, { body })
    if (answer.ok) this.session = answer.value
    return answer
  }

  /** A call of this tablet's session, renewed once when its token has run out. */
  async call<E extends Endpoint>(endpoint: E, request: RequestOf<E>, timeoutMs?: number): Promise<Outcome<ResponseOf<E>>> {
    const options = { token: this.session.access_token, ...(timeoutMs !== undefined && { timeoutMs }) }
    const answer = await call(this.#wire, endpoint, request, options)
    if (answer.ok || !isExpired(answer.failure) || !(await this.renew())) return answer
    return await call(this.#wire, endpoint, request, { ...options, token: this.session.access_token })
  }

  /** One renewal at a time, as all tabs of a tablet together do it. */
  async renew(): Promise<boolean> {
    this.#renewing ??= this.#renew().finally(() => (this.#renewing = null))
    return await this.#renewing
  }

  async #renew(): Promise<boolean> {
    const body = { refresh_token: this.session.refresh_token, device_id: this.deviceId }
    const answer = await call(this.#wire, sessionEndpoints.refreshToken, { body })
    if (answer.ok) this.session = { ...this.session, ...answer.value }
    return answer.ok
  }

  lookUp(label: string): Promise<Outcome<unknown>> {
    return this.call(inventoryEndpoints.lookUpFrame, { query: { sku: label } })
  }

  home(): Promise<Outcome<unknown>> {
    return this.call(sessionEndpoints.home, { query: { device_id: this.deviceId } })
  }

  async probe(): Promise<boolean> {
    return (await call(this.#wire, operationsEndpoints.health, {}, { timeoutMs: probeTimeoutMs })).ok
  }

  /** Makes a command and keeps it until `drain`. @param dueAt when the person acted, by `performance.now()` */
  make<K extends CommandKind>(kind: K, body: CommandBody<K>, dueAt: number): string {
    const { id_user, first_name, last_name, store_id, capture_token } = this.session
    const command: WireCommand = {
      id: uuidv7(),
      lane: `count:${this.clinic.sheet}`,
      lane_seq: (this.#laneSeq += 1),
      kind,
      version: commandVersions[kind],
      body,
      store_id,
      author: { id_user, name: `${first_name} ${last_name}` },
      capture_token,
      device_id: this.deviceId,
      captured: {
        wall: new Date().toISOString(),
        time_zone: 'America/New_York',
        server_offset_ms: 0,
        monotonic_ms: Math.round(performance.now()),
      },
    }
    this.#queue.push({ command, body_hash: createHash('sha256').update(hashedText(command)).digest('hex'), dueAt })
    return command.id
  }

  scan(label: string, dueAt: number): string {
    const body = { id_count_sheet: this.clinic.sheet, raw_code: label, id_inventory: null, via: 'scanner', previous_scan: null } as const
    return this.make('count.scan', body, dueAt)
  }

  /** Sends the waiting commands, batch after batch; resolves when none is left. */
  async drain(): Promise<void> {
    this.#draining ??= this.#drain().finally(() => (this.#draining = null))
    await this.#draining
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0 && !this.#isOver) {
      const pause = await this.#oneAtATime(() => this.#sendBatch())
      if (pause > 0) await wait(pause)
    }
  }

  /** Batches and announcements take turns, as they do in the app. */
  #oneAtATime<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#sending.then(work)
    this.#sending = turn.catch(() => undefined)
    return turn
  }

  /** Returns how long to wait before the next one, ms. */
  async #sendBatch(): Promise<number> {
    const batch = this.#queue.slice(0, this.#limit)
    const answer = await this.#push(batch, pushTimeoutMs)
    if (!answer.ok) {
      const verdict = judgeFailure(answer.failure, batch.length)
      if (verdict.kind === 'pause') return verdict.ms ?? backoffMs(this.#failures++, Math.random)
      if (verdict.kind === 'halve') this.#limit = Math.max(1, Math.floor(batch.length / 2))
      else this.#notes.surprises.push(`push: ${verdict.kind} ${answer.failure.message}`)
      return backoffMs(this.#failures++, Math.random)
    }
    const receipts = new Map(answer.value.receipts.map((receipt) => [receipt.id, receipt]))
    const now = performance.now()
    const settled = new Set<string>()
    for (const { command, body_hash, dueAt } of batch) {
      const verdict = judgeReceipt({ body_hash }, receipts.get(command.id))
      if (verdict.kind === 'applied') this.#notes.latencies.record('scan to receipt', now - dueAt)
      if (verdict.kind === 'attention') this.#notes.refused.push(`${command.kind}: ${verdict.problem.message}`)
      if (verdict.kind === 'applied' || verdict.kind === 'attention') settled.add(command.id)
    }
    this.#queue = this.#queue.filter(({ command }) => !settled.has(command.id))
    if (settled.size === 0) return backoffMs(this.#failures++, Math.random)
    this.#failures = 0
    this.#limit = Math.min(pushBatchLimit, this.#limit * 2)
    return 0
  }

  async #push(batch: readonly Waiting[], timeoutMs: number) {
    const staying = this.#queue.length - batch.length
    const body = {
      device_id: this.deviceId,
      device_name: `Tablet ${this.deviceId.slice(-4)}`,
      protocol,
      commands: batch.map(({ command }) => command),
      report: (this.#report += 1),
      holds: staying > 0 ? [{ lane: `count:${this.clinic.sheet}`, unsent: staying }] : [],
      open_sheets: [this.clinic.sheet],
      oldest_unsent_s: staying > 0 ? 0 : null,
      app_version: 'load',
    }
    return await this.call(syncEndpoints.push, { body }, timeoutMs)
  }

  /** Fetches the changes, in one request for the rows and one for the frames; requests in the meantime follow. Resolves when none is left. */
  async pull(wanted: readonly Collection[] = collections, kind?: string): Promise<void> {
    const dueAt = performance.now()
    const running = [this.#tracks.rows, this.#tracks.frames].map((track, place) => {
      const mine = wanted.filter((collection) => trackOf(collection) === (place === 0 ? 'rows' : 'frames'))
      return track.run(mine, async (names) => await this.#pullAll(names))
    })
    await Promise.all(running)
    if (kind !== undefined && !this.#isOver) this.#notes.latencies.record(kind, performance.now() - dueAt)
  }

  /** Asks again for the collections that an answer did not finish. */
  async #pullAll(wanted: readonly Collection[]): Promise<void> {
    const left = new Set(wanted)
    for (let failures = 0; left.size > 0 && !this.#isOver;) {
      const names = [...left]
      const query = { collection: names.join(), cursor: names.map((name) => this.cursors.get(name) ?? '').join() }
      const answer = await openStream(this.#wire, syncEndpoints.pull, { query }, { token: this.session.access_token })
      if (answer.ok) {
        if (await this.#readPull(left, answer.value)) continue
      } else if (isExpired(answer.failure) && (await this.renew())) continue
      await wait(backoffMs(failures++, Math.random))
    }
  }

  /** Removes the finished collections from `left`. Returns false for a cut stream. */
  async #readPull(left: Set<Collection>, answer: Response): Promise<boolean> {
    let header: PullHeader | null = null
    try {
      for await (const line of linesOf(this.#wire, answer, pullIdleMs)) {
        if (line === '') continue
        const said = v.parse(pullLine, JSON.parse(line))
        if (said.type === 'header') header = said
        else if (header) this.cursors.set(header.collection, said.cursor)
        if (said.type === 'page' && header?.collection === 'frames') this.#learnLabels(header.columns, said.rows)
        if (said.type === 'end' && header) left.delete(header.collection)
      }
      return true
    } catch (error) {
      if (!(error instanceof StreamCut)) throw error
    }
    return false
  }

  #learnLabels(columns: readonly string[], rows: readonly unknown[][]): void {
    const [sku, store] = [columns.indexOf('sku'), columns.indexOf('store_id')]
    for (const row of rows) if (row[store] === this.clinic.store_id) this.clinic.labels.push(String(row[sku]))
  }

  /** Holds the stream of events open and says every few seconds that the sheet is open here, as the app does. */
  goOnDuty(): void {
    const session = {
      freshToken: () => Promise.resolve(this.session.access_token),
      home: () => this.session,
      renew: async () => ((await this.renew()) ? ('renewed' as const) : ('unreachable' as const)),
      end: () => Promise.resolve(),
      onChange: () => () => undefined,
    }
    this.#events = createEvents({
      environment: {
        ...this.#wire,
        locks: null,
        monotonic: () => performance.now(),
        random: Math.random,
        report: (error) => this.#notes.surprises.push(String(error)),
      },
      session: { ...session, isOpen: () => true },
      clock: { offsetMs: () => 0, serverNow: Date.now, toldAt: () => null, learn: () => undefined, load: () => Promise.resolve() },
      heard: () => undefined,
      onEpoch: () => Promise.resolve(),
      pull: (wanted) => this.pull(wanted, 'pull after an event'),
      refreshHome: () => void this.home(),
    })
    this.#events.start()
    // Tablets were not opened in the same instant.
    this.#beat = setTimeout(() => {
      this.#beat = setInterval(() => this.#announce(), countingBeatMs)
    }, Math.random() * countingBeatMs)
  }

  /** A waiting announcement already says what the next one would say. */
  #announce(): void {
    if (this.#isAnnouncing) return
    this.#isAnnouncing = true
    this.#oneAtATime(() => this.#push([], pushTimeoutMs))
      .catch((error: unknown) => this.#notes.surprises.push(String(error)))
      .finally(() => (this.#isAnnouncing = false))
  }

  isListening(): boolean {
    return this.#events?.listening() ?? false
  }

  leave(): void {
    this.#isOver = true
    clearTimeout(this.#beat)
    this.#events?.close()
  }
}

/** Some collections, fetched together; requests in the meantime follow. */
class Track {
  #wanted = new Set<Collection>()
  #running: Promise<void> | null = null

  async run(wanted: readonly Collection[], fetchAll: (collections: readonly Collection[]) => Promise<void>): Promise<void> {
    for (const collection of wanted) this.#wanted.add(collection)
    this.#running ??= this.#loop(fetchAll).finally(() => (this.#running = null))
    await this.#running
  }

  async #loop(fetchAll: (collections: readonly Collection[]) => Promise<void>): Promise<void> {
    while (this.#wanted.size > 0) {
      const turn = collections.filter((collection) => this.#wanted.has(collection))
      this.#wanted.clear()
      await fetchAll(turn)
    }
  }
}
