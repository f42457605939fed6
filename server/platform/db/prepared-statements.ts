import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type pg from 'pg'
import { isPlanOfOtherTables } from '#server/platform/db/database-faults.ts'

/** A rarer statement is not worth a name: it may be a list whose length never repeats. */
const preparedFrom = 3
/** The most plans on each connection: they take memory at the database. */
const mostPrepared = 300

/**
 * Returns connections that keep the plans of frequent statements. Planning a look-up in three tables takes longer than
 * running it, above all in the embedded database. The pool itself does not change.
 */
export function preparing(pool: pg.Pool): PostgresPool {
  const known = new WeakMap<pg.PoolClient, PreparingClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const preparingClient = known.get(client) ?? new PreparingClient(client)
      known.set(client, preparingClient)
      return preparingClient
    },
    end: () => pool.end(),
  }
}

/** The connections of the embedded database are one session, in which each name must be unique. */
let lastName = 0

class PreparingClient implements PostgresPoolClient {
  readonly #client: pg.PoolClient
  readonly #asked = new Map<string, { times: number; name: string | null }>()
  #prepared = 0

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(asked: string | PostgresCursor<R>, values: readonly unknown[] = []): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof asked !== 'string') throw new Error('Rows are read in pages, not by cursor')
    return this.#ask<R>(asked, values)
  }

  release(): void {
    this.#client.release()
  }

  async #ask<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const name = this.#nameOf(text, values)
    try {
      return await this.#run<R>(text, values, name)
    } catch (error) {
      if (name === null || !isPlanOfOtherTables(error)) throw error
      // The old plans stay at the server until the connection ends; a repeated statement gets a new name.
      this.#asked.clear()
      this.#prepared = 0
      // Inside a failed transaction no more statements can run: the caller that began it begins it again.
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return await this.#run<R>(text, values, null)
    }
  }

  async #run<R>(text: string, values: readonly unknown[], name: string | null): Promise<PostgresQueryResult<R>> {
    const given = [...values]
    const answer = await this.#client.query(name === null ? { text, values: given } : { text, values: given, name })
    return answer as unknown as PostgresQueryResult<R>
  }

  #nameOf(text: string, values: readonly unknown[]): string | null {
    if (values.length === 0) return null
    const asked = this.#asked.get(text) ?? { times: 0, name: null }
    asked.times += 1
    if (asked.times === 1) this.#makeRoom()
    this.#asked.set(text, asked)
    if (asked.name === null && asked.times >= preparedFrom && this.#prepared < mostPrepared) {
      this.#prepared += 1
      asked.name = `s${++lastName}`
    }
    return asked.name
  }

  /** Drops rare statements, so that they do not pile up. */
  #makeRoom(): void {
    if (this.#asked.size < 4 * mostPrepared) return
    for (const [text, { name }] of this.#asked) if (name === null) this.#asked.delete(text)
  }
}
