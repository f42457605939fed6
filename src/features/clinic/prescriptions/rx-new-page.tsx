import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { emptyRx, type Prescription, type RxKind } from '#contract/rx/prescription.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { formerOf } from '#contract/rx/rx-differences.ts'
import type { StoreOpticalSettings } from '#contract/settings/settings.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useReference } from '#src/sync/react/use-reference.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { RxDraft } from './components/rx-draft.tsx'
import { useOpticalSettings, useRxList } from './queries.ts'
import { kindWords } from './words.ts'

/** A prescription that nobody has saved yet. */
export function RxNewPage({ idPatient, kind }: { idPatient: string; kind: RxKind }) {
  const settings = useOpticalSettings()
  return settings ? <NewRx idPatient={idPatient} kind={kind} settings={settings} /> : <Skeleton lines={4} height="row" />
}

function NewRx({ idPatient, kind, settings }: { idPatient: string; kind: RxKind; settings: StoreOpticalSettings }) {
  const navigate = useNavigate()
  const home = useSession((session) => session.home)
  const providers = useReference(patientEndpoints.patientChoices).value?.providers ?? []
  const others = useRxList(idPatient)
  const [rx] = useState<Prescription>(() => {
    const { od, os, ...empty } = emptyRx(kind)
    const vertex = kind === 'spectacle' ? { vertex_distance: settings.vertex_distance } : {}
    return {
      ...empty,
      provider_id: home?.permissions.includes('rx.sign') ? home.id_user : null,
      od: { ...od, ...vertex },
      os: { ...os, ...vertex },
      id_rx: uuidv7(),
      id_patient: idPatient,
      status: 'draft',
      signature: null,
      signed_by: null,
      signed_at: null,
      withdrawn: null,
      scan: null,
      letterhead: null,
      created_at: new Date().toISOString(),
      created_by: null,
      version: 0,
    }
  })
  return (
    <div className="flex flex-col gap-4">
      <h2 className="text-lg font-semibold">New: {kindWords[kind]}</h2>
      <RxDraft
        rx={rx}
        settings={settings}
        previous={formerOf(others.value?.rx_list ?? [], rx)}
        providers={providers}
        onChanged={(idRx) =>
          navigate({ to: '/patient/$id_patient/rx/$id_rx', params: { id_patient: idPatient, id_rx: idRx }, replace: true })
        }
      />
    </div>
  )
}
