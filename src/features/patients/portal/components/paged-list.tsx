import type { ReactNode } from 'react'
import { portalPageSize } from '#contract/patients/portal.ts'
import type { Loaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { formatCount } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { offlineWords } from '../words.ts'

type PagedListProps<T> = {
  loaded: Loaded<T>
  rowsOf: (value: T) => { key: string; row: ReactNode }[]
  totalOf: (value: T) => number
  label: string
  empty: string
  page: number
  onPage: (page: number) => void
}

/** A list of the server, a page of it at a time. */
export function PagedList<T>({ loaded, rowsOf, totalOf, label, empty, page, onPage }: PagedListProps<T>) {
  const { value, failure, reload } = loaded
  if (value === undefined) {
    return failure ? (
      <NotLoaded failure={failure} offline={offlineWords} onRetry={() => void reload()} />
    ) : (
      <Skeleton lines={4} height="row" />
    )
  }
  const pages = Math.max(1, Math.ceil(totalOf(value) / portalPageSize))
  const rows = rowsOf(value)
  return (
    <div className="flex flex-col gap-3">
      {failure && (
        <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          {failure.message}
        </Notice>
      )}
      {rows.length === 0 ? (
        <p className="py-6 text-ink-2">{empty}</p>
      ) : (
        <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-surface">
          {rows.map(({ key, row }) => (
            <li key={key} className="px-4 py-4">
              {row}
            </li>
          ))}
        </ul>
      )}
      {pages > 1 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
            Previous page
          </Button>
          <span className="figures text-ink-2">
            Page {formatCount(page)} of {formatCount(pages)}
          </span>
          <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
            Next page
          </Button>
        </div>
      )}
    </div>
  )
}
