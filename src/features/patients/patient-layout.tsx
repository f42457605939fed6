import { Link } from '@tanstack/react-router'
import { CloudOff, TriangleAlert, UserRound } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { ageOn, patientName, type PatientRecord } from '#contract/patients.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { usePatientRecord } from './queries.ts'
import { rememberOpened } from './store.ts'
import { formatPhone } from './words.ts'

/** The parts of a patient’s page, in the order of its tabs. */
const parts = [{ to: '/patient/$id_patient', title: 'Details' }] as const

/** A patient’s page: who it is, and below the part of the record that was chosen. */
export function PatientLayout({ idPatient, children }: { idPatient: string; children: ReactNode }) {
  const { value: record, failure, reload } = usePatientRecord(idPatient)
  useEffect(() => rememberOpened(idPatient), [idPatient])
  if (!record) return failure ? <NotLoaded failure={failure} onRetry={() => void reload()} /> : <Skeleton lines={4} height="row" />
  return (
    <>
      <Banner record={record} />
      <nav aria-label="Parts of the record" className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {parts.map(({ to, title }) => (
          <Link
            key={to}
            to={to}
            params={{ id_patient: idPatient }}
            activeOptions={{ exact: to === '/patient/$id_patient' }}
            className="relative flex min-h-12 shrink-0 items-center border-b-2 border-transparent px-3 text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-brass aria-[current=page]:font-semibold aria-[current=page]:text-ink"
          >
            {title}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}

function Banner({ record }: { record: PatientRecord }) {
  const device = useDevice()
  const today = new Date(device.serverNow()).toISOString().slice(0, 10)
  const facts = [
    record.dob && `${record.dob} (${ageOn(record.dob, today)} years)`,
    record.gender,
    record.phone && formatPhone(record.phone),
    record.patient_no !== null && `#${record.patient_no}`,
  ]
  return (
    <PageHeader
      windowTitle="Patient"
      caption={record.store_name}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {patientName(record)}
          {record.inactive && <Badge tone="neutral">Inactive</Badge>}
          {record.priority !== 'normal' && <Badge tone="warn">{record.priority === 'vip' ? 'VIP' : 'Urgent'}</Badge>}
        </span>
      }
    >
      {facts.filter(Boolean).join(' · ')}
      {record.alerts && (
        <div className="mt-3">
          <Notice tone="warn" title="Alert">
            {record.alerts}
          </Notice>
        </div>
      )}
    </PageHeader>
  )
}

function NotLoaded({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const isUnreachable = failure.kind === 'unreachable'
  const isUnknown = failure.kind === 'refused' && failure.code === 'patient-unknown'
  return (
    <EmptyState
      icon={isUnreachable ? <CloudOff aria-hidden /> : isUnknown ? <UserRound aria-hidden /> : <TriangleAlert aria-hidden />}
      title={isUnreachable ? 'This needs a connection' : isUnknown ? 'There is no such patient' : 'The patient could not be opened'}
      action={<Button onClick={onRetry}>Try again</Button>}
    >
      {isUnreachable ? 'The server cannot be reached at the moment.' : failure.message}
    </EmptyState>
  )
}
