import { Link } from '@tanstack/react-router'
import { ClipboardX } from 'lucide-react'
import { buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** Shown instead of a count that this tablet does not hold. */
export function NotOnTablet() {
  return (
    <EmptyState
      icon={<ClipboardX aria-hidden />}
      title="This count isn’t on this tablet"
      action={
        <Link to="/inventory/count-sheets" className={buttonClasses('primary')}>
          All counts
        </Link>
      }
    >
      It may have been deleted, belong to another store, or not have downloaded yet.
    </EmptyState>
  )
}
