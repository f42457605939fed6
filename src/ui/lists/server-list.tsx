import type { ReactNode } from 'react'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { Pages } from '#src/ui/lists/pages.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** The answer of `usePage`. */
type PageOfRows<Row> = {
  value: unknown
  failure: { kind: string; message: string } | null
  reload: () => Promise<void>
  keptAt: string | null
  rows: readonly Row[]
  total: number
  page: number
  pages: number
  go: (page: number) => void
}

type EmptyWords = { title: string; hint?: ReactNode; action?: ReactNode; icon?: ReactNode }

export type ServerListWords = {
  /** The title when the server refuses the list. */
  failed?: string
  /** What works without a connection, and what does not. */
  offline: string
  /** For an empty list; with `alone`, only the node shows. */
  none: EmptyWords | { alone: ReactNode }
  /** For filters without a match; by default like `none`. */
  noneMatch?: EmptyWords
}

type ServerListProps<Row> = {
  of: PageOfRows<Row>
  words: ServerListWords
  icon?: ReactNode
  isNarrowed?: boolean
  /** The store's time zone, for the time of a kept list. */
  timeZone?: string | undefined
  /** Shows above the rows and above an empty list. */
  notice?: ReactNode
  /** The words of the pager; by default `Newer` and `Older`. */
  pager?: { before: string; after: string }
  lines?: number
  children: (rows: readonly Row[]) => ReactNode
}

/** A list of the server, one page at a time: the rows or the reason why there are none, and the way to other pages. */
export function ServerList<Row>({
  of: list,
  words,
  icon,
  isNarrowed = false,
  timeZone,
  notice,
  pager,
  lines = 6,
  children,
}: ServerListProps<Row>) {
  const { value, failure, reload, keptAt, rows, total, page, pages, go } = list
  if (value === undefined) {
    if (!failure) return <Skeleton lines={lines} height="row" />
    const title = words.failed === undefined ? {} : { title: words.failed }
    return <NotLoaded failure={failure} {...title} offline={words.offline} onRetry={() => void reload()} />
  }
  if (total === 0) {
    return (
      <>
        {notice}
        <Empty words={isNarrowed && words.noneMatch ? words.noneMatch : words.none} icon={icon} />
      </>
    )
  }
  return (
    <>
      <KeptNotice at={keptAt} timeZone={timeZone} />
      {notice}
      {children(rows)}
      <Pages page={page} of={pages} onPage={go} {...pager} />
    </>
  )
}

function Empty({ words, icon }: { words: ServerListWords['none']; icon: ReactNode }) {
  if ('alone' in words) return words.alone
  return (
    <EmptyState icon={words.icon ?? icon} title={words.title} action={words.action}>
      {words.hint}
    </EmptyState>
  )
}
