import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { patientName } from '#contract/patient.ts'
import { patientEndpoints, type PatientRecord } from '#contract/patients.ts'
import type { Prescription, RxInput, RxSignature } from '#contract/prescription.ts'
import { prescriptionEndpoints } from '#contract/prescriptions.ts'
import { toFhir } from '#contract/rx-fhir.ts'
import { signingProblems } from '#contract/rx-rules.ts'
import { useConnection, useDevice, useSession } from '#src/sync/device-context.tsx'
import { useLoaded } from '#src/sync/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { RxEditor } from './components/rx-editor.tsx'
import { PrintedRx, RxView } from './components/rx-view.tsx'
import { SignDialog } from './components/sign-dialog.tsx'
import { downloadFile } from './download-file.ts'
import { keepTyped, useKeptTyped } from './kept-typed.ts'
import { useRx, useRxList } from './queries.ts'
import { readTyped, type TypedProblem, type TypedRx, typedFrom } from './typed-rx.ts'
import { statusOn } from './words.ts'

const timeoutMs = 15_000

/** One prescription of a patient: to read, or, as long as it is a draft, to write. */
export function RxPage({ idPatient, idRx }: { idPatient: string; idRx: string }) {
  const device = useDevice()
  const today = new Date(device.serverNow()).toISOString().slice(0, 10)
  const { value: rx, failure, reload } = useRx(idRx)
  const others = useRxList(idPatient)
  const mayEnter = useSession((session) => session.home?.permissions.includes('rx.enter')) === true
  const loadPatient = useCallback(
    () => device.call(patientEndpoints.readPatient, { params: { id: idPatient }, query: { reason: 'prescription' } }, { timeoutMs }),
    [device, idPatient],
  )
  const patient = useLoaded<PatientRecord>(loadPatient).value
  const loadChoices = useCallback(() => device.call(patientEndpoints.patientChoices, {}, { timeoutMs }), [device])
  const providers = useLoaded(loadChoices).value?.providers ?? []
  if (!rx || rx.id_patient !== idPatient) {
    if (rx) return <Notice tone="bad" title="This prescription belongs to someone else" />
    if (!failure) return <Skeleton lines={4} height="row" />
    return (
      <NotLoaded
        failure={failure}
        title="The prescription could not be opened"
        offline="Prescriptions are kept at the server only. What was typed here is kept on this tablet, encrypted, until it is saved."
        onRetry={() => void reload()}
      />
    )
  }
  const previous = others.value?.rx_list.find(
    (other) => other.rx_kind === rx.rx_kind && other.status === 'active' && other.id_rx !== rx.id_rx,
  )
  const providerName = providers.find(({ id_user }) => id_user === rx.provider_id)?.name ?? rx.provider_name
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-lg font-semibold">{statusOn(today, rx)}</h2>
        <Button onClick={() => window.print()}>Print</Button>
        <Button
          onClick={() => downloadFile(`prescription-${rx.issue_date ?? 'draft'}.json`, JSON.stringify(toFhir(rx, providerName), null, 2))}
        >
          Export (FHIR)
        </Button>
      </div>
      {rx.status === 'draft' && mayEnter ? (
        <Draft key={`${rx.id_rx} ${rx.version}`} rx={rx} previous={previous ?? null} providers={providers} onChanged={reload} />
      ) : (
        <RxView rx={rx} providerName={providerName} today={today} />
      )}
      {patient && (
        <PrintedRx rx={rx} patient={patientName(patient)} storeName={patient.store_name} providerName={providerName} today={today} />
      )}
    </div>
  )
}

type DraftProps = {
  rx: Prescription
  previous: RxInput | null
  providers: { id_user: number; name: string }[]
  onChanged: () => Promise<void>
}

function Draft(props: DraftProps) {
  const kept = useKeptTyped(props.rx.id_rx)
  return kept === undefined ? <Skeleton lines={4} height="row" /> : <OpenDraft {...props} kept={kept} />
}

