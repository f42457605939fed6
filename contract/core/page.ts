import * as v from 'valibot'

/** The query's number of a page, from 1. @param digits how many it may have */
export function pageQuery(digits: 5 | 6 | 7 = 6) {
  const pattern = new RegExp(`^[1-9]\\d{0,${digits - 1}}$`)
  return v.optional(v.pipe(v.string(), v.regex(pattern, 'must be a page number'), v.transform(Number)), '1')
}

/** An answer that is one page of a list. It says itself how many rows a page has. */
export function pageOf<const Rows extends v.ObjectEntries>(rows: Rows) {
  return v.object({ ...rows, page: v.number(), page_size: v.number(), total: v.number() })
}

/** An answer that is one page of a list. Both sides know from here how many rows a page has; `more` is what else the answer tells. */
export function pageOfSize<const Rows extends v.ObjectEntries, const More extends v.ObjectEntries = {}>(
  pageSize: number,
  rows: Rows,
  more?: More,
) {
  return Object.assign(v.object({ ...rows, total: v.number(), ...(more as More) }), { pageSize })
}

/** The request for a page of a list. A tablet keeps answers under this text, so the page comes last. */
export function pageRequest<Q extends object>(query: Q, page: number): { query: Q & { page: string } } {
  return { query: { ...query, page: String(page) } }
}
