import { CloudOff, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** What stands in place of what only the server tells, when it does not. */
export function NotLoaded({
  failure,
  title = 'Couldn’t load this',
  icon = <TriangleAlert aria-hidden />,
  offline,
  onRetry,
}: {
  failure: { kind: string; message: string }
  /** Of a refusal, whose own sentence stands below it. */
  title?: string
  icon?: ReactNode
  /** What works, and what does not, as long as the server cannot be reached. */
  offline: string
  onRetry: () => void
}) {
  const isUnreachable = failure.kind === 'unreachable'
  return (
    <EmptyState
      icon={isUnreachable ? <CloudOff aria-hidden /> : icon}
      title={isUnreachable ? 'This needs a connection' : title}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {isUnreachable ? offline : failure.message}
    </EmptyState>
  )
}
