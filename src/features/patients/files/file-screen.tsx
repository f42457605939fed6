import { Link } from '@tanstack/react-router'
import { ArrowLeft, Download, FileQuestion, Printer } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { typeNamed } from '#contract/patients/file-types.ts'
import { fileCategories, type PatientFile } from '#contract/patients/patient-files.ts'
import { printFile } from '#src/device/print-file.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatBytes, formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { changeFile } from './actions.ts'
import { NotLoaded } from './components/not-loaded.tsx'
import { useFile, useFileContent } from './queries.ts'
import { categoryTitles } from './words.ts'

/** One file: a preview where the browser can show it, and its name, category and note. */
export function FileScreen({ idPatient, idFile }: { idPatient: string; idFile: string }) {
  const { value: file, failure, reload } = useFile(idFile)
  return (
    <>
      <p className="mb-3 -ml-3">
        <Link to="/patient/$id_patient/file" params={{ id_patient: idPatient }} className={buttonClasses('quiet')}>
          <ArrowLeft size={20} aria-hidden />
          All files
        </Link>
      </p>
      {!file && failure && <NotLoaded what="the file" failure={failure} onRetry={() => void reload()} />}
      {!file && !failure && <Skeleton lines={4} height="row" />}
      {file && (
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Preview file={file} />
          <Details key={file.id_file} file={file} onChanged={() => void reload()} />
        </div>
      )}
    </>
  )
}

const notPrinted = () => showToast({ title: 'Couldn’t print', description: 'Download the file, then print it.', tone: 'bad' })

function Preview({ file }: { file: PatientFile }) {
  const { value: address, failure, reload } = useFileContent(file)
  const { shown, title } = typeNamed(file.mime)
  return (
    <section aria-label="Preview" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {shown !== 'no' && (
          <Button
            icon={<Printer size={20} aria-hidden />}
            disabled={!address}
            onClick={() => address && void printFile(address).catch(notPrinted)}
          >
            Print
          </Button>
        )}
        {address && (
          <a href={address} download={file.filename} className={buttonClasses()}>
            <Download size={20} aria-hidden />
            Download
          </a>
        )}
      </div>
      <div className="overflow-hidden rounded-lg border border-line bg-sunken">
        {!address && failure && <NotLoaded what="the file" failure={failure} onRetry={() => void reload()} />}
        {!address && !failure && (
          <p role="status" className="flex min-h-60 items-center justify-center text-ink-2">
            Loading {formatBytes(file.size)}…
          </p>
        )}
        {address && shown === 'image' && (
          <img src={address} alt={file.filename} className="mx-auto max-h-[75dvh] max-w-full object-contain" />
        )}
        {address && shown === 'page' && <iframe src={address} title={file.filename} className="h-[75dvh] w-full" />}
        {address && shown === 'no' && (
          <EmptyState icon={<FileQuestion aria-hidden />} title={`Can’t show a ${title} here`}>
            Download it and open it in another program.
          </EmptyState>
        )}
      </div>
    </section>
  )
}

function Details({ file, onChanged }: { file: PatientFile; onChanged: () => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const [filename, setFilename] = useState(file.filename)
  const [category, setCategory] = useState(file.category)
  const [note, setNote] = useState(file.note)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mayWrite = home?.permissions.includes('file.write') ?? false
  const isChanged = filename !== file.filename || category !== file.category || note !== file.note
  const timeZone = home?.locations.find((store) => store.store_id === home.store_id)?.time_zone

  async function save(event: FormEvent) {
    event.preventDefault()
    if (filename.trim() === '' || isBusy) return
    setBusy(true)
    setProblem(null)
    const answer = await changeFile(device, file.id_file, { filename, category, note })
    setBusy(false)
    if (!answer.ok) return setProblem(answer.failure.message)
    setFilename(answer.value.filename)
    showToast({ title: 'File saved', tone: 'good' })
    onChanged()
  }

  return (
    <section aria-label="About this file" className="flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        <dt className="text-ink-2">Kind</dt>
        <dd>
          {typeNamed(file.mime).title}, {formatBytes(file.size)}
        </dd>
        <dt className="text-ink-2">Added</dt>
        <dd>{formatDateTime(file.uploaded_at, timeZone)}</dd>
        <dt className="text-ink-2">By</dt>
        <dd>
          <bdi>{file.uploaded_by}</bdi>
        </dd>
      </dl>
      {mayWrite ? (
        <form onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
          {problem && (
            <Notice tone="bad" title="NOT SAVED">
              {problem}
            </Notice>
          )}
          <TextField
            label="Name"
            required
            maxLength={200}
            value={filename}
            onChange={setFilename}
            error={filename.trim() === '' ? 'This field is required' : undefined}
          />
          <SelectField
            label="Category"
            options={fileCategories.map((value) => ({ value, label: categoryTitles[value] }))}
            value={category}
            onChange={setCategory}
          />
          <TextArea label="Note" maxLength={500} value={note} onChange={setNote} />
          <Button type="submit" variant="primary" busy={isBusy} disabled={!isChanged || isOffline} wide>
            Save
          </Button>
          {isOffline && <p className="text-sm text-ink-3">You need a connection to save.</p>}
        </form>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          <dt className="text-ink-2">Name</dt>
          <dd className="wrap-anywhere">{file.filename}</dd>
          <dt className="text-ink-2">Category</dt>
          <dd>{categoryTitles[file.category]}</dd>
          {file.note && <dt className="text-ink-2">Note</dt>}
          {file.note && <dd className="wrap-anywhere">{file.note}</dd>}
        </dl>
      )}
    </section>
  )
}
