import { sql } from 'kysely'
import type { openDatabase } from '#server/platform/db/open-database.ts'
import type { OutboxCommand } from '#src/db/hot/hot.ts'
import type { Office } from '#tests/e2e/clinic.ts'
import type { FieldTablet } from '#tests/faults/field-tablet.ts'
import { countedBy, type Mirrored, type ServerBooks, type TabletBooks } from '#tests/faults/oracle.ts'

export type Reads = Awaited<ReturnType<typeof openDatabase>>['pool']

/** Reads what a tablet holds and shows of a sheet, and the server's rows for its signed-in user. */
export async function readTablet(tablet: FieldTablet, office: Office, sheet: string): Promise<Omit<TabletBooks, 'said'>> {
  const expected: Mirrored = {}
  for (const collection of ['count_sheets', 'count_items', 'count_scans', 'count_decisions', 'punches']) {
    const rows = await office.rows<Record<string, unknown>>(collection)
    expected[collection] = collection === 'count_items' ? rows.filter((row) => row['id_count_sheet'] === sheet) : rows
  }
  const person = (expected['punches'] ?? [])[0]?.['id_user']
  const held = await tablet.mirror(sheet)
  const mirror: Mirrored = { ...held, punches: held.punches.filter((row) => row['id_user'] === person) }
  const counted = await Promise.all(tablet.windows().map((page) => page.getByTestId('counted').innerText()))
  return {
    name: tablet.name,
    outbox: await tablet.outbox(),
    settled: await tablet.settled(),
    mirror,
    expected,
    counted: counted.map((text) => Number(text.replaceAll(',', ''))),
  }
}

/** Returns true when every command left in the outbox waits for a person. */
export function hasSentAll(outbox: readonly OutboxCommand[]): boolean {
  return outbox.every(({ state }) => state === 'needs-attention')
}

/** Returns true when a tablet has sent all it can and holds the server's rows, by count and revision. */
export function isUpToDate({ outbox, mirror, expected, counted }: Omit<TabletBooks, 'said'>, sheet: string): boolean {
  return (
    hasSentAll(outbox) &&
    counted.every((number) => number === countedBy(scansIn(expected, sheet))) &&
    Object.keys(expected).every(
      (name) => mirror[name]?.length === expected[name]?.length && revisionsOf(mirror[name]) === revisionsOf(expected[name]),
    )
  )
}

/** @param since the opening of the round; punches belong to no sheet */
export async function readTables(db: Reads, sheet: string, since: string): Promise<ServerBooks> {
  const [receipts, scans, kept, punches] = await Promise.all([
    db.selectFrom('receipts').select(['command_id', 'number', 'kind', 'author_id', 'received_at']).execute(),
    db
      .selectFrom('count_scans as scan')
      .innerJoin('users', 'users.id_user', 'scan.author_id')
      .select(['scan.id', 'scan.raw_code', 'scan.negates', 'scan.author_id', 'scan.walk', 'scan.finding', 'scan.id_inventory'])
      .select(sql<string>`users.first_name || ' ' || users.last_name`.as('author'))
      .where('scan.id_count_sheet', '=', sheet)
      .execute(),
    db
      .selectFrom('count_sheets')
      .select(['id_count_sheet', 'notes', 'walk'])
      .where('id_count_sheet', '=', sheet)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
    db
      .selectFrom('punches')
      .leftJoin('users', 'users.id_user', 'punches.id_user')
      .select(['punches.id', 'punches.username', 'punches.device_wall', 'users.username as author'])
      .where('punches.received_at', '>=', since)
      .execute(),
  ])
  return { receipts, scans, sheet: kept ?? null, punches }
}

function scansIn(expected: Mirrored, sheet: string): Pick<ServerBooks, 'scans' | 'sheet'> {
  const of = (name: string) => (expected[name] ?? []).filter((row) => row['id_count_sheet'] === sheet)
  return {
    scans: of('count_scans') as unknown as ServerBooks['scans'],
    sheet: (of('count_sheets')[0] ?? null) as unknown as ServerBooks['sheet'],
  }
}

function revisionsOf(rows: readonly Record<string, unknown>[] | undefined): string {
  return (rows ?? [])
    .map((row) => Number(row['revision']))
    .sort((one, other) => one - other)
    .join(' ')
}
