import type { Ref } from 'react'
import { ageOn, patientName, formatPhone } from '#contract/patients/patient.ts'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import type { LikelyPatient } from '../model/duplicates.ts'

const shownAtOnce = 4
const reasons = { both: 'Same name, date of birth and phone number', name: 'Same name and date of birth', phone: 'Same phone number' }

/** The known patients who may be the new one. The user opens one, or says that they are different people. */
export function LikelyPatients({
  likely,
  today,
  onOpen,
  onOther,
  ref,
}: {
  likely: readonly LikelyPatient[]
  today: string
  onOpen: (id: string) => void
  onOther: (ids: readonly string[]) => void
  ref?: Ref<HTMLDivElement>
}) {
  if (likely.length === 0) return null
  const more = likely.length - shownAtOnce
  return (
    <div ref={ref} tabIndex={-1} className="focus:outline-none">
      <Notice tone="warn" title={likely.length === 1 ? 'Possible duplicate' : 'Possible duplicates'}>
        <ul aria-label="Possible duplicate patients" className="mt-1 flex flex-col gap-3">
          {likely.slice(0, shownAtOnce).map(({ patient, why }) => (
            <li key={patient.id} className="flex flex-wrap items-center gap-x-4 gap-y-2">
              <span className="min-w-52 flex-1">
                <strong className="font-semibold break-words">
                  <bdi>{patientName(patient)}</bdi>
                </strong>
                <span className="block text-sm text-ink-2">
                  {[
                    patient.dob ? `${patient.dob}, ${ageOn(patient.dob, today)} years` : 'no date of birth',
                    patient.phone ? formatPhone(patient.phone) : 'no phone number',
                    patient.store_name,
                    patient.inactive && 'inactive',
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                <span className="block text-sm">{reasons[why]}</span>
              </span>
              <span className="flex flex-wrap gap-2">
                <Button onClick={() => onOpen(patient.id)}>Open this patient</Button>
                <Button onClick={() => onOther([patient.id])}>Not the same person</Button>
              </span>
            </li>
          ))}
        </ul>
        {more > 0 && (
          <p className="mt-3 flex flex-wrap items-center gap-3">
            And {formatNumberOf(more, 'other')}.
            <Button onClick={() => onOther(likely.map(({ patient }) => patient.id))}>None of these</Button>
          </p>
        )}
      </Notice>
    </div>
  )
}
