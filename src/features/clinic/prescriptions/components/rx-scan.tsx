import { Link } from '@tanstack/react-router'
import { FileText, Upload } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { type PatientFile, patientFileEndpoints } from '#contract/patients/patient-files.ts'
import type { Prescription } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { problemOfScan, uploadScan } from '../model/upload-scan.ts'
import { notDone } from '../words.ts'

const timeoutMs = 15_000

/** The paper of an outside prescription. A user opens it, chooses it from the patient's files, or adds it. */
export function RxScan({ rx, onChanged }: { rx: Prescription; onChanged: () => Promise<void> }) {
  const device = useDevice()
  const permissions = useSession((session) => session.home?.permissions) ?? []
  const [isChoosing, setChoosing] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const picker = useRef<HTMLInputElement>(null)
  const { scan } = rx
  const mayLink = permissions.includes('rx.enter')
  if (!permissions.includes('file.read')) return null

  async function link(id_file: string | null): Promise<string | null> {
    const answer = await device.call(prescriptionEndpoints.linkRxScan, { params: { id: rx.id_rx }, body: { id_file } }, { timeoutMs })
    if (!answer.ok) return notDone(id_file === null ? 'NOT UNLINKED' : 'NOT LINKED', answer.failure)
    showToast({ title: id_file === null ? 'Scan unlinked' : 'Scan linked', tone: 'good' })
    await onChanged()
    return null
  }

  async function busyWith(work: () => Promise<string | null>) {
    setBusy(true)
    setProblem(null)
    setProblem(await work())
    setBusy(false)
  }

  async function bring(file: File): Promise<string | null> {
    const wrong = await problemOfScan(file)
    if (wrong !== null) return `NOT UPLOADED. ${wrong}.`
    const sent = await uploadScan(device.call, rx.id_patient, file)
    if (!sent.ok) return sent.failure ? notDone('NOT UPLOADED', sent.failure) : 'NOT UPLOADED. The connection is too weak. Try again.'
    const failed = await link(sent.id)
    return failed && `${failed} The file is in the patient’s files. Choose it from there.`
  }

  return (
    <section aria-label="Scan of the paper Rx" className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
      <h2 className="font-semibold">Scan of the paper Rx</h2>
      {problem && <Notice tone="bad">{problem}</Notice>}
      {!scan && <p className="text-sm text-ink-2">No scan of this outside Rx is attached.</p>}
      <div className="flex flex-wrap gap-2">
        {scan && (
          <Link
            to="/patient/$id_patient/file/$id_file"
            params={{ id_patient: rx.id_patient, id_file: scan.id_file }}
            className={`${buttonClasses()} max-w-full min-w-0`}
          >
            <FileText size={18} aria-hidden className="shrink-0" />
            <span className="truncate">Open {scan.filename}</span>
          </Link>
        )}
        {mayLink && <Button onClick={() => setChoosing(true)}>{scan ? 'Choose another file' : 'Choose from the files'}</Button>}
        {mayLink && permissions.includes('file.write') && (
          <>
            <input
              ref={picker}
              type="file"
              aria-label="Scan to upload"
              tabIndex={-1}
              className="sr-only"
              accept="application/pdf,image/*"
              onChange={({ target }) => {
                const [file] = target.files ?? []
                if (file) void busyWith(() => bring(file)).then(() => (target.value = ''))
              }}
            />
            <Button icon={<Upload size={18} aria-hidden />} busy={isBusy} onClick={() => picker.current?.click()}>
              Upload a scan
            </Button>
          </>
        )}
        {mayLink && scan && (
          <Button variant="quiet" busy={isBusy} onClick={() => void busyWith(() => link(null))}>
            Unlink
          </Button>
        )}
      </div>
      {isChoosing && <ChooseScan rx={rx} onLink={link} onClose={() => setChoosing(false)} />}
    </section>
  )
}

/** The patient's files, outside prescriptions first. */
function ChooseScan({ rx, onLink, onClose }: { rx: Prescription; onLink: (id: string) => Promise<string | null>; onClose: () => void }) {
  const device = useDevice()
  const load = useCallback(
    () => device.call(patientFileEndpoints.listFiles, { query: { id_patient: rx.id_patient } }, { timeoutMs }),
    [device, rx.id_patient],
  )
  const { value, failure } = useLoaded(load)
  const timeZone = useStoreZone()
  const [chosen, setChosen] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isPaper = (file: PatientFile) => Number(file.category === 'outside Rx')
  const files = value?.files.toSorted((a, b) => isPaper(b) - isPaper(a)) ?? []

  async function choose() {
    if (!chosen) return setProblem('Choose a file.')
    setBusy(true)
    const failed = await onLink(chosen)
    setBusy(false)
    if (failed === null) return onClose()
    setProblem(failed)
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Choose the scan"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={files.length === 0} onClick={() => void choose()}>
            Link
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {problem && <Notice tone="bad">{problem}</Notice>}
        {failure && !value && <Notice tone="bad">{notDone('NOT LOADED', failure)}</Notice>}
        {!value && !failure && <Skeleton lines={2} height="row" />}
        {value && files.length === 0 && <p>This patient has no files yet. Upload the scan instead.</p>}
        {files.length > 0 && (
          <SelectField
            label="File"
            placeholder="Choose"
            value={chosen}
            onChange={setChosen}
            options={files.map(({ id_file, filename, uploaded_at, category }) => ({
              value: id_file,
              label: `${filename}, ${category}, ${formatDate(uploaded_at, timeZone)}`,
            }))}
          />
        )}
      </div>
    </Dialog>
  )
}
