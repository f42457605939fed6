import { CloudOff, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

/** Shows in place of data from the server that did not load. */
export function NotLoaded({
  failure,
  title = 'Couldn’t load this',
  icon = <TriangleAlert aria-hidden />,
  offline,
  onRetry,
}: {
  failure: { kind: string; message: string }
  /** The title of a refusal; the server's sentence is below it. */
  title?: string
  icon?: ReactNode
  /** What works without the server, and what does not. */
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
