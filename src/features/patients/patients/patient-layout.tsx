import { Link } from '@tanstack/react-router'
import { CloudOff, CloudUpload, TriangleAlert, UserRound } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { bornWords } from '#contract/patients/born-words.ts'
import { patientName, formatPhone } from '#contract/patients/patient.ts'
import type { Permission } from '#contract/core/roles.ts'
import type { ShelvedPatient } from '#src/sync/device/device.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { Badge } from '#src/ui/badge.tsx'
import { formatDate } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { PageHeader } from '#src/ui/page-header.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { EditPatientButton } from './components/edit-patient-button.tsx'
import { NameAlert } from './components/name-alert.tsx'
import { UnsentNotice } from './components/unsent-notice.tsx'
import { OpenedPatientProvider, useOpening } from './components/opened-patient.tsx'
import { rememberOpened } from './store.ts'
import { specialPriority } from './model/priority-words.ts'

/** The tabs of a patient's page, in their order. */
const parts: readonly {
  to: `/patient/$id_patient${'' | '/rx' | '/insurance' | '/file' | '/messages' | '/invoices' | '/appointments' | '/history'}`
  title: string
  needs?: Permission
}[] = [
  { to: '/patient/$id_patient', title: 'Details' },
  { to: '/patient/$id_patient/rx', title: 'Rx' },
  { to: '/patient/$id_patient/insurance', title: 'Insurance' },
  { to: '/patient/$id_patient/file', title: 'Files', needs: 'file.read' },
  { to: '/patient/$id_patient/messages', title: 'Messages', needs: 'message.read' },
  { to: '/patient/$id_patient/invoices', title: 'Invoices', needs: 'invoice.read' },
  { to: '/patient/$id_patient/appointments', title: 'Appointments', needs: 'appointment.read' },
  { to: '/patient/$id_patient/history', title: 'Access log', needs: 'patient.audit' },
]

type PatientLayoutProps = {
  idPatient: string
  /** Facts from other features in the header of the page: pairs of `dt` and `dd`. */
  facts?: ReactNode
  children: ReactNode
}

/** A patient's page: name and facts at the top, the chosen tab below. */
export function PatientLayout({ idPatient, facts, children }: PatientLayoutProps) {
  const { patient, viewProblem, ...told } = useOpening(idPatient)
  const { record, failure, reload } = told
  const permissions = useSession((session) => session.home?.permissions)
  useEffect(() => rememberOpened(idPatient), [idPatient])
  if (!patient) {
    if (!failure) return <Skeleton lines={4} height="row" />
    // The server answers `request-invalid` when the address is cut off. That is an unknown patient too.
    const isUnknown = failure.kind === 'refused' && (failure.code === 'patient-unknown' || failure.code === 'request-invalid')
    const message = 'Check the link, or search for the patient on the home page.'
    return (
      <NotLoaded
        failure={isUnknown ? { ...failure, message } : failure}
        {...(isUnknown ? { title: 'Patient not found', icon: <UserRound aria-hidden /> } : { title: 'Couldn’t open the patient' })}
        offline="You’re offline, and this patient isn’t on this tablet. The tablet has only the current store’s patients."
        onRetry={() => void reload()}
      />
    )
  }
  return (
    <OpenedPatientProvider opened={{ patient, ...told }}>
      <Banner
        patient={patient}
        storeName={record?.store_name}
        isFromDevice={!record && failure !== null}
        facts={facts}
        onChanged={() => void reload()}
      />
      <UnsentNotice idPatient={idPatient} />
      <NameAlert patient={patient} />
      {viewProblem !== null && (
        <div className="mb-4">
          <Notice tone="bad" title="Couldn’t log that this record was opened">
            {viewProblem}
          </Notice>
        </div>
      )}
      <nav ref={bringIntoView} aria-label="Parts of the record" className="mb-4 flex gap-1 overflow-x-auto border-b border-line">
        {parts.map(
          ({ to, title, needs }) =>
            (!needs || permissions?.includes(needs)) && (
              <Link
                key={to}
                to={to}
                params={{ id_patient: idPatient }}
                activeOptions={{ exact: to === '/patient/$id_patient' }}
                className="relative flex min-h-row min-w-target shrink-0 items-center justify-center border-b-2 border-transparent px-3 text-ink-2 hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-brass aria-[current=page]:font-semibold aria-[current=page]:text-ink"
              >
                {title}
              </Link>
            ),
        )}
      </nav>
      {children}
    </OpenedPatientProvider>
  )
}

/** A phone does not show all tabs at once. Scrolls to the current one. */
function bringIntoView(parts: HTMLElement | null) {
  const current = parts?.querySelector<HTMLElement>('[aria-current=page]')
  if (parts && current) parts.scrollLeft = current.offsetLeft + current.offsetWidth - parts.clientWidth
}

type BannerProps = {
  patient: ShelvedPatient
  storeName: string | undefined
  /** The patient comes from this device, because the server did not answer. */
  isFromDevice: boolean
  facts: ReactNode
  onChanged: () => void
}

function Banner({ patient, storeName, isFromDevice, facts: moreFacts, onChanged }: BannerProps) {
  const home = useSession((session) => session.home)
  const today = useToday()
  const facts = [
    patient.dob && bornWords(patient.dob, today),
    patient.gender,
    patient.phone && formatPhone(patient.phone),
    patient.patient_no === null ? 'No number yet' : `#${patient.patient_no}`,
  ]
  const recall = patient.recall_due_date
  const priority = specialPriority(patient)
  return (
    <>
      <PageHeader
        windowTitle="Patient"
        caption={storeName ?? home?.locations.find((store) => store.store_id === patient.store_id)?.store_name}
        actions={<EditPatientButton patient={patient} onSaved={onChanged} />}
        title={
          <span className="flex flex-wrap items-center gap-2">
            {/* Isolates the direction of the name, so that it does not move its neighbors. */}
            <bdi className="min-w-0 wrap-anywhere">{patientName(patient)}</bdi>
            {patient.inactive && <Badge tone="neutral">Inactive</Badge>}
            {priority && <Badge tone="warn">{priority}</Badge>}
            {patient.unsent === 'waiting' && (
              <Badge tone="neutral" icon={<CloudUpload aria-hidden />}>
                Not sent yet
              </Badge>
            )}
            {patient.unsent === 'attention' && (
              <Badge tone="bad" icon={<TriangleAlert aria-hidden />}>
                Needs attention
              </Badge>
            )}
            {isFromDevice && (
              <Badge tone="neutral" icon={<CloudOff aria-hidden />}>
                From this tablet
              </Badge>
            )}
          </span>
        }
      >
        {/* Keeps a fact on one line, so that lines break only between facts. */}
        {facts.flatMap((fact) => (fact ? [fact.replaceAll(' ', '\u00a0')] : [])).join(' · ')}
      </PageHeader>
      <dl className="-mt-1 mb-4 flex flex-wrap gap-x-8 gap-y-2">
        <Fact term="Last exam">{patient.last_exam_date ? formatDate(patient.last_exam_date) : 'None on file'}</Fact>
        <Fact term="Recall">
          {recall === null ? 'None' : `${recall < today ? 'Overdue since' : 'Due'} ${formatDate(recall)}`}
          {recall !== null && patient.recall_reason && `, ${patient.recall_reason}`}
        </Fact>
        {moreFacts}
      </dl>
      {patient.alerts && (
        <div className="mb-4">
          <Notice tone="warn" title="Alert">
            {patient.alerts}
          </Notice>
        </div>
      )}
    </>
  )
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-ink-2">{term}</dt>
      <dd className="font-medium text-ink">{children}</dd>
    </div>
  )
}
