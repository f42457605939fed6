import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Writing } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

type Verdict = 'new' | 'already-there' | 'same-person'
export type JudgedRow<Row> = { id: string; hash: string; row: Row; verdict: Verdict }
/** `id` is null for a row that a check found to be new. */
export type ImportResult = { verdict: Verdict | 'imported'; id: string | null }

/** One kind of file: how to recognize its rows, and how to write new ones. */
export type ImportKind<Row, Listed> = {
  /** Returns the same text for the same row of a file. */
  identity: (row: Row) => string
  /** The rows of earlier imports, by their hash. */
  brought: (db: Kysely<Schema>, hashes: readonly string[]) => Promise<{ hash: string; id: string }[]>
  /** Existing entries that a row may match. */
  alike: (db: Kysely<Schema>, rows: readonly Row[]) => Promise<Listed[]>
  isSame: (row: Row, listed: Listed) => boolean
  idOf: (listed: Listed) => string
  /** A new row in the shape that `alike` returns. */
  listedAs: (row: Row, id: string) => Listed
  write: (writing: Writing, fresh: readonly JudgedRow<Row>[]) => Promise<void>
}

/** Says what an import of these rows would do; writes nothing. */
export async function checkRows<Row, Listed>(
  db: Kysely<Schema>,
  kind: ImportKind<Row, Listed>,
  rows: readonly Row[],
): Promise<ImportResult[]> {
  const judged = await judge(db, kind, rows)
  return judged.map(({ verdict, id }) => ({ verdict, id: verdict === 'new' ? null : id }))
}

/** Writes the new rows. The transaction must keep other writers of the same list out. */
export async function importRows<Row, Listed>(
  writing: Writing,
  kind: ImportKind<Row, Listed>,
  rows: readonly Row[],
): Promise<ImportResult[]> {
  const judged = await judge(writing.trx, kind, rows)
  const fresh = judged.filter(({ verdict }) => verdict === 'new')
  if (fresh.length > 0) await kind.write(writing, fresh)
  return judged.map(({ verdict, id }) => ({ verdict: verdict === 'new' ? 'imported' : verdict, id }))
}

async function judge<Row, Listed>(db: Kysely<Schema>, kind: ImportKind<Row, Listed>, rows: readonly Row[]): Promise<JudgedRow<Row>[]> {
  const asked = rows.map((row) => ({ row, hash: createHash('sha256').update(kind.identity(row)).digest('hex') }))
  const before = await kind.brought(
    db,
    asked.map(({ hash }) => hash),
  )
  const alike = await kind.alike(db, rows)
  const brought = new Map(before.map(({ hash, id }) => [hash, id]))
  return asked.map(({ row, hash }) => {
    const known = brought.get(hash)
    if (known !== undefined) return { id: known, hash, row, verdict: 'already-there' }
    const same = alike.find((listed) => kind.isSame(row, listed))
    if (same !== undefined) return { id: kind.idOf(same), hash, row, verdict: 'same-person' }
    const id = uuidv7()
    // A person who is twice in one batch is written once.
    brought.set(hash, id)
    alike.push(kind.listedAs(row, id))
    return { id, hash, row, verdict: 'new' }
  })
}
