import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { useSession } from '#src/sync/react/device-context.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { useSummary } from './queries.ts'
import { offlineWords, type PortalPart } from './words.ts'

/** The open work of the portal for the front desk, on the home page. Each line leads to its list. */
export function PortalWork() {
  const { value, failure } = useSummary()
  const mayRead = useSession((session) => session.home?.permissions.includes('message.read') ?? false)
  if (!value) {
    if (!failure) return <Skeleton lines={2} height="row" />
    return <p className="px-4 py-4 text-ink-2">{failure.kind === 'unreachable' ? offlineWords : failure.message}</p>
  }
  const lines: [PortalPart, number, string][] = [
    ['messages', mayRead ? value.unread : 0, formatNumberOf(value.unread, 'unread message')],
    ['forms', value.intakes, formatNumberOf(value.intakes, 'form to review', 'forms to review')],
  ]
  const waiting = lines.filter(([, count]) => count > 0)
  if (waiting.length === 0) return <p className="px-4 py-4 text-ink-2">No unread messages and no forms to review.</p>
  return (
    <ul className="divide-y divide-line">
      {waiting.map(([part, , words]) => (
        <li key={part}>
          <Link
            to="/pt-portal"
            search={{ part }}
            className="flex min-h-row items-center gap-3 px-4 py-2 font-medium transition-colors hover:bg-hover focus-visible:-outline-offset-2"
          >
            <span className="flex-1">{words}</span>
            <ChevronRight size={18} aria-hidden className="shrink-0 text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
