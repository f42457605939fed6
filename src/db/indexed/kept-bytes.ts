import Dexie, { type Table } from 'dexie'

type Device = { databaseName?: string; indexedDB: IDBFactory; IDBKeyRange: typeof IDBKeyRange }
type KeptPart = { id: string; index: number; bytes: Uint8Array }

/**
 * The bytes of files that wait to be sent, in parts and encrypted. They have a database of their own, so that their
 * size never slows the recording of work. The hot database says which files they belong to.
 */
export class KeptBytes {
  readonly #db: Dexie
  readonly #parts: Table<KeptPart, [string, number]>

  /** @param device the device of the files; the name of this database is made from the name of its hot database */
  constructor({ databaseName = 'lorgnette', indexedDB, IDBKeyRange }: Device) {
    this.#db = new Dexie(`${databaseName}-files`, { indexedDB, IDBKeyRange, chromeTransactionDurability: 'strict', cache: 'disabled' })
    this.#db.version(1).stores({ parts: '[id+index]' })
    this.#parts = this.#db.table('parts')
  }

  /** Resolves when the bytes are on the disk. */
  async put(id: string, index: number, bytes: Uint8Array): Promise<void> {
    await this.#parts.put({ id, index, bytes })
  }

  /** Undefined when there is no such part. */
  async get(id: string, index: number): Promise<Uint8Array | undefined> {
    return (await this.#parts.get([id, index]))?.bytes
  }

  async drop(id: string): Promise<void> {
    await this.#parts.where('[id+index]').between([id, Dexie.minKey], [id, Dexie.maxKey]).delete()
  }

  /** The ids of all files with bytes here. */
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
