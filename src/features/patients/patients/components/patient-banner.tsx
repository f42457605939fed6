import { CloudOff, TriangleAlert } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { bornWords } from '#contract/patients/born-words.ts'
import { patientName } from '#contract/patients/patient.ts'
import { PhoneLink } from '#src/domain/phone/phone-link.tsx'
import type { ShelvedPatient } from '#src/sync/device/device.ts'
import { useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Fact, FactLine } from '#src/ui/facts.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { specialPriority } from '../model/priority-words.ts'
import { EditPatientButton } from './edit-patient-button.tsx'
import { PatientBadges } from './patient-badges.tsx'

export type PatientBannerProps = {
  patient: ShelvedPatient
  storeName: string | undefined
  /** The patient comes from this device, because the server did not answer. */
  isFromDevice: boolean
  /** Facts from other features: `Fact` elements. */
  facts: ReactNode
  onChanged: () => void
}

/** Who this is, in one line that stays while the page scrolls. The line of facts below it scrolls away. */
export function PatientBanner({ patient, storeName, isFromDevice, facts, onChanged }: PatientBannerProps) {
  const home = useSession((session) => session.home)
  const today = useToday()
  const isElsewhere = patient.store_id !== home?.store_id
  const store = storeName ?? home?.locations.find((location) => location.store_id === patient.store_id)?.store_name
  const recall = patient.recall_due_date
  useEffect(() => {
    document.title = 'Patient · Lorgnette'
  }, [])
  return (
    <>
      <header
        data-banner=""
        className="sticky top-[calc(var(--header-height)+var(--notice-height))] z-10 -mx-3 -mt-4 flex min-h-target items-center gap-3 border-b border-line bg-paper px-3 py-1 sm:-mx-5 sm:px-5 lg:-mx-7 lg:px-7"
      >
        <div className="flex min-w-0 flex-1 gap-x-4 max-md:flex-col md:items-center">
          <h1 className="flex min-w-0 items-center gap-2 text-lg leading-tight font-semibold">
            {/* Isolates the direction of the name, so that it does not move its neighbors. */}
            <bdi className="line-clamp-2 min-w-0 wrap-anywhere">{patientName(patient)}</bdi>
            <States patient={patient} isFromDevice={isFromDevice} />
          </h1>
          <p className="flex min-w-0 flex-wrap items-center gap-x-3 text-ink-2 max-md:text-sm">
            {patient.dob && <span className="figures whitespace-nowrap">{bornWords(patient.dob, today)}</span>}
            <span className="max-md:hidden">{patient.gender}</span>
            <span className="figures whitespace-nowrap">{patient.patient_no === null ? 'No number yet' : `#${patient.patient_no}`}</span>
            {patient.phone && (
              <span className="max-md:hidden">
                <PhoneLink digits={patient.phone} />
              </span>
            )}
          </p>
        </div>
        <EditPatientButton patient={patient} onSaved={onChanged} />
      </header>
      <div className="mb-1">
        <FactLine>
          {patient.phone && (
            <Fact term="Cell" phoneOnly>
              <PhoneLink digits={patient.phone} />
            </Fact>
          )}
          {isElsewhere && store && <Fact term="Store">{store}</Fact>}
          <Fact term="Last exam">{patient.last_exam_date ? formatDate(patient.last_exam_date) : 'None on file'}</Fact>
          <Fact term="Recall">
            {recall === null ? 'None' : `${recall < today ? 'Overdue since' : 'Due'} ${formatDate(recall)}`}
            {recall !== null && patient.recall_reason && `, ${patient.recall_reason}`}
          </Fact>
          {facts}
        </FactLine>
      </div>
      {patient.alerts && (
        <div className="mb-3">
          <Notice tone="warn" title="Alert">
            {patient.alerts}
          </Notice>
        </div>
      )}
    </>
  )
}

function States({ patient, isFromDevice }: { patient: ShelvedPatient; isFromDevice: boolean }) {
  return (
    <>
      <PatientBadges inactive={patient.inactive} priority={specialPriority(patient)} unsent={patient.unsent} />
      {patient.alerts && (
        <Badge tone="warn" icon={<TriangleAlert aria-hidden />}>
          Alert
        </Badge>
      )}
      {isFromDevice && (
        <Badge tone="neutral" icon={<CloudOff aria-hidden />}>
          From this tablet
        </Badge>
      )}
    </>
  )
}
