import { useState } from 'react'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { pageRequest } from '#contract/core/page.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { type Kept, useAnswer } from '#src/sync/react/use-kept.ts'

type Told = { total: number; page_size?: number }

/** A call that answers with one page of a list: `pageOf` and `pageOfSize` of the contract make such answers. */
export type ListEndpoint = Endpoint & { query: NonNullable<Endpoint['query']> }
/** The fields of an answer that hold a list. */
export type RowsName<T> = { [Name in keyof T]: T[Name] extends readonly unknown[] ? Name : never }[keyof T] & string
/** The filters of a list, without the page. */
export type ListQuery<E extends Endpoint> = E extends { query: unknown }
  ? Omit<NonNullable<(RequestOf<E> & { query?: object })['query']>, 'page'>
  : never

export type ListPage<Answer, Row> = Kept<Answer> & {
  rows: readonly Row[]
  /** How many rows the list has on all pages. */
  total: number
  page: number
  pages: number
  go: (page: number) => void
  /** True while `value` answers an earlier request. */
  isOld: boolean
}

type Options = {
  timeoutMs?: number
  /** Shows the last answer until the next one is here. */
  keepsLast?: boolean
}

/** One page of a list of the server. Another store, or another `query`, begins on page 1. */
export function usePage<E extends ListEndpoint, Name extends RowsName<ResponseOf<E>>>(
  endpoint: E,
  query: ListQuery<E>,
  rowsName: Name,
  { timeoutMs, keepsLast = false }: Options = {},
): ListPage<ResponseOf<E>, Extract<ResponseOf<E>[Name], readonly unknown[]>[number]> {
  const store = useSession(({ home }) => home?.store_id)
  const of = JSON.stringify([endpoint.path, query, store])
  const [at, setAt] = useState({ of, page: 1 })
  const page = at.of === of ? at.page : 1
  if (at.of !== of) setAt({ of, page: 1 })
  const go = (next: number) => setAt({ of, page: next })
  const answer = useAnswer<Endpoint>(
    endpoint,
    pageRequest(query, page) as RequestOf<Endpoint>,
    timeoutMs === undefined ? {} : { timeoutMs },
  )
  const now = answer.value as ResponseOf<E> | undefined
  const [last, setLast] = useState(now)
  if (keepsLast && now !== undefined && now !== last) setLast(() => now)
  const value = now ?? (keepsLast && !answer.failure ? last : undefined)
  const told = value as Told | undefined
  const total = told?.total ?? 0
  const pages = Math.max(1, Math.ceil(total / pageSizeOf(endpoint, told)))
  // The last rows of a page can go away while it is shown.
  if (now !== undefined && page > pages) go(pages)
  const rows = (value?.[rowsName] ?? []) as Extract<ResponseOf<E>[Name], readonly unknown[]>
  return { ...answer, value, rows, total, page, pages, go, isOld: now === undefined }
}

/** The number of rows on a page: from the answer, or else from the contract. */
export function pageSizeOf({ response }: Endpoint, told: Told | undefined): number {
  return told?.page_size ?? ('pageSize' in response ? Number(response.pageSize) : 1)
}
