import type { Failure } from '#src/api/outcome.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'

/** Shown when other people's time does not load. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <NotLoaded
      failure={failure}
      offline="You need a connection to review time. You can still clock in and out offline."
      onRetry={onRetry}
    />
  )
}
