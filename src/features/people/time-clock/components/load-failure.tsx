import type { Failure } from '#src/api/outcome.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'

/** What stands in place of other people’s time when the server does not tell it. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  return (
    <NotLoaded
      failure={failure}
      offline="Reviewing other people’s time works only while the server can be reached. Clocking in and out works without it."
      onRetry={onRetry}
    />
  )
}
