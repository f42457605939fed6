import type { ReactNode } from 'react'
import type { ListPage } from '#src/sync/react/use-page.ts'
import { Button } from '#src/ui/button.tsx'
import { ServerList } from '#src/ui/lists/server-list.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { offlineWords } from '../words.ts'

type PagedListProps<Row> = {
  list: ListPage<unknown, Row>
  label: string
  empty: string
  children: (row: Row) => ReactNode
}

const pager = { before: 'Previous page', after: 'Next page' }

/** A list of the portal, one page at a time. */
export function PagedList<Row extends { id: string }>({ list, label, empty, children }: PagedListProps<Row>) {
  const { failure, reload } = list
  return (
    <div className="flex flex-col gap-3">
      <ServerList
        of={list}
        words={{ offline: offlineWords, none: { alone: <p className="py-6 text-ink-2">{empty}</p> } }}
        lines={4}
        pager={pager}
        notice={
          failure && (
            <Notice tone="warn" title="Couldn’t refresh" actions={<Button onClick={() => void reload()}>Try again</Button>}>
              {failure.message}
            </Notice>
          )
        }
      >
        {(rows) => (
          <ul aria-label={label} className="divide-y divide-line rounded-lg border border-line bg-surface">
            {rows.map((row) => (
              <li key={row.id} className="px-4 py-4">
                {children(row)}
              </li>
            ))}
          </ul>
        )}
      </ServerList>
    </div>
  )
}
