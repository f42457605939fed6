import { type Kysely, sql } from 'kysely'
import { fold } from '#contract/core/folding.ts'
import { type LensBrand, type LensFit, lensBrandsShown } from '#contract/library/lens-brands.ts'
import type { Schema } from '#server/platform/db/schema.ts'

type Row = Omit<LensBrand, 'times' | 'fits'> & LensFit

/** A year of a large chain. It covers the current fits, and keeps the query as fast when the chain gets older. */
const newest = 5000

/**
 * Returns the contact lenses that the chain signed lately, each with its fits. It returns nothing about patients.
 * @param lookedAt the number of prescriptions to search
 */
export async function findBrands(db: Kysely<Schema>, line: string, lookedAt = newest): Promise<LensBrand[]> {
  const { rows } = await sql<Row>`
    select eye ->> 'brand' as brand, eye ->> 'manufacturer' as manufacturer, eye ->> 'material' as material,
      (eye ->> 'base_curve')::integer as base_curve, eye ->> 'base_curve_designation' as base_curve_designation,
      (eye ->> 'diameter')::integer as diameter, count(*) as times
    from (
      select content from prescriptions
      where rx_kind = 'contact_lens' and signed_at is not null and status in ('active', 'superseded', 'cancelled')
      order by signed_at desc limit ${lookedAt}
    ) as signed, lateral (values (content -> 'od'), (content -> 'os')) as eyes (eye)
    where eye ->> 'brand' is not null
    group by 1, 2, 3, 4, 5, 6
    order by times desc, 2, 1, 3, 4, 5, 6`.execute(db)
  const words = fold(line).split(' ').filter(Boolean)
  const found = groupBy(rows, ({ brand, manufacturer, material }) =>
    [brand, manufacturer, material].map((each) => fold(each ?? '')).join('|'),
  )
  return [...found]
    .filter(([key]) => words.every((word) => key.split(/[ |]/).some((each) => each.startsWith(word))))
    .map(([, spelt]) => brandOf(spelt))
    .sort((a, b) => b.times - a.times || a.brand.localeCompare(b.brand))
    .slice(0, lensBrandsShown)
}

/** One lens from all its spellings, under the most used one. */
function brandOf(rows: Row[]): LensBrand {
  const { brand, manufacturer, material } = rows[0]!
  const fits = [...groupBy(rows, (row) => [row.base_curve, row.base_curve_designation, row.diameter].join('|')).values()].map((same) => {
    const { base_curve, base_curve_designation, diameter } = same[0]!
    return { base_curve, base_curve_designation, diameter, times: sum(same) }
  })
  return { brand, manufacturer, material, times: sum(rows), fits: fits.sort((a, b) => b.times - a.times) }
}

const sum = (rows: readonly { times: number }[]) => rows.reduce((all, { times }) => all + times, 0)

function groupBy<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const key = keyOf(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