function OpenDraft({ rx: stored, previous, providers, onChanged, kept }: DraftProps & { kept: TypedRx | null }) {
  const device = useDevice()
  const navigate = useNavigate()
  const home = useSession((session) => session.home)
  const isOffline = useConnection((connection) => connection.online) === false
  const fresh = (): TypedRx => ({ ...typedFrom(stored), version: String(stored.version) })
  const [isKept, setIsKept] = useState(kept !== null)
  const [typed, setTyped] = useState<TypedRx>(() => kept ?? fresh())
  const [missing, setMissing] = useState<Record<string, TypedProblem>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [dialog, setDialog] = useState<'sign' | 'delete' | null>(null)
  const { rx, problems } = readTyped(typed)

  function change(changes: TypedRx) {
    const next = { ...typed, ...changes }
    keepTyped(device, stored.id_rx, next)
    setTyped(next)
    setMissing((before) => Object.fromEntries(Object.entries(before).filter(([path]) => !(path in changes))))
  }

  async function put(signature?: RxSignature): Promise<string | null> {
    if (!rx || Object.keys(problems).length > 0) return 'Some fields are not right yet.'
    const body = { id_rx: stored.id_rx, version: Number(typed['version']), rx, ...(signature && { signature }) }
    const answer = await device.call(prescriptionEndpoints.changeRx, { body }, { timeoutMs })
    if (!answer.ok) return answer.failure.kind === 'unreachable' ? noConnection : answer.failure.message
    keepTyped(device, stored.id_rx, null)
    showToast({ title: signature ? 'Prescription signed' : 'Draft saved', tone: 'good' })
    await onChanged()
    return null
  }

  async function save() {
    setBusy(true)
    const failed = await put()
    setBusy(false)
    setProblem(failed && `NOT SAVED. ${failed}`)
  }

  function startSigning() {
    const open = rx ? signingProblems(rx) : []
    const found = Object.fromEntries(open.map(({ path, message }) => [path, { message, nearest: [] }]))
    setMissing(found)
    if (open.length > 0 || Object.keys(problems).length > 0) return setProblem('Some fields are missing or not right yet.')
    setProblem(null)
    setDialog('sign')
  }

  async function remove() {
    setBusy(true)
    const answer = await device.call(prescriptionEndpoints.deleteRx, { params: { id: stored.id_rx } }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return setProblem(`NOT DELETED. ${answer.failure.kind === 'unreachable' ? noConnection : answer.failure.message}`)
    keepTyped(device, stored.id_rx, null)
    await navigate({ to: '/patient/$id_patient/rx', params: { id_patient: stored.id_patient } })
  }

  const provider = (
    <SelectField
      label="Provider"
      options={[{ value: '-', label: 'Not chosen' }, ...providers.map(({ id_user, name }) => ({ value: String(id_user), label: name }))]}
      value={typed['provider_id'] || '-'}
      onChange={(value) => change({ provider_id: value === '-' ? '' : value })}
    />
  )
  return (
    <>
      {isOffline && (
        <Notice tone="warn" title="No connection">
          {noConnection}
        </Notice>
      )}
      {isKept && (
        <Notice
          tone="info"
          title="What you typed before is here, and not saved yet"
          actions={
            <Button
              onClick={() => {
                keepTyped(device, stored.id_rx, null)
                setTyped(fresh())
                setIsKept(false)
              }}
            >
              Go back to what is saved
            </Button>
          }
        />
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      <RxEditor typed={typed} problems={{ ...missing, ...problems }} onChange={change} rx={rx} previous={previous} provider={provider} />
      <div className="flex flex-wrap justify-end gap-2">
        {dialog === 'delete' ? (
          <>
            <Button onClick={() => setDialog(null)}>Keep it</Button>
            <Button variant="danger" busy={isBusy} onClick={() => void remove()}>
              Delete this draft for good
            </Button>
          </>
        ) : (
          <Button onClick={() => setDialog('delete')}>Delete draft</Button>
        )}
        <Button busy={isBusy} onClick={() => void save()}>
          Save draft
        </Button>
        {home?.permissions.includes('rx.sign') && (
          <Button variant="primary" onClick={startSigning}>
            Sign
          </Button>
        )}
      </div>
      {dialog === 'sign' && <SignDialog onSign={put} onClose={() => setDialog(null)} />}
    </>
  )
}

const noConnection = 'Prescriptions need a connection. What you typed stays in this window; save it when the connection is back.'
