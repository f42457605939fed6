import type { ReactNode } from 'react'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { KeptNotice } from '#src/ui/kept-notice.tsx'
import { Pages } from '#src/ui/lists/pages.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** As `usePage` answers. */
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
  /** Title where the server refuses the list. */
  failed?: string
  /** What works, and what does not, without a connection. */
  offline: string
  /** Where the list has nothing; a node stands there alone. */
  none: EmptyWords | { alone: ReactNode }
  /** Where nothing passes the filters; like `none` when not said. */
  noneMatch?: EmptyWords
}

type ServerListProps<Row> = {
  of: PageOfRows<Row>
  words: ServerListWords
  icon?: ReactNode
  isNarrowed?: boolean
  /** Of the store, for the time at which a kept list was read. */
  timeZone?: string | undefined
  /** What is said above the rows and above an empty list. */
  notice?: ReactNode
  /** The words of the pager; `Newer` and `Older` when not said. */
  pager?: { before: string; after: string }
  lines?: number
  children: (rows: readonly Row[]) => ReactNode
}

/** A list of the server, a page at a time: the rows, or why there are none, and the way to other pages. */
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
