import { useConnection } from '#src/sync/react/device-context.tsx'
import { ProgressBar } from '#src/ui/progress-bar.tsx'

/** Shows the progress of a load that continues while the user works or leaves. */
export function LoadingBar({ label, done, total, leave }: { label: string; done: number; total: number; leave: string }) {
  const online = useConnection((connection) => connection.online)
  return (
    <div className="rounded-lg border border-line bg-surface px-4 py-3">
      <ProgressBar label={label} done={done} total={total} />
      <p className="mt-1 text-sm text-ink-2">{online === false ? 'Waiting for a connection. Loading will resume.' : leave}</p>
    </div>
  )
}
