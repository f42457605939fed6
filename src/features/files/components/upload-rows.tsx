import { RotateCw, X } from 'lucide-react'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { useDevice } from '#src/sync/device-context.tsx'
import { formatBytes } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { dropPicked, type Picked, sendAgain, uploads } from '../uploads.ts'
import { categoryTitles } from '../words.ts'

/** Files on their way into this record: how far they are, and why one is not taken. */
export function UploadRows({ idPatient }: { idPatient: string }) {
  const picked = useStore(uploads, (state) => state.picked)
  const rows = picked.filter((each) => each.idPatient === idPatient)
  useAskBeforeLeaving(picked.some(({ state }) => state !== 'refused'))
  if (rows.length === 0) return null
  return (
    <section aria-label="On their way" className="mb-4 flex flex-col gap-3">
      {rows.some(({ state }) => state === 'offline') && (
        <Notice tone="warn" title="A file needs a connection">
          What you chose stays on this page and is sent when the connection is back. Keep the page open: it is not stored on this tablet.
        </Notice>
      )}
      <ul aria-label="Files on their way" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {rows.map((row) => (
          <UploadRow key={row.key} row={row} />
        ))}
      </ul>
    </section>
  )
}

/** Whoever closes or reloads the page would lose what waits on it: the browser asks. */
function useAskBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isNeeded])
}

function UploadRow({ row }: { row: Picked }) {
  const device = useDevice()
  const name = row.file.name || 'Photo'
  const share = row.file.size === 0 ? 0 : row.sent / row.file.size
  return (
    <li className="flex items-center gap-2 py-2 pr-1 pl-4">
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <strong className="min-w-0 font-semibold wrap-anywhere">{name}</strong>
          <span className="figures text-sm text-ink-2">
            {row.state === 'refused' ? 'Not sent' : `${formatBytes(row.sent)} of ${formatBytes(row.file.size)}`}
          </span>
        </div>
        {row.state === 'refused' ? (
          <p role="alert" className="text-sm text-bad">
            {row.problem}
          </p>
        ) : (
          <>
            <div
              role="progressbar"
              aria-label={`Sending ${name}`}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={Math.floor(share * 100)}
              className="h-1.5 overflow-hidden rounded-sm bg-sunken"
            >
              <div
                className={`h-full origin-left transition-transform ${row.state === 'offline' ? 'bg-warn-solid' : 'bg-accent'}`}
                style={{ transform: `scaleX(${share})` }}
              />
            </div>
            <p className="text-sm text-ink-3">
              {categoryTitles[row.category]} · {stateWords(row)}
            </p>
          </>
        )}
      </div>
      {row.state === 'refused' && row.upload !== null && (
        <IconButton
          label={`Send ${name} again`}
          icon={<RotateCw size={20} aria-hidden />}
          onClick={() => void sendAgain(device, row.key)}
        />
      )}
      <IconButton
        label={row.state === 'refused' ? `Take ${name} away` : `Cancel ${name}`}
        icon={<X size={20} aria-hidden />}
        onClick={() => dropPicked(row.key)}
      />
    </li>
  )
}

function stateWords({ state, problem, sent }: Picked): string {
  if (state === 'offline') return problem ?? 'waits for a connection'
  if (state === 'waiting') return sent > 0 ? 'goes on in a moment' : 'waits for its turn'
  return 'sending'
}
