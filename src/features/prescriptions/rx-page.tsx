import { useCallback, useState } from 'react'
import { patientName } from '#contract/patient.ts'
import { patientEndpoints, type PatientRecord } from '#contract/patients.ts'
import { toFhir } from '#contract/rx-fhir.ts'
import { withdrawalsOf } from '#contract/rx-rules.ts'
import { useDevice, useSession } from '#src/sync/device-context.tsx'
import { useLoaded } from '#src/sync/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { Calculators } from './components/calculators.tsx'
import { RxDraft } from './components/rx-draft.tsx'
import { PrintedRx, RxView } from './components/rx-view.tsx'
import { WithdrawDialog } from './components/withdraw-dialog.tsx'
import { downloadFile } from './download-file.ts'
import { useOpticalSettings, useRx, useRxList } from './queries.ts'
import { statusOn, withdrawnWords } from './words.ts'

const timeoutMs = 15_000

/** One prescription of a patient: to read, or, as long as it is a draft, to write. */
export function RxPage({ idPatient, idRx }: { idPatient: string; idRx: string }) {
  const device = useDevice()
  const today = new Date(device.serverNow()).toISOString().slice(0, 10)
  const { value: rx, failure, reload } = useRx(idRx)
  const settings = useOpticalSettings()
  const others = useRxList(idPatient)
  const [isTurned, setTurned] = useState(false)
  const [dialog, setDialog] = useState<'withdraw' | 'calculators' | null>(null)
  const maySign = useSession((session) => session.home?.permissions.includes('rx.sign')) === true
  const mayEnter = useSession((session) => session.home?.permissions.includes('rx.enter')) === true
  const loadPatient = useCallback(
    () => device.call(patientEndpoints.readPatient, { params: { id: idPatient }, query: { reason: 'prescription' } }, { timeoutMs }),
    [device, idPatient],
  )
  const patient = useLoaded<PatientRecord>(loadPatient).value
  const loadChoices = useCallback(() => device.call(patientEndpoints.patientChoices, {}, { timeoutMs }), [device])
  const providers = useLoaded(loadChoices).value?.providers ?? []
  if (!rx || !settings || rx.id_patient !== idPatient) {
    if (rx && rx.id_patient !== idPatient) return <Notice tone="bad" title="This prescription belongs to someone else" />
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
  const notation = isTurned === (settings.cylinder_notation === 'minus') ? 'plus' : 'minus'
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
        {rx.status !== 'draft' && rx.rx_kind === 'spectacle' && (
          <Button onClick={() => setTurned(!isTurned)}>Show in {notation === 'minus' ? 'plus' : 'minus'} cylinder</Button>
        )}
        <Button onClick={() => setDialog('calculators')}>Calculators</Button>
        {maySign && withdrawalsOf(rx.status).length > 0 && <Button onClick={() => setDialog('withdraw')}>Withdraw</Button>}
      </div>
      {rx.withdrawn && (
        <Notice tone="bad" title={`${statusOn(today, rx)}. Do not use it.`}>
          {withdrawnWords(rx.withdrawn)}
        </Notice>
      )}
      {rx.status === 'draft' && mayEnter ? (
        <RxDraft
          settings={settings}
          key={`${rx.id_rx} ${rx.version}`}
          rx={rx}
          previous={previous ?? null}
          providers={providers}
          onChanged={reload}
        />
      ) : (
        <RxView rx={rx} notation={notation} providerName={providerName} today={today} />
      )}
      {dialog === 'withdraw' && <WithdrawDialog rx={rx} onDone={reload} onClose={() => setDialog(null)} />}
      {dialog === 'calculators' && <Calculators rx={rx} vertexDistance={settings.vertex_distance} onClose={() => setDialog(null)} />}
      {patient && (
        <PrintedRx
          rx={rx}
          notation={notation}
          patient={patientName(patient)}
          storeName={patient.store_name}
          providerName={providerName}
          today={today}
        />
      )}
    </div>
  )
}
