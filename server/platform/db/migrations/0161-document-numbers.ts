import { type Kysely, type Migration, sql } from 'kysely'

const documents = [
  ['count_sheets', 'number'],
  ['transfers', 'number'],
  ['store_invoices', 'number'],
  ['vendor_returns', 'number'],
  ['patient_returns', 'number'],
  ['invoices', 'invoice_no'],
] as const

const statements = [
  'create table document_numbers (document text primary key, last integer not null)',
  `create function next_document_number(wanted text) returns integer language sql volatile as
    $$ insert into document_numbers as known values (wanted, 1)
      on conflict (document) do update set last = known.last + 1 returning last $$`,
  ...documents.flatMap(([table, column]) => [
    // The sequence knows numbers of documents that were deleted.
    `insert into document_numbers select '${table}', greatest(
      (select coalesce(max(${column}), 0) from ${table}),
      coalesce(pg_sequence_last_value(pg_get_serial_sequence('${table}', '${column}')::regclass), 0))`,
    `alter table ${table} alter column ${column} drop identity`,
    `alter table ${table} alter column ${column} set default next_document_number('${table}')`,
  ]),
]

/**
 * The numbers of documents follow each other. A sequence skips up to 32 numbers when the server is killed, and to an
 * auditor the documents between look deleted.
 */
export const documentNumbers: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
