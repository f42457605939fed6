import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * The scope of a revision counter. `chain` is for frames and their lists, `store:{id}` for the work of a store.
 * `settings:{id}` is for a store's rules: no row carries it, it only tells devices to read their home info again.
 * `user:{id}` is for a person's own rows. `patients:{id}` is for the patients of a store, so that scans and patients do
 * not wake each other's tablets.
 */
export type RevisionScope = 'chain' | `store:${number}` | `settings:${number}` | `user:${number}` | `patients:${number}`

/** A writing transaction. It raised the revisions of its scopes before it did anything else. */
export type Writing = {
  trx: Transaction<Schema>
  /**
   * Returns the revision for every row that is written in this scope. @throws for a scope that the transaction did not
   * name.
   */
  revision: (scope: RevisionScope) => number
}

export type Database = {
  engine: 'pglite' | 'postgres'
  /** For reads and for writes that no device mirrors (sessions, sign-in failures, presence). */
  pool: Kysely<Schema>
  /**
   * Runs `work` in one transaction. Raises the revision of each scope first, in sorted order. So commit order is
   * revision order, and writers of one scope cannot deadlock. Repeats the work on serialization failures (40001,
   * 40P01). After the commit it publishes the changes to the change feed.
   */
  write<T>(scopes: readonly RevisionScope[], work: (writing: Writing) => Promise<T>): Promise<T>
  close(): Promise<void>
}
