import { type Kysely, type Migration, sql } from 'kysely'

const logs = ['patient_audit', 'pcp_audit', 'settings_audit', 'security_log']

const statements = [
  // One entry for each row of a log, in the order of commits. A hash covers the row and the hash before it.
  `create table audit_chain (
    log text not null,
    number bigint not null check (number > 0),
    row_id bigint not null,
    hash bytea not null,
    primary key (log, number),
    unique (log, row_id)
  )`,
  // Columns without a value are left out, so that a later migration may add a column that can be null.
  `create function audit_row_text(written jsonb) returns text language sql immutable as $$
    select jsonb_object_agg(key, value)::text from jsonb_each(written) where value <> 'null'::jsonb
  $$`,
  `create function chain_audit_row() returns trigger language plpgsql set timezone = 'UTC' as $$
  declare
    last_number bigint;
    last_hash bytea;
  begin
    -- One at a time for all logs. It is taken at the commit, so it is held for a moment and no one waits in a circle.
    perform pg_advisory_xact_lock(7203155004162112);
    select number, hash into last_number, last_hash from audit_chain where log = tg_table_name order by number desc limit 1;
    insert into audit_chain (log, number, row_id, hash) values (
      tg_table_name, coalesce(last_number, 0) + 1, new.id,
      sha256(coalesce(last_hash, ''::bytea) || convert_to(audit_row_text(to_jsonb(new)), 'UTF8'))
    );
    return null;
  end
  $$`,
  `create function refuse_audit_change() returns trigger language plpgsql as $$
  begin
    raise exception 'rows of % are only ever added', tg_table_name using errcode = '55000';
  end
  $$`,
  // Rows of before this migration, in the order in which they were written.
  `create function chain_former_rows(log_name text) returns void language plpgsql set timezone = 'UTC' as $$
  declare
    written record;
    place bigint := 0;
    last_hash bytea := ''::bytea;
  begin
    for written in execute format('select id, audit_row_text(to_jsonb(one)) as said from %I as one order by id', log_name) loop
      place := place + 1;
      last_hash := sha256(last_hash || convert_to(written.said, 'UTF8'));
      insert into audit_chain (log, number, row_id, hash) values (log_name, place, written.id, last_hash);
    end loop;
  end
  $$`,
  ...logs.flatMap((log) => [
    `select chain_former_rows('${log}')`,
    `create constraint trigger audit_chained after insert on ${log} deferrable initially deferred
      for each row execute function chain_audit_row()`,
  ]),
  'drop function chain_former_rows(text)',
  ...[...logs, 'audit_chain'].map(
    (table) => `create trigger audit_append_only before update or delete or truncate on ${table}
      for each statement execute function refuse_audit_change()`,
  ),
]

/** Rows of the logs cannot be changed or taken away, and a chain of hashes shows when somebody did it all the same. */
export const auditChain: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
