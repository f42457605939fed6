import { Link, useNavigate } from '@tanstack/react-router'
import { Glasses, Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import { emptyRx, type RxInput, type RxKind } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { ImportDialog } from './components/import-dialog.tsx'
import { WithdrawnWords } from './components/withdrawn-words.tsx'
import { useOpticalSettings, useRxList } from './queries.ts'
import { useSameId } from './hooks/use-same-id.ts'
import { eyeWords, kindWords, notDone, statusOn } from './words.ts'

const timeoutMs = 15_000

/** A patient’s prescriptions, newest first. */
export function RxListPage({ idPatient }: { idPatient: string }) {
  const device = useDevice()
  const today = useToday()
  const timeZone = useStoreZone()
  const navigate = useNavigate()
  const home = useSession((session) => session.home)
  const settings = useOpticalSettings()
  const isOffline = useConnection((connection) => connection.online) === false
  const { value, failure, reload } = useRxList(idPatient)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isImporting, setImporting] = useState(false)
  const { idOf, taken } = useSameId()

  async function begin(rx: RxInput): Promise<string | null> {
    setBusy(true)
    const written = { ...rx, id_patient: idPatient }
    const answer = await device.call(prescriptionEndpoints.addRx, { body: { ...written, id_rx: idOf(written) } }, { timeoutMs })
    setBusy(false)
    if (!answer.ok) return notDone('NOT SAVED', answer.failure)
    taken()
    await navigate({ to: '/patient/$id_patient/rx/$id_rx', params: { id_patient: idPatient, id_rx: answer.value.id_rx } })
    return null
  }

  async function beginNew(kind: RxKind) {
    const isDoctor = home?.permissions.includes('rx.sign') === true
    const { od, os, ...empty } = emptyRx(kind)
    const vertex = kind === 'spectacle' && settings ? { vertex_distance: settings.vertex_distance } : {}
    const provider_id = isDoctor ? (home?.id_user ?? null) : null
    setProblem(await begin({ ...empty, provider_id, od: { ...od, ...vertex }, os: { ...os, ...vertex } }))
  }

  if (!value || !settings) {
    if (!failure) return <Skeleton lines={3} height="row" />
    return (
      <NotLoaded
        failure={failure}
        title="Couldn’t load prescriptions"
        offline="Prescriptions are available online only, so no one works from an old one."
        onRetry={() => void reload()}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      {home?.permissions.includes('rx.enter') && (
        <div className="flex flex-wrap gap-2">
          <Button icon={<Plus size={18} aria-hidden />} busy={isBusy} onClick={() => void beginNew('spectacle')}>
            New for glasses
          </Button>
          <Button icon={<Plus size={18} aria-hidden />} busy={isBusy} onClick={() => void beginNew('contact_lens')}>
            New for contact lenses
          </Button>
          <Button icon={<Upload size={18} aria-hidden />} onClick={() => setImporting(true)}>
            Import (FHIR)
          </Button>
        </div>
      )}
      {problem && <Notice tone="bad">{problem}</Notice>}
      {isOffline ? (
        <Notice tone="warn" title="No connection" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          This list may be out of date. You need a connection to start a prescription. What you type in a draft is kept on this tablet.
        </Notice>
      ) : (
        failure && (
          <Notice tone="warn" title="Couldn’t refresh">
            {failure.message}
          </Notice>
        )
      )}
      {value.rx_list.length === 0 ? (
        <EmptyState icon={<Glasses aria-hidden />} title="No prescriptions - enter one from outside or start an exam.">
          Prescriptions entered or imported here start as drafts. A doctor signs them.
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-2">
          {value.rx_list
            .map((stored) => inNotation(stored, settings.cylinder_notation))
            .map((rx) => (
              <li key={rx.id_rx}>
                <Link
                  to="/patient/$id_patient/rx/$id_rx"
                  params={{ id_patient: idPatient, id_rx: rx.id_rx }}
                  className="flex min-h-row flex-wrap items-center gap-x-6 gap-y-1 rounded-lg border border-line bg-surface p-4 hover:bg-hover"
                >
                  <span className="font-semibold">
                    {kindWords[rx.rx_kind]}, {formatDate(rx.issue_date ?? rx.created_at, timeZone)}
                  </span>
                  <span className="figures text-ink-2">OD {eyeWords(rx, 'od')}</span>
                  <span className="figures text-ink-2">OS {eyeWords(rx, 'os')}</span>
                  <span className="ml-auto flex gap-2">
                    {rx.status === 'active' && <Badge tone="good">Current</Badge>}
                    <Badge tone={rx.status === 'draft' ? 'warn' : rx.withdrawn ? 'bad' : 'neutral'}>{statusOn(today, rx)}</Badge>
                  </span>
                  {rx.withdrawn && (
                    <span className="w-full text-sm text-ink-2">
                      <WithdrawnWords {...rx.withdrawn} />
                    </span>
                  )}
                </Link>
              </li>
            ))}
        </ul>
      )}
      {isImporting && <ImportDialog writing={settings} onTake={begin} onClose={() => setImporting(false)} />}
    </div>
  )
}
