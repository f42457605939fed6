import { type Kysely, type Migration, sql } from 'kysely'

const statements = [
  // A frame that was set aside stood among the counted ones when it was in stock at the end.
  `update count_lines set line = jsonb_set(line, '{outcome}', '"set-aside"')
    from count_scans scan
    where scan.id = (line->>'id_scan')::uuid and scan.finding = 'set-aside' and line->>'outcome' = 'counted'`,
  // A frame that was counted and then sold or moved was counted.
  `update count_lines set line = line || '{"outcome": "counted", "effect": "none"}'
    from count_scans scan
    where scan.id = (line->>'id_scan')::uuid and scan.finding = 'expected' and line->>'outcome' in ('explained', 'set-aside')`,
  `create temporary table righted_counts on commit drop as
    select sheet.id_count_sheet, sheet.store_id, sum.counted, sum.explained
    from count_sheets sheet
    join (
      select id_count_sheet,
        count(*) filter (where line->>'outcome' = 'counted') as counted,
        count(*) filter (where line->>'effect' = 'explained' and line->>'decision' <> 'skip') as explained
      from count_lines group by id_count_sheet
    ) sum using (id_count_sheet)
    where sheet.result is not null
      and ((sheet.result->>'counted')::int <> sum.counted or (sheet.result->>'explained')::int <> sum.explained)`,
  // Devices fetch a row again when its revision is higher than their cursor.
  `update scope_revisions set revision = revision + 1
    where scope in (select 'store:' || store_id from righted_counts)`,
  `update count_sheets sheet set
      result = sheet.result || jsonb_build_object('counted', righted.counted, 'explained', righted.explained),
      revision = (select revision from scope_revisions where scope = 'store:' || sheet.store_id)
    from righted_counts righted
    where righted.id_count_sheet = sheet.id_count_sheet`,
]

/** Closed counts say *counted* of the pieces they expected and nothing else, so that their figures add up. */
export const closedCountsAddUp: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db)
  },
}
