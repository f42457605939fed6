import { CloudOff, TriangleAlert } from 'lucide-react'
import type { Failure } from '#src/api/outcome.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** What stands in place of what only the server tells, when it does not. */
export function LoadFailure({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const isOffline = failure.kind === 'unreachable'
  return (
    <EmptyState
      icon={isOffline ? <CloudOff aria-hidden /> : <TriangleAlert aria-hidden />}
      title={isOffline ? 'This needs a connection' : 'It could not be loaded'}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {isOffline
        ? 'Reviewing other people’s time works only while the server can be reached. Clocking in and out works without it.'
        : failure.message}
    </EmptyState>
  )
}
