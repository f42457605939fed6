import { CloudOff, FileX, TriangleAlert } from 'lucide-react'
import type { Failure } from '#src/api/outcome.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'

/** Explains why a file or the list of files did not load. */
export function NotLoaded({ what, failure, onRetry }: { what: string; failure: Failure; onRetry: () => void }) {
  const isUnreachable = failure.kind === 'unreachable'
  const isUnknown = failure.kind === 'refused' && failure.code === 'file-unknown'
  return (
    <EmptyState
      icon={isUnreachable ? <CloudOff aria-hidden /> : isUnknown ? <FileX aria-hidden /> : <TriangleAlert aria-hidden />}
      title={isUnreachable ? 'This needs a connection' : isUnknown ? 'File not found' : `Couldn’t open ${what}`}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {isUnreachable ? 'Files in the record aren’t stored on this tablet, and the server can’t be reached right now.' : failure.message}
    </EmptyState>
  )
}
