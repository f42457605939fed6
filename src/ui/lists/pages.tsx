import { Button } from '#src/ui/button.tsx'
import { formatCount } from '#src/ui/format.ts'

type PagesProps = {
  page: number
  of: number
  onPage: (page: number) => void
  /** The words for the page before and the page after. The defaults suit a list with the newest first. */
  before?: string
  after?: string
}

/** The buttons between the pages of a server's list; nothing for a single page. */
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
