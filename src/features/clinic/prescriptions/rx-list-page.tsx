import { Link, useNavigate } from '@tanstack/react-router'
import { Glasses, Plus, Upload } from 'lucide-react'
import { useState } from 'react'
import { eyes, type Prescription, type RxInput } from '#contract/rx/prescription.ts'
import { prescriptionEndpoints } from '#contract/rx/prescriptions.ts'
import { inNotation } from '#contract/rx/rx-rules.ts'
import { useConnection, useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useStoreZone } from '#src/sync/react/use-store-zone.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, buttonClasses } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { formatDate } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import type { Tone } from '#src/ui/tone.ts'
import { ImportDialog } from './components/import-dialog.tsx'
import { WithdrawnWords } from './components/withdrawn-words.tsx'
import { useOpticalSettings, useRxList } from './queries.ts'
import { useSameId } from './hooks/use-same-id.ts'
import { eyeWords, kindWords, notDone, shownValue, statusOn } from './words.ts'

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
  const [isImporting, setImporting] = useState(false)
  const { idOf, taken } = useSameId()

  async function take(rx: RxInput): Promise<string | null> {
    const written = { ...rx, id_patient: idPatient }
    const answer = await device.call(prescriptionEndpoints.addRx, { body: { ...written, id_rx: idOf(written) } }, { timeoutMs })
    if (!answer.ok) return notDone('NOT SAVED', answer.failure)
    taken()
    await navigate({ to: '/patient/$id_patient/rx/$id_rx', params: { id_patient: idPatient, id_rx: answer.value.id_rx } })
    return null
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
          <Link
            to="/patient/$id_patient/rx/new"
            params={{ id_patient: idPatient }}
            search={{ kind: 'spectacle' }}
            className={buttonClasses()}
          >
            <Plus size={18} aria-hidden /> New for glasses
          </Link>
          <Link
            to="/patient/$id_patient/rx/new"
            params={{ id_patient: idPatient }}
            search={{ kind: 'contact_lens' }}
            className={buttonClasses()}
          >
            <Plus size={18} aria-hidden /> New for contact lenses
          </Link>
          <Button icon={<Upload size={18} aria-hidden />} onClick={() => setImporting(true)}>
            Import (FHIR)
          </Button>
        </div>
      )}
      {isOffline ? (
        <Notice tone="warn" title="No connection" actions={<Button onClick={() => void reload()}>Try again</Button>}>
          This list may be out of date. You can start a prescription: this tablet keeps what you type until you can save it.
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
                  className="grid min-h-row gap-x-6 gap-y-2 rounded-lg border border-line bg-surface px-4 py-3 hover:bg-hover md:grid-cols-[12rem_minmax(0,1fr)_auto] md:items-center"
                >
                  <span>
                    <span className="block font-semibold">{kindWords[rx.rx_kind]}</span>
                    <span className="block figures text-sm text-ink-2">
                      {formatDate(rx.issue_date ?? rx.created_at, timeZone)}
                      {rx.expiry_date && `, expires ${formatDate(rx.expiry_date)}`}
                    </span>
                  </span>
                  <PowersInLine rx={rx} />
                  <span>
                    <Badge tone={toneOf(rx, today)}>{statusOn(today, rx)}</Badge>
                  </span>
                  {rx.withdrawn && (
                    <span className="text-sm text-ink-2 md:col-span-full">
                      <WithdrawnWords {...rx.withdrawn} />
                    </span>
                  )}
                </Link>
              </li>
            ))}
        </ul>
      )}
      {isImporting && <ImportDialog writing={settings} onTake={take} onClose={() => setImporting(false)} />}
    </div>
  )
}

const columns = ['sphere', 'cylinder', 'axis', 'add'] as const

/** The powers of both eyes, aligned in columns. */
function PowersInLine({ rx }: { rx: RxInput }) {
  return (
    <span className="grid w-fit grid-cols-[auto_repeat(4,4.25rem)] gap-x-3 figures">
      {eyes.map((eye) => {
        const values = columns.map((field) =>
          shownValue(field, rx[eye][field === 'sphere' && rx.rx_kind === 'contact_lens' ? 'power' : field]),
        )
        return (
          <span key={eye} className="contents">
            <span className="text-ink-2">{eye.toUpperCase()}</span>
            {values[0] === null ? (
              <span className="col-span-4">{eyeWords(rx, eye)}</span>
            ) : (
              values.map((value, at) => (
                <span key={columns[at]} className="text-right">
                  {value ?? (columns[at] === 'cylinder' ? 'SPH' : '')}
                </span>
              ))
            )}
          </span>
        )
      })}
    </span>
  )
}

function toneOf({ status, withdrawn, expiry_date }: Prescription, today: string): Tone {
  if (status === 'draft') return 'warn'
  if (withdrawn) return 'bad'
  return status === 'active' && (expiry_date === null || expiry_date >= today) ? 'good' : 'neutral'
}
