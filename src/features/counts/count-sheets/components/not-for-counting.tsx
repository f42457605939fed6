import { ShieldAlert } from 'lucide-react'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** What a person sees instead of counts who may not read them. A colleague's counts stay on a shared tablet. */
export function NotForCounting() {
  return (
    <EmptyState icon={<ShieldAlert aria-hidden />} title="You don’t have access to counts">
      Ask a manager if you need to count.
    </EmptyState>
  )
}
