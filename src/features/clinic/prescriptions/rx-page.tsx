import { ArrowLeftRight } from 'lucide-react'
import { useCallback, useState } from 'react'
import { patientName } from '#contract/patients/patient.ts'
import { patientEndpoints, type PatientRecord } from '#contract/patients/patients.ts'
import { formerOf } from '#contract/rx/rx-differences.ts'
import { Paper } from '#src/domain/print/paper.tsx'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { useReference } from '#src/sync/react/use-reference.ts'
import { Button } from '#src/ui/button.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { FormerRx } from './components/former-rx.tsx'
import { RxActions } from './components/rx-actions.tsx'
import { RxDraft } from './components/rx-draft.tsx'
import { Checks } from './components/rx-editor.tsx'
import { RxScan } from './components/rx-scan.tsx'
import { RxView } from './components/rx-view.tsx'
import { WithdrawnWords } from './components/withdrawn-words.tsx'
import { rxPaper } from './model/rx-paper.ts'
import type { RxTextParts } from './model/rx-text.ts'
import { useOpticalSettings, useRx, useRxList } from './queries.ts'
import { statusOn } from './words.ts'

const timeoutMs = 15_000

/** One prescription of a patient. A draft can be written, any other one only read. */
export function RxPage({ idPatient, idRx }: { idPatient: string; idRx: string }) {
  const device = useDevice()
  const today = useToday()
  const timeZone = useStoreZone()
  const { value: rx, failure, reload } = useRx(idRx)
  const settings = useOpticalSettings()
  const others = useRxList(idPatient)
  const [isTurned, setTurned] = useState(false)
  const mayEnter = useSession((session) => session.home?.permissions.includes('rx.enter')) === true
  const loadPatient = useCallback(
    () => device.call(patientEndpoints.readPatient, { params: { id: idPatient }, query: { reason: 'prescription' } }, { timeoutMs }),
    [device, idPatient],
  )
  const patient = useLoaded<PatientRecord>(loadPatient).value
  const providers = useReference(patientEndpoints.patientChoices).value?.providers ?? []
  if (!rx || !settings || rx.id_patient !== idPatient) {
    if (rx && rx.id_patient !== idPatient) return <Notice tone="bad" title="This prescription belongs to another patient" />
    if (!failure) return <Skeleton lines={4} height="row" />
    return (
      <NotLoaded
        failure={failure}
        title="Couldn’t open the prescription"
        offline="Prescriptions are available online only. This tablet keeps what you typed here, encrypted, until you save it."
        onRetry={() => void reload()}
      />
    )
  }
  const notation = isTurned === (settings.cylinder_notation === 'minus') ? 'plus' : 'minus'
  const former = formerOf(others.value?.rx_list ?? [], rx)
  const providerName = providers.find(({ id_user }) => id_user === rx.provider_id)?.name ?? rx.provider_name
  const isWritten = rx.status === 'draft' && mayEnter
  const parts: RxTextParts | null = patient
    ? { patient: patientName(patient), storeName: patient.store_name, providerName, notation, timeZone }
    : null
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">{statusOn(today, rx)}</h2>
      <RxActions rx={rx} parts={parts} vertexDistance={isWritten ? null : settings.vertex_distance} onChanged={reload} />
      {rx.withdrawn && (
        <Notice tone="bad" title={`${statusOn(today, rx)}. Do not use it.`}>
          <WithdrawnWords {...rx.withdrawn} />
        </Notice>
      )}
      {(rx.is_outside_rx || rx.scan) && <RxScan rx={rx} onChanged={reload} />}
      {isWritten ? (
        <RxDraft
          settings={settings}
          key={`${rx.id_rx} ${rx.version}`}
          rx={rx}
          previous={former}
          providers={providers}
          onChanged={() => reload()}
        />
      ) : (
        <RxView rx={rx} notation={notation} providerName={providerName} today={today}>
          {rx.rx_kind === 'spectacle' && (
            <div>
              <Button icon={<ArrowLeftRight size={18} aria-hidden />} onClick={() => setTurned(!isTurned)}>
                Transpose
              </Button>
            </div>
          )}
          <Checks rx={rx} previous={former} state={settings.state} />
          {former && <FormerRx rx={rx} former={former} notation={notation} />}
        </RxView>
      )}
      {parts && <Paper document={rxPaper(rx, today, parts)} />}
    </div>
  )
}
