import { Button } from '#src/ui/button.tsx'
import { formatCount } from '#src/ui/format.ts'

type PagesProps = {
  page: number
  of: number
  onPage: (page: number) => void
  /** What leads to the page before and to the one after; of a list that is newest first when not said. */
  before?: string
  after?: string
}

/** From page to page of a list that the server tells; nothing where there is one page only. */
export function Pages({ page, of, onPage, before = 'Newer', after = 'Older' }: PagesProps) {
  if (of <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        {before}
      </Button>
      <p role="status" className="text-sm text-ink-2">
        {formatCount(page)} of {formatCount(of)}
      </p>
      <Button disabled={page >= of} onClick={() => onPage(page + 1)}>
        {after}
      </Button>
    </nav>
  )
}
