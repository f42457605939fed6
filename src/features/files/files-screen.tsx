import { Camera, FolderOpen, Upload } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useEffect, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { fileCategories, type FileCategory, type PatientFile } from '#contract/patient-files.ts'
import { useDevice, useSession } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FileRows } from './components/file-rows.tsx'
import { NotLoaded } from './components/not-loaded.tsx'
import { UploadRows } from './components/upload-rows.tsx'
import { useFiles } from './queries.ts'
import { pickFiles, uploads } from './uploads.ts'
import { acceptedFiles, categoryTitles } from './words.ts'

const categoryOptions = fileCategories.map((value) => ({ value, label: categoryTitles[value] }))

/** The files of a patient, and bringing new ones: chosen, dropped here or photographed. */
export function FilesScreen({ idPatient }: { idPatient: string }) {
  const home = useSession((session) => session.home)
  const mayWrite = home?.permissions.includes('file.write') ?? false
  const { value, failure, reload } = useFiles(idPatient)
  const arrived = useStore(uploads, (state) => state.arrived)
  const seen = useRef(arrived)
  useEffect(() => {
    if (seen.current === arrived) return
    seen.current = arrived
    void reload()
  }, [arrived, reload])
  return (
    <>
      {mayWrite && <NewFiles idPatient={idPatient} />}
      <UploadRows idPatient={idPatient} />
      {value ? (
        <FileList files={value.files} timeZone={home?.locations.find((store) => store.store_id === home.store_id)?.time_zone} />
      ) : failure ? (
        <NotLoaded what="The files" failure={failure} onRetry={() => void reload()} />
      ) : (
        <Skeleton lines={4} height="row" />
      )}
    </>
  )
}

function NewFiles({ idPatient }: { idPatient: string }) {
  const device = useDevice()
  const [category, setCategory] = useState<FileCategory>('other')
  const [isOver, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)

  function take(files: FileList | null) {
    if (files && files.length > 0) void pickFiles(device, idPatient, [...files], category)
  }
  function chosen(event: ChangeEvent<HTMLInputElement>) {
    take(event.target.files)
    // The same file can be chosen again.
    event.target.value = ''
  }
  function over(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
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
        <Button variant="primary" icon={<FolderOpen size={20} aria-hidden />} onClick={() => chooser.current?.click()}>
          Choose files
        </Button>
        <Button icon={<Camera size={20} aria-hidden />} onClick={() => camera.current?.click()}>
          Take a photo
        </Button>
        <input ref={chooser} type="file" multiple accept={acceptedFiles} aria-label="Files" hidden onChange={chosen} />
        <input ref={camera} type="file" accept="image/*" capture="environment" aria-label="Photo" hidden onChange={chosen} />
        <p className="w-full text-sm text-ink-3">Or drop them here. PDF and images, at most 25 MB each.</p>
      </div>
    </section>
  )
}

function FileList({ files, timeZone }: { files: readonly PatientFile[]; timeZone: string | undefined }) {
  const [wanted, setWanted] = useState<FileCategory | 'all'>('all')
  if (files.length === 0) {
    return (
      <EmptyState icon={<Upload aria-hidden />} title="No files yet">
        Referrals, insurance cards, images of the eye: whatever belongs to this patient on paper or as a picture.
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
        <EmptyState title="No file of this category" action={<Button onClick={() => setWanted('all')}>Show all</Button>} />
      )}
    </>
  )
}
