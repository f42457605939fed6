import { useCallback, useRef, useState } from 'react'
import type { Endpoint, RequestOf, ResponseOf } from '#contract/core/endpoint.ts'
import { pageRequest } from '#contract/core/page.ts'
import type { Failure, Outcome } from '#src/api/outcome.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import type { ListEndpoint, ListQuery, RowsName } from '#src/sync/react/use-page.ts'

export type MoreRows<Answer, Row> = {
  /** The answer of the first page. */
  value: Answer | undefined
  /** The answers of all pages on the screen. */
  answers: readonly Answer[]
  rows: readonly Row[]
  /** How many rows the list has on all pages. */
  total: number
  /** Why the first page could not be loaded. */
  failure: Failure | null
  isLoading: boolean
  /** Asks for the next page, and returns why it could not be loaded. Null when all rows show. */
  more: (() => Promise<Failure | null>) | null
  /** Asks again for every page on the screen. */
  reload: () => Promise<void>
}

type Options<Row> = { rowKey: (row: Row) => unknown; isAsked?: boolean; params?: Record<string, string>; timeoutMs?: number }

/**
 * A list of the server whose pages follow below each other. Another store, or another `query`, begins with the first
 * page.
 */
export function useMore<E extends ListEndpoint, Name extends RowsName<ResponseOf<E>>>(
  endpoint: E,
  query: ListQuery<E>,
  rowsName: Name,
  { rowKey, isAsked = true, params, timeoutMs }: Options<Extract<ResponseOf<E>[Name], readonly unknown[]>[number]>,
): MoreRows<ResponseOf<E>, Extract<ResponseOf<E>[Name], readonly unknown[]>[number]> {
  type Answer = ResponseOf<E>
  type Row = Extract<ResponseOf<E>[Name], readonly unknown[]>[number]
  const device = useDevice()
  const store = useSession(({ home }) => home?.store_id)
  const asked = JSON.stringify({ ...(params && { params }), query })
  const ask = useCallback(
    async (page: number) => {
      const { query: narrowed, ...rest } = JSON.parse(asked) as { query: object; params?: Record<string, string> }
      const request = { ...rest, ...pageRequest(narrowed, page) } as RequestOf<Endpoint>
      return (await device.call<Endpoint>(endpoint, request, timeoutMs === undefined ? {} : { timeoutMs })) as Outcome<Answer>
    },
    [device, endpoint, asked, store, timeoutMs], // oxlint-disable-line react-hooks/exhaustive-deps
  )
  /** How many pages of this request are on the screen. */
  const shown = useRef({ of: ask, pages: 1 })
  const load = useCallback(async (): Promise<Outcome<readonly Answer[]>> => {
    const answers: Answer[] = []
    const pages = !isAsked ? 0 : shown.current.of === ask ? shown.current.pages : 1
    for (let page = 1; page <= pages; page += 1) {
      const answer = await ask(page)
      if (!answer.ok) return answer
      answers.push(answer.value)
    }
    return { ok: true, value: answers }
  }, [ask, isAsked])
  const { value: loaded, failure, reload } = useLoaded(load)
  const [added, setAdded] = useState<{ to: typeof loaded; answers: readonly Answer[] }>({ to: undefined, answers: [] })
  const [waiting, setWaiting] = useState<typeof loaded>()
  const later = added.to === loaded ? added.answers : []
  const answers = [...(loaded ?? []), ...later]
  const value = answers[0]
  const total = (answers.at(-1) as { total: number } | undefined)?.total ?? 0
  const known = new Map<unknown, Row>()
  // A new row moves the others by one place.
  for (const answer of answers)
    for (const row of answer[rowsName] as readonly Row[]) if (!known.has(rowKey(row))) known.set(rowKey(row), row)
  const rows = [...known.values()]

  async function more(): Promise<Failure | null> {
    const page = answers.length + 1
    setWaiting(loaded)
    const answer = await ask(page)
    setWaiting(undefined)
    if (!answer.ok) return answer.failure
    shown.current = { of: ask, pages: page }
    setAdded({ to: loaded, answers: [...later, answer.value] })
    return null
  }

  const newest = answers.at(-1)?.[rowsName] as readonly Row[] | undefined
  const hasMore = value !== undefined && rows.length < total && newest !== undefined && newest.length > 0
  return {
    value,
    answers,
    rows,
    total,
    failure,
    isLoading: waiting !== undefined && waiting === loaded,
    more: hasMore ? more : null,
    reload,
  }
}
