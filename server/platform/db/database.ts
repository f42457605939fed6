import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '#server/platform/db/schema.ts'

/**
 * `chain` for frames and their lists, `store:{id}` for what a store works on, `settings:{id}` for a store's rules (no rows
 * carry it: it only tells devices to read their home info anew), `user:{id}` for a person's own, `patients:{id}` for the patients
 * of a store, whose tablets need not be told of scans by them, nor of them by scans.
 */
export type RevisionScope = 'chain' | `store:${number}` | `settings:${number}` | `user:${number}` | `patients:${number}`

/** A writing transaction: the revisions of its scopes have been raised before anything else was done in it. */
export type Writing = {
  trx: Transaction<Schema>
  /** The revision that every row written for this scope gets. Throws for a scope that was not asked for. */
  revision: (scope: RevisionScope) => number
}

export type Database = {
  engine: 'pglite' | 'postgres'
  /** For reads and for writes that no device mirrors (sessions, sign-in failures, presence). */
  pool: Kysely<Schema>
  /**
   * Runs `work` in one transaction. Raises the revision of each scope first, in sorted order, so that commit order is
   * revision order and writers of one scope cannot deadlock. Repeats it on serialisation failures (40001, 40P01).
   * After the commit the change feed is told.
   */
  write<T>(scopes: readonly RevisionScope[], work: (writing: Writing) => Promise<T>): Promise<T>
  close(): Promise<void>
}
