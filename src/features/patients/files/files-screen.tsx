import { Camera, FolderOpen, Upload } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react'
import { fileCategories, type FileCategory, type PatientFile } from '#contract/patients/patient-files.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { useFileQueue } from '#src/sync/react/use-file-queue.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FileRows } from './components/file-rows.tsx'
import { NotLoaded } from './components/not-loaded.tsx'
import { type NotTaken, useAskBeforeLeaving, WaitingFiles } from './components/waiting-files.tsx'
import { makeThumbnail } from './model/make-thumbnail.ts'
import { problemOf } from './model/problem-of.ts'
import { useFiles } from './queries.ts'
import { acceptedFiles, categoryTitles } from './words.ts'

const categoryOptions = fileCategories.map((value) => ({ value, label: categoryTitles[value] }))
const mostNameLength = 200
let lastKey = 0

/** The files of a patient, the unsent files, and the ways to add one: choose, drop or photograph. */
export function FilesScreen({ idPatient }: { idPatient: string }) {
  const home = useSession((session) => session.home)
  const mayWrite = home?.permissions.includes('file.write') ?? false
  const { value, failure, reload } = useFiles(idPatient)
  const { queue, missing, files } = useFileQueue()
  const [notTaken, setNotTaken] = useState<NotTaken[]>([])
  const isOnline = useConnection(({ online }) => online !== false)

  const ours = files.filter((file) => file.idPatient === idPatient)
  const waiting = ours.filter(({ id }) => !value?.files.some(({ id_file }) => id_file === id))
  useAskBeforeLeaving(files.some(({ state, kept }) => state !== 'sent' && state !== 'refused' && kept !== 'yes'))
  const ids = ours.flatMap(({ id, state }) => (state === 'sent' ? [] : [id])).join()
  const before = useRef(ids)
  useEffect(() => {
    const were = before.current
    before.current = ids
    // A file that left the queue, in this tab or another, is in the record now.
    const hasLeft = were.split(',').some((id) => id !== '' && !ids.includes(id))
    if (isOnline && hasLeft) void reload()
  }, [ids, isOnline, reload])

  async function take(chosen: readonly File[], category: FileCategory) {
    for (const file of chosen) {
      const name = (file.name || 'Photo').slice(-mostNameLength)
      const refuse = (problem: string) => setNotTaken((others) => [...others, { key: (lastKey += 1), name, problem }])
      const problem = await problemOf(file)
      if (problem !== null) refuse(problem)
      else {
        const thumbnail = await makeThumbnail(file)
        queue?.add({ idPatient, name, category, blob: file, ...(thumbnail !== null && { thumbnail }) }).catch(() => {
          refuse('NOT SAVED. Couldn’t read this tablet’s storage. Reload the page and choose the file again.')
        })
      }
    }
  }

  return (
    <>
      {mayWrite && <NewFiles isReady={queue !== null} isMissing={missing} onChosen={(chosen, category) => void take(chosen, category)} />}
      {queue && (
        <WaitingFiles
          queue={queue}
          files={waiting}
          notTaken={notTaken}
          onTakeAway={(key) => setNotTaken((before) => before.filter((each) => each.key !== key))}
        />
      )}
      {value && value.files.length === 0 && waiting.length > 0 ? null : value ? (
        <FileList files={value.files} timeZone={home?.locations.find((store) => store.store_id === home.store_id)?.time_zone} />
      ) : failure ? (
        <NotLoaded what="the files" failure={failure} onRetry={() => void reload()} />
      ) : (
        <Skeleton lines={4} height="row" />
      )}
    </>
  )
}

type NewFilesProps = {
  isReady: boolean
  /** The code for uploads did not load. */
  isMissing: boolean
  onChosen: (files: readonly File[], category: FileCategory) => void
}

function NewFiles({ isReady, isMissing, onChosen }: NewFilesProps) {
  const [category, setCategory] = useState<FileCategory>('other')
  const [isOver, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)

  function take(files: FileList | null) {
    if (isReady && files && files.length > 0) onChosen([...files], category)
  }
  function chosen(event: ChangeEvent<HTMLInputElement>) {
    take(event.target.files)
    // Lets the user choose the same file again.
    event.target.value = ''
  }
  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    if (isReady) setOver(true)
    else event.dataTransfer.dropEffect = 'none'
  }
  function dropped(event: DragEvent) {
    event.preventDefault()
    setOver(false)
    take(event.dataTransfer.files)
  }

  return (
    <section aria-label="Add files">
      <div
        role="presentation"
        onDragOver={over}
        onDragLeave={() => setOver(false)}
        onDrop={dropped}
        className={`mb-4 flex flex-wrap items-end gap-3 rounded-lg border border-dashed p-4 transition-colors ${isOver ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface'}`}
      >
        <div className="min-w-44 flex-1">
          <SelectField label="Category of new files" options={categoryOptions} value={category} onChange={setCategory} />
        </div>
        <Button variant="primary" disabled={!isReady} icon={<FolderOpen size={20} aria-hidden />} onClick={() => chooser.current?.click()}>
          Choose files
        </Button>
        <Button disabled={!isReady} icon={<Camera size={20} aria-hidden />} onClick={() => camera.current?.click()}>
          Take a photo
        </Button>
        <input ref={chooser} type="file" multiple accept={acceptedFiles} aria-label="Files" hidden onChange={chosen} />
        <input ref={camera} type="file" accept="image/*" capture="environment" aria-label="Photo" hidden onChange={chosen} />
        {isMissing ? (
          <p role="alert" className="w-full text-sm text-bad">
            Part of the app didn’t load, so you can’t add files right now. Reload the page.
          </p>
        ) : (
          <p className="w-full text-sm text-ink-3">
            {isReady
              ? 'Or drop them here. PDFs and images, up to 25 MB each. If you’re offline, they wait on this tablet and only you can see them.'
              : 'Getting ready…'}
          </p>
        )}
      </div>
    </section>
  )
}

function FileList({ files, timeZone }: { files: readonly PatientFile[]; timeZone: string | undefined }) {
  const [wanted, setWanted] = useState<FileCategory | 'all'>('all')
  if (files.length === 0) {
    return (
      <EmptyState icon={<Upload aria-hidden />} title="No files yet">
        Add referrals, insurance cards, eye images and other documents for this patient.
      </EmptyState>
    )
  }
  const shown = wanted === 'all' ? files : files.filter(({ category }) => category === wanted)
  const countOf = (category: FileCategory) => files.filter((file) => file.category === category).length
  return (
    <>
      <div className="mb-3 flex flex-wrap items-end justify-between gap-3">
        <p role="status" className="text-ink-2">
          {wanted === 'all' ? formatNumberOf(files.length, 'file') : `${shown.length} of ${formatNumberOf(files.length, 'file')}`}
        </p>
        <div className="w-full sm:w-60">
          <SelectField
            label="Show"
            options={[
              { value: 'all' as const, label: 'All categories' },
              ...categoryOptions.map(({ value, label }) => ({
                value,
                label: `${label} (${countOf(value)})`,
                disabled: countOf(value) === 0,
              })),
            ]}
            value={wanted}
            onChange={setWanted}
          />
        </div>
      </div>
      {shown.length > 0 ? (
        <FileRows files={shown} timeZone={timeZone} />
      ) : (
        <EmptyState title="No files in this category" action={<Button onClick={() => setWanted('all')}>Show all</Button>} />
      )}
    </>
  )
}
