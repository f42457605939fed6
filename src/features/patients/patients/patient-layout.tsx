import { Link } from '@tanstack/react-router'
import { UserRound } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import type { Permission } from '#contract/core/roles.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { NameAlert } from './components/name-alert.tsx'
import { PatientBanner } from './components/patient-banner.tsx'
import { UnsentNotice } from './components/unsent-notice.tsx'
import { OpenedPatientProvider, useOpening } from './components/opened-patient.tsx'
import { rememberOpened } from './store.ts'

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
      <PatientBanner
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
      <nav ref={bringIntoView} aria-label="Parts of the record" className="mb-4 flex gap-1 overflow-x-auto hints-more border-b border-line">
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
