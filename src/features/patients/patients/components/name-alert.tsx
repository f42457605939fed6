import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { bornWords } from '#contract/patients/born-words.ts'
import { type Patient, patientName } from '#contract/patients/patient.ts'
import { useToday } from '#src/sync/react/use-today.ts'
import { Notice } from '#src/ui/notice.tsx'
import { likelyHere } from '../model/duplicates.ts'
import { formOf } from '../form.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

/**
 * Shows the name alert: another record on this device has the same name and birth date.
 * They may be two people, or one who was registered on two offline tablets. Shows nothing without such a record.
 */
export function NameAlert({ patient }: { patient: Patient }) {
  const { shelf, turn } = usePatientShelf()
  const today = useToday()
  const alike = useMemo(
    () => (shelf ? likelyHere(shelf, formOf(patient)).filter(({ patient: other, why }) => other.id !== patient.id && why !== 'phone') : []),
    // The shelf stays the same object when its patients change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [shelf, turn, patient],
  )
  if (alike.length === 0) return null
  return (
    <div className="mb-4">
      <Notice tone="warn" title="Name alert: another record has the same name and date of birth">
        <p>Make sure you have the right patient. This may also be one person registered twice.</p>
        <ul aria-label="Similar records">
          {alike.map(({ patient: other }) => (
            <li key={other.id}>
              <Link
                to="/patient/$id_patient"
                params={{ id_patient: other.id }}
                className="inline-flex min-h-target flex-wrap items-center gap-x-2 text-ink underline underline-offset-2"
              >
                <bdi>{patientName(other)}</bdi>
                <span>
                  {[
                    other.patient_no === null ? 'no number yet' : `#${other.patient_no}`,
                    other.dob && bornWords(other.dob, today),
                    other.city,
                    other.inactive && 'inactive',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}
