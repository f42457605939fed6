import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { QueuedFile, StrangeFile } from '#src/sync/device/device.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { SureDialog } from '#src/domain/forms/sure-dialog.tsx'
import { fileRefusal, fileState, strangeReasons } from '#src/domain/files/file-words.ts'
import { useFileQueue } from '#src/sync/react/use-file-queue.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { formatBytes, formatDateTime } from '#src/ui/format.ts'
import { Spinner } from '#src/ui/spinner.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { discardFile } from '../actions.ts'

type UnsentFilesProps = {
  only: 'waiting' | 'refused'
  /** True when the list below is empty. */
  isAlone: boolean
  timeZone: string | undefined
}

/** Lists patient files on this device: the user's own by name, other users' without it. */
export function UnsentFiles({ only, isAlone, timeZone }: UnsentFilesProps) {
  const home = useSession((session) => session.home)
  const { queue, files, strange, ready } = useFileQueue()
  const [discarding, setDiscarding] = useState<StrangeFile | null>(null)
  const mayDiscardOthers = home?.permissions.includes('settings.tablets') ?? false
  const ours = files.filter(({ state }) => (only === 'refused' ? state === 'refused' : state !== 'refused' && state !== 'sent'))
  const others = only === 'waiting' ? strange : []
  if (!queue || !ready) return <Spinner label="Loading…" />
  if (ours.length + others.length === 0) return null
  return (
    <section
      aria-labelledby="files-title"
      className={`overflow-y-auto pb-2 ${isAlone ? 'min-h-0 flex-1' : 'max-h-[45%] shrink-0 border-b border-line'}`}
    >
      <h2 id="files-title" className="px-4 pt-3 font-semibold">
        Patient files
      </h2>
      <ul aria-label="Patient files" className="divide-y divide-line">
        {ours.map((file) => (
          <OwnFile key={file.id} file={file} timeZone={timeZone} onRetry={() => void queue.retry(file.id)} />
        ))}
        {others.map((file) => (
          <li key={file.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
            <div className="min-w-0 flex-1 basis-60">
              <p className="break-words">
                File from <bdi>{file.author}</bdi>
              </p>
              <p className="figures text-sm text-ink-2">
                {formatBytes(file.size)}, {formatDateTime(file.created_at, timeZone)}
              </p>
              <p className="text-sm text-ink-2">{strangeReasons[file.why]}</p>
            </div>
            {(file.why !== 'person' || mayDiscardOthers) && (
              <Button variant="quiet" onClick={() => setDiscarding(file)}>
                Discard…
              </Button>
            )}
          </li>
        ))}
      </ul>
      {discarding && <DiscardFileDialog file={discarding} timeZone={timeZone} onClose={() => setDiscarding(null)} />}
    </section>
  )
}

function OwnFile({ file, timeZone, onRetry }: { file: QueuedFile; timeZone: string | undefined; onRetry: () => void }) {
  const isRefused = file.state === 'refused'
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
      <div className="min-w-0 flex-1 basis-60">
        <p className="wrap-anywhere">{file.name}</p>
        <p className="figures text-sm text-ink-2">
          {formatBytes(file.size)}, {formatDateTime(file.created_at, timeZone)}
        </p>
        <p className={`text-sm ${isRefused ? 'text-bad' : 'text-ink-2'}`}>{isRefused ? fileRefusal(file.problem) : fileState(file)}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {isRefused && <Button onClick={onRetry}>Retry</Button>}
        <Link to="/patient/$id_patient/file" params={{ id_patient: file.idPatient }} className={buttonClasses()}>
          Open the files
        </Link>
      </div>
    </li>
  )
}

type DiscardFileDialogProps = { file: StrangeFile; timeZone: string | undefined; onClose: () => void }

function DiscardFileDialog({ file, timeZone, onClose }: DiscardFileDialogProps) {
  const device = useDevice()
  const isOthers = file.why === 'person'

  async function discard(reason: string) {
    try {
      await discardFile(device, file, isOthers ? reason : null)
    } catch {
      return { title: 'NOT DISCARDED. Couldn’t write to this device’s storage. Try again.' }
    }
    const description = (
      <>
        File from <bdi>{file.author}</bdi>
      </>
    )
    showToast({ title: 'Discarded', description })
    onClose()
    return null
  }

  return (
    <SureDialog
      title={
        <>
          Discard the file from <bdi>{file.author}</bdi>?
        </>
      }
      text={
        <>
          <p>
            It was chosen on {formatDateTime(file.created_at, timeZone)} and isn’t stored anywhere else. It will be deleted from this device
            and can’t be recovered.
          </p>
          {isOthers && <p>The server keeps a record of who discarded it and why.</p>}
        </>
      }
      reason={isOthers ? { place: `own: discarding of file ${file.id}`, label: 'Reason', max: 500, required: true } : undefined}
      yes="Discard"
      no="Keep it"
      danger
      onYes={discard}
      onClose={onClose}
    />
  )
}
