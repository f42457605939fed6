import { Button } from './button.tsx'
import { formatCount } from './format.ts'

/** From page to page of a list that the server tells, newest first; nothing where there is one page only. */
export function Pages({ page, of, onPage }: { page: number; of: number; onPage: (page: number) => void }) {
  if (of <= 1) return null
  return (
    <nav aria-label="Pages" className="flex items-center justify-between gap-3">
      <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
        Newer
      </Button>
      <p role="status" className="text-sm text-ink-2">
        {formatCount(page)} of {formatCount(of)}
      </p>
      <Button disabled={page === of} onClick={() => onPage(page + 1)}>
        Older
      </Button>
    </nav>
  )
}
