import { RotateCw, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { FileQueue, QueuedFile } from '#src/sync/device/device.ts'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { fileRefusal, fileState } from '#src/domain/files/file-words.ts'
import { formatBytes } from '#src/ui/format.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { categoryTitles } from '../words.ts'

/** A chosen file that the server would refuse. Only this page knows it. */
export type NotTaken = { key: number; name: string; problem: string }

type WaitingFilesProps = {
  queue: FileQueue
  files: readonly QueuedFile[]
  notTaken: readonly NotTaken[]
  onTakeAway: (key: number) => void
}

/**
 * The files that are being uploaded into this record. Each shows its progress, and whether this tablet keeps it or why
 * it was refused.
 */
export function WaitingFiles({ queue, files, notTaken, onTakeAway }: WaitingFilesProps) {
  const [discarding, setDiscarding] = useState<QueuedFile | null>(null)
  if (files.length === 0 && notTaken.length === 0) return null
  return (
    <section aria-label="Uploading" className="mb-4">
      <ul aria-label="Files being uploaded" className="divide-y divide-line rounded-lg border border-line bg-surface">
        {notTaken.map(({ key, name, problem }) => (
          <li key={key} className="flex items-center gap-2 py-2 pr-1 pl-4">
            <div className="flex min-w-0 flex-1 flex-col gap-1">
              <Title name={name} told="Not uploaded" />
              <p role="alert" className="text-sm text-bad">
                {problem}
              </p>
            </div>
            <IconButton label={`Remove ${name}`} icon={<X size={20} aria-hidden />} onClick={() => onTakeAway(key)} />
          </li>
        ))}
        {files.map((file) => (
          <Row key={file.id} file={file} queue={queue} onDiscard={setDiscarding} />
        ))}
      </ul>
      {discarding && <DiscardDialog file={discarding} queue={queue} onClose={() => setDiscarding(null)} />}
    </section>
  )
}

/** Makes the browser ask before the page closes or reloads, while an unsaved file is only in memory. */
export function useAskBeforeLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isNeeded])
}

function Title({ name, told }: { name: string; told: string }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <strong className="min-w-0 font-semibold wrap-anywhere">{name}</strong>
      <span className="figures text-sm text-ink-2">{told}</span>
    </div>
  )
}

function Row({ file, queue, onDiscard }: { file: QueuedFile; queue: FileQueue; onDiscard: (file: QueuedFile) => void }) {
  const { id, name, category, thumbnail, state, sent, size, kept } = file
  const share = size === 0 ? 0 : sent / size
  const isOnItsWay = state === 'sending' || (state === 'waiting' && sent > 0)
  return (
    <li className="flex items-center gap-2 py-2 pr-1 pl-4">
      {thumbnail !== null && (
        <img src={`data:image/jpeg;base64,${thumbnail}`} alt="" className="mr-2 size-12 shrink-0 rounded-md bg-sunken object-cover" />
      )}
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <Title
          name={name}
          told={state === 'refused' ? 'Not sent' : sent > 0 ? `${formatBytes(sent)} of ${formatBytes(size)}` : formatBytes(size)}
        />
        {isOnItsWay && (
          <div
            role="progressbar"
            aria-label={`Sending ${name}`}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(share * 100)}
            className="h-1.5 overflow-hidden rounded-sm bg-sunken"
          >
            <div
              className={`h-full origin-left transition-transform ${state === 'sending' ? 'bg-accent' : 'bg-warn-solid'}`}
              style={{ transform: `scaleX(${share})` }}
            />
          </div>
        )}
        {state === 'refused' ? (
          <p role="alert" className="text-sm text-bad">
            {fileRefusal(file.problem)}
          </p>
        ) : (
          <p
            role="status"
            className={`text-sm ${state === 'waiting' && kept !== 'yes' ? 'text-bad' : state === 'sent' ? 'text-good' : 'text-ink-2'}`}
          >
            {categoryTitles[category]} · {fileState(file)}
          </p>
        )}
      </div>
      {state === 'refused' && (
        <IconButton label={`Send ${name} again`} icon={<RotateCw size={20} aria-hidden />} onClick={() => void queue.retry(id)} />
      )}
      {state !== 'sent' && (
        <IconButton
          label={state === 'refused' ? `Discard ${name}` : `Cancel ${name}`}
          icon={<X size={20} aria-hidden />}
          onClick={() => onDiscard(file)}
        />
      )}
    </li>
  )
}

function DiscardDialog({ file, queue, onClose }: { file: QueuedFile; queue: FileQueue; onClose: () => void }) {
  async function discard() {
    try {
      await queue.discard(file.id)
    } catch {
      return 'NOT DISCARDED. Couldn’t write to this tablet’s storage. Try again.'
    }
    onClose()
    return null
  }
  return (
    <SureDialog
      title={`Discard “${file.name}”?`}
      text={
        <p>
          It’s deleted from this tablet and won’t be sent.
          {file.mayBeThere &&
            ' The server already has the whole file and may have added it to the record. Check the list when you’re back online.'}
        </p>
      }
      yes="Discard"
      no="Keep it"
      danger
      onYes={discard}
      onClose={onClose}
    />
  )
}
