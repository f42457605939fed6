import Dexie, { type Table } from 'dexie'

type Device = { databaseName?: string; indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }
type KeptPart = { id: string; index: number; bytes: Uint8Array }

/**
 * The bytes of files that wait to be sent, in parts and encrypted. A database of its own, so that their size is never felt where work is
 * recorded; which files they are of stands in the hot database.
 */
export class KeptBytes {
  readonly #db: Dexie
  readonly #parts: Table<KeptPart, [string, number]>

  /** @param device whose files they are: beside its hot database, under a name made from that one's */
  constructor({ databaseName = 'lorgnette', indexedDB, IDBKeyRange }: Device) {
    this.#db = new Dexie(`${databaseName}-files`, { indexedDB, IDBKeyRange, chromeTransactionDurability: 'strict', cache: 'disabled' })
    this.#db.version(1).stores({ parts: '[id+index]' })
    this.#parts = this.#db.table('parts')
  }

  /** Resolves when it is on the disk. */
  async put(id: string, index: number, bytes: Uint8Array): Promise<void> {
    await this.#parts.put({ id, index, bytes })
  }

  /** Undefined where there is none. */
  async get(id: string, index: number): Promise<Uint8Array | undefined> {
    return (await this.#parts.get([id, index]))?.bytes
  }

  async drop(id: string): Promise<void> {
    await this.#parts.where('[id+index]').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete()
  }

  /** Of whom there is anything. */
  async ids(): Promise<string[]> {
    const ids: string[] = []
    for (let after: unknown[] = [Dexie.minKey]; ;) {
      const [next] = await this.#parts.where('[id+index]').between(after, [Dexie.maxKey], false, true).limit(1).primaryKeys()
      if (!next) return ids
      ids.push(next[0])
      after = [next[0], Dexie.maxKey]
    }
  }

  close(): void {
    this.#db.close()
  }
}
