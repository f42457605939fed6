import { type Ref, useId, useState } from 'react'
import { bornWords } from '#contract/patients/born-words.ts'
import { patientName, formatPhone } from '#contract/patients/patient.ts'
import { Button } from '#src/ui/button.tsx'
import { formatNumberOf } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { isStrong, type LikelyPatient } from '../model/duplicates.ts'

const shownAtOnce = 4
const reasons = { both: 'Same name, date of birth and phone number', name: 'Same name and date of birth' }

/**
 * The known patients who may be the new one. The user opens those with the same name and birth date, or says that they
 * are different people. A shared phone number alone is a family's: one line, which asks nothing.
 */
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
  const alike = likely.filter(isStrong)
  const sharing = likely.filter((one) => !isStrong(one))
  return (
    <>
      {alike.length > 0 && <Alike ref={ref} likely={alike} today={today} onOpen={onOpen} onOther={onOther} />}
      {sharing.length > 0 && <SharedPhone likely={sharing} today={today} onOpen={onOpen} />}
    </>
  )
}

type Strong = LikelyPatient & { why: keyof typeof reasons }

function Alike({
  likely,
  today,
  onOpen,
  onOther,
  ref,
}: {
  likely: readonly Strong[]
  today: string
  onOpen: (id: string) => void
  onOther: (ids: readonly string[]) => void
  ref?: Ref<HTMLDivElement> | undefined
}) {
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
                <span className="block text-sm text-ink-2">{factsOf(patient, today)}</span>
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

function SharedPhone({ likely, today, onOpen }: { likely: readonly LikelyPatient[]; today: string; onOpen: (id: string) => void }) {
  const [isOpen, setOpen] = useState(false)
  const list = useId()
  return (
    <div className="text-sm text-ink-2">
      <p className="flex flex-wrap items-center gap-x-3">
        {likely.length === 1 ? '1 patient shares this phone number' : `${formatNumberOf(likely.length, 'patient')} share this phone number`}
        <Button variant="quiet" aria-expanded={isOpen} aria-controls={list} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </p>
      <ul id={list} hidden={!isOpen} aria-label="Patients with this phone number" className="max-h-60 overflow-y-auto">
        {likely.map(({ patient }) => (
          <li key={patient.id} className="flex flex-wrap items-center justify-between gap-x-4">
            <span>
              <bdi className="font-semibold text-ink">{patientName(patient)}</bdi> · {factsOf(patient, today)}
            </span>
            <Button variant="quiet" onClick={() => onOpen(patient.id)}>
              Open this patient
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function factsOf(patient: LikelyPatient['patient'], today: string): string {
  return [
    patient.dob ? bornWords(patient.dob, today) : 'no date of birth',
    patient.phone ? formatPhone(patient.phone) : 'no phone number',
    patient.store_name,
    patient.inactive && 'inactive',
  ]
    .filter(Boolean)
    .join(' · ')
}
