import { ShieldAlert } from 'lucide-react'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** Shown to a user without the permission to count. A shared tablet may hold a colleague's counts. */
export function NotForCounting() {
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to counts">
      Ask a manager if you need to count.
    </EmptyState>
  )
}
