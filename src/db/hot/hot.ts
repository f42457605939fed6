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
 * The small database that the app opens first: the outbox, the rows of the count sheets, and the signed-in user. The
 * large collections (frames, patients) have databases of their own, so that they never slow this one down.
 */

/** The server's reason for a refusal. `fields` and `details` name the problem, and never repeat the typed values. */
export type CommandError = {
  code: string
  message: string
  status: number | null
  at: string
  fields?: FieldProblem[]
  details?: Record<string, unknown>
}

export type CommandState = 'queued' | 'retry-wait' | 'auth-wait' | 'needs-attention'

/** One action of a user that the server has not confirmed. The row stays until it is settled or discarded. */
export type OutboxCommand = WireCommand & {
  kind: CommandKind | (string & {})
  state: CommandState
  /**
   * Made with the command. Null for a command that an older app recorded, until it is sent. An edit is a new command.
   */
  body_hash: string | null
  attempts: number
  /** Server failures in a row, and since when. After 8 over 30 minutes the command is set aside. */
  failing_since: number | null
  /** The earliest time to send it (ms); 0 means at once. */
  not_before: number
  last_error: CommandError | null
  created_at: string
  /** The words by which a user knows it: `Scan 100234 on count #12`. Never holds personal data of a patient. */
  title: string
  /**
   * The body of a command that was sealed to the server. It is encrypted with this device's key for patients, which
   * exists while a user is signed in. The screen shows it until the server's row is here. It is never sent.
   */
  own?: Uint8Array
}

/** A settled command with its receipt: proof for the user. The device sends it again after a server was restored. */
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
  /** As in the outbox, with the revision of the row that the command wrote. Kept until the mirror has that row. */
  own?: Uint8Array
  revision?: number
}

/** Expected pieces of a sheet, some hundred in a record. They never change once the sheet is made. */
export type CountItemPage = { id_count_sheet: string; first: number; items: CountItem[] }

/** `revision`: the device knows the rows and removals through this revision; -1 when it has none. */
export type Cursor = { key: string; epoch: string; cursor: string; complete: boolean; revision: number; updated_at: string }

export type OfflineSession = { by: 'password' | 'pin'; until: number }

/** The one row about the signed-in user, for the worker, which cannot read local storage. */
export type SessionRow = {
  key: 'session'
  access_token: string | null
  refresh_token: string | null
  home: HomeInfo | null
  /** The tablet was idle: its user must prove to be there before the app shows anything. */
  locked?: boolean
  /** Unlocked by a PIN that the server did not check. Patients stay closed until it did. */
  reduced?: boolean
  /** Set when the user signed in without a connection and has no tokens: until when, ms, and by what. */
  offline?: OfflineSession | null
  /**
   * Raised at every sign-in, refresh and sign-out. Code that holds an older serial reads the row again before it acts.
   */
  serial: number
}

/**
 * Small facts of this device: its id and name, clock offset, drain lease, sealing key, the key for patients, lane
 * counters, last epoch.
 */
export type DeviceFact = { key: string; value: unknown }

/** A newer version of the app wrote the database. This version does not touch it. */
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
    // Dexie's cache shows live queries a write before it is on the disk, even a write that then fails.
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
      // The index ends with the device because work read in from another tablet keeps that tablet's numbers.
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
   * Adds commands to the outbox and reads facts, in one transaction. It bypasses Dexie, which doubles the time of the
   * one write that a user waits for. Live queries and other tabs hear of the write as they do from Dexie.
   *
   * @param approve gets the facts under `keys`; when it throws, nothing is added
   * @throws DOMException the browser's error: ConstraintError for an id or a position that is taken,
   * QuotaExceededError,
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
        // First the caller goes on, then live queries read again.
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
            // The transaction asks for nothing more, so the browser can commit at once.
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

  /** Dexie's names for the places that a live query may have read. */
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
   * For a page that the user leaves and that the browser may keep frozen. Undoes what is not committed, and closes.
   * WebKit would otherwise block every other page from the database for as long as it keeps this page.
   */
  leave(): void {
    for (const transaction of this.#running) {
      try {
        transaction.abort()
      } catch {
        // The transaction is committing already, and needs nothing more of this page.
      }
    }
    this.close()
  }

  /** Opens the database. Refuses one that a newer app wrote, and never deletes anything. */
  async openSafely(): Promise<void> {
    // Check before opening: Dexie would add its missing tables to a newer database.
    const present = (await this.#factory?.databases?.())?.find(({ name }) => name === this.name)
    if (isNewer(present?.version ?? 0)) throw new NewerDatabase()
    await this.open()
    if (isNewer(this.backendDB().version)) {
      this.close()
      throw new NewerDatabase()
    }
  }
}
