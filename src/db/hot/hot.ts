import Dexie, { RangeSet, type EntityTable, type Table } from 'dexie'
import type { FieldProblem } from '#contract/core/error-body.ts'
import type { WireCommand, CommandKind } from '#contract/sync/commands.ts'
import type { CountDecision, CountItem, CountScan, CountSheet } from '#contract/counts/count-sheets.ts'
import type { HomeInfo } from '#contract/people/session.ts'
import type { Receipt } from '#contract/sync/sync.ts'
import type { Punch } from '#contract/people/time-card.ts'
import { hotVersion, isNewer } from '#src/db/hot/hot-version.ts'
import { letOthersWork } from '#src/db/indexed/slices.ts'

/**
 * The small database that everything opens first: what waits to be sent, what the sheets need, who is signed in.
 * The large collections (frames, later patients) have a database of their own, so that neither their size nor their
 * refreshing is ever felt here.
 */

/** What the server said against a command. `fields` and `details` name what stood in the way, and never say what was written there. */
export type CommandError = {
  code: string
  message: string
  status: number | null
  at: string
  fields?: FieldProblem[]
  details?: Record<string, unknown>
}

export type CommandState = 'queued' | 'retry-wait' | 'auth-wait' | 'needs-attention'

/** One thing a person did that the server has not confirmed. It leaves only when it is settled or discarded. */
export type OutboxCommand = WireCommand & {
  kind: CommandKind | (string & {})
  state: CommandState
  /** Made with the command; null for what an older app recorded, until it is sent. A later change of mind is a new command. */
  body_hash: string | null
  attempts: number
  /** Server failures in a row, and since when: after 8 over 30 minutes the command is set aside. */
  failing_since: number | null
  /** Not before this moment (ms); 0 when at once. */
  not_before: number
  last_error: CommandError | null
  created_at: string
  /** The words by which a person knows it: `Scan 100234 on count #12`. Never holds anything personal of a patient. */
  title: string
  /**
   * The body of a command that was sealed to the server, encrypted under the key that this device has for patients while someone is signed
   * in: what the screen shows until the server's row is here. It is never sent.
   */
  own?: Uint8Array
}

/** A settled command with its receipt: proof for the person, and what is sent again when a server was restored. */
export type SettledCommand = {
  id: string
  lane: string
  settled_at: string
  number: number | null
  epoch: string
  title: string
  author_name: string
  outcome: 'applied' | 'discarded'
  command: WireCommand
  receipt: Receipt | null
  /** As the outbox had it, and the revision of the row that came of it; kept until the mirror has that row. */
  own?: Uint8Array
  revision?: number
}

/** Expected pieces of a sheet, some hundred to a record: they never change once the sheet is made. */
export type CountItemPage = { id_count_sheet: string; first: number; items: CountItem[] }

/** `revision`: what was made or taken away up to it is known here; -1 when there is nothing. */
export type Cursor = { key: string; epoch: string; cursor: string; complete: boolean; revision: number; updated_at: string }

export type OfflineSession = { by: 'password' | 'pin'; until: number }

/** The one row of who is signed in, for the worker, which cannot read local storage. */
export type SessionRow = {
  key: 'session'
  access_token: string | null
  refresh_token: string | null
  home: HomeInfo | null
  /** Nobody has touched the tablet for a while: its person must prove to be there before anything is shown. */
  locked?: boolean
  /** Unlocked by a PIN that the server was not asked about: patients stay closed until it was. */
  reduced?: boolean
  /** Set where its person signed in without a connection, and has no tokens: until when, ms, and by what. */
  offline?: OfflineSession | null
  /** Raised at every sign-in, refresh and sign-out: whoever holds an older one re-reads before acting. */
  serial: number
}

/** Small facts of this device: its id and name, clock offset, drain lease, sealing key, the key for patients, lane counters, last epoch. */
export type DeviceFact = { key: string; value: unknown }

/** The database was written by a newer version of the app than this one. It is left as it is. */
export class NewerDatabase extends Error {
  constructor() {
    super('A newer version of the app was used on this device. Reload the page to get it. Nothing is lost.')
    this.name = 'NewerDatabase'
  }
}

export class HotDatabase extends Dexie {
  declare outbox: EntityTable<OutboxCommand, 'id'>
  declare settled: EntityTable<SettledCommand, 'id'>
  declare sheets: EntityTable<CountSheet, 'id_count_sheet'>
  declare items: Table<CountItemPage, [string, number]>
  declare scans: EntityTable<CountScan, 'id'>
  declare decisions: Table<CountDecision, [string, string]>
  declare punches: EntityTable<Punch, 'id'>
  declare cursors: EntityTable<Cursor, 'key'>
  declare session: EntityTable<SessionRow, 'key'>
  declare facts: EntityTable<DeviceFact, 'key'>

  readonly #factory: IDBFactory | null
  readonly #running = new Set<IDBTransaction>()

  constructor(name = 'lorgnette', options: { indexedDB?: IDBFactory; IDBKeyRange?: typeof IDBKeyRange } = {}) {
    // Dexie's cache shows live queries what is being written before it is on the disk, and what then fails to get there.
    super(name, { ...options, chromeTransactionDurability: 'strict', cache: 'disabled' })
    this.#factory = options.indexedDB ?? (typeof indexedDB === 'undefined' ? null : indexedDB)
    this.use({
      stack: 'dbcore',
      name: 'running',
      create: (core) => ({
        ...core,
        transaction: (...asked) => this.#remembered(core.transaction(...asked) as IDBTransaction),
      }),
    })
    this.version(hotVersion).stores({
      // The device is the tail of the index because work read in from another tablet keeps that tablet's numbers.
      outbox: 'id, &[lane+lane_seq+device_id], state',
      settled: 'id, lane, settled_at, number',
      sheets: 'id_count_sheet, store_id',
      items: '[id_count_sheet+first]',
      scans: 'id, [id_count_sheet+revision]',
      decisions: '[id_count_sheet+key]',
      punches: 'id, at',
      cursors: 'key',
      session: 'key',
      facts: 'key',
    })
  }

  /**
   * Adds commands to the outbox in one transaction, and reads facts in it. Past Dexie, which takes as long again as the
   * disk for the one write that a person waits for; live queries and other tabs are told as Dexie tells them.
   *
   * @param approve is given the facts under `keys`; what it throws undoes everything
   * @throws DOMException what the browser says: ConstraintError for an id or a position that is taken, QuotaExceededError,
   *   InvalidStateError when the database is closed
   */
  addToOutbox(
    commands: readonly OutboxCommand[],
    keys: readonly string[],
    approve: (facts: (DeviceFact | undefined)[]) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen()) throw new DOMException('The database is closed', 'InvalidStateError')
      const transaction = this.#remembered(this.backendDB().transaction(['outbox', 'facts'], 'readwrite', { durability: 'strict' }))
      let refusal: unknown = null
      transaction.oncomplete = () => {
        resolve()
        // First whoever waits for this one; then whoever looks on.
        void letOthersWork().then(() => Dexie.on.storagemutated.fire(this.#addedParts(commands)))
      }
      transaction.onabort = () => reject(refusal ?? transaction.error ?? new DOMException('The database is closed', 'InvalidStateError'))
      const facts = transaction.objectStore('facts')
      const found: (DeviceFact | undefined)[] = []
      keys.forEach((key, index) => {
        const reading: IDBRequest<DeviceFact | undefined> = facts.get(key)
        reading.onsuccess = () => {
          found[index] = reading.result
          if (index < keys.length - 1) return
          try {
            approve(found)
            // Nothing more is asked: the browser need not wait to see whether it is.
            transaction.commit()
          } catch (error) {
            refusal = error
            transaction.abort()
          }
        }
      })
      const outbox = transaction.objectStore('outbox')
      for (const command of commands) outbox.add(command)
    })
  }

  /** What Dexie calls the places that a live query may have looked at. */
  #addedParts(commands: readonly OutboxCommand[]): Record<string, RangeSet> {
    const place = `idb://${this.name}/outbox/`
    const ids = commands.map(({ id }) => id)
    return {
      [place]: new RangeSet().addKeys(ids),
      [`${place}:dels`]: new RangeSet().addKeys(ids),
      [`${place}state`]: new RangeSet().addKeys(commands.map(({ state }) => state)),
      [`${place}[lane+lane_seq+device_id]`]: new RangeSet().addKeys(
        commands.map(({ lane, lane_seq, device_id }) => [lane, lane_seq, device_id]),
      ),
    }
  }

  #remembered(transaction: IDBTransaction): IDBTransaction {
    const forget = () => this.#running.delete(transaction)
    this.#running.add(transaction)
    transaction.addEventListener('complete', forget)
    transaction.addEventListener('abort', forget)
    return transaction
  }

  /**
   * For a page that is left and that the browser may keep, frozen: undoes what has not been committed, and closes. WebKit
   * would otherwise let no other page into the database for as long as it keeps this one.
   */
  leave(): void {
    for (const transaction of this.#running) {
      try {
        transaction.abort()
      } catch {
        // It is being committed already, and needs nothing more of this page.
      }
    }
    this.close()
  }

  /** Opens it; refuses one that a newer app has written, and never deletes anything. */
  async openSafely(): Promise<void> {
    // Asked before it is opened: Dexie would add to a newer database what it misses there.
    const present = (await this.#factory?.databases?.())?.find(({ name }) => name === this.name)
    if (isNewer(present?.version ?? 0)) throw new NewerDatabase()
    await this.open()
    if (isNewer(this.backendDB().version)) {
      this.close()
      throw new NewerDatabase()
    }
  }
}
