import type { ReactNode } from 'react'
import type { PatientRecord } from '#contract/patients.ts'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { usePatientRecord } from './queries.ts'
import { formatPhone } from './words.ts'

/** What is written down of a patient. */
export function PatientDetails({ idPatient }: { idPatient: string }) {
  const { value: record } = usePatientRecord(idPatient)
  if (!record) return <Skeleton lines={6} height="row" />
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {groupsOf(record).map(({ title, lines }) => (
        <section key={title} aria-label={title} className="rounded-lg border border-line bg-surface p-4">
          <h2 className="mb-2 font-semibold">{title}</h2>
          <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-4 gap-y-1.5">
            {lines.map(([term, text]) => (
              <div key={term} className="contents">
                <dt className="text-ink-2">{term}</dt>
                <dd className="min-w-0 break-words whitespace-pre-line">{text ?? <span className="text-ink-3">not known</span>}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

const phoneOf = (digits: string | null) => digits && formatPhone(digits)

type Line = [term: string, text: ReactNode]

function groupsOf(record: PatientRecord): { title: string; lines: Line[] }[] {
  const town = [record.city, `${record.state} ${record.zip_code}`].filter(Boolean).join(', ')
  return [
    {
      title: 'Contact',
      lines: [
        ['Address', [record.street_address, record.address_line_2, town].filter(Boolean).join('\n')],
        ['Cell', phoneOf(record.phone)],
        ['Home phone', phoneOf(record.phone_home)],
        ['Work phone', phoneOf(record.cell_work)],
        ['Email', record.email],
      ],
    },
    {
      title: 'Person',
      lines: [
        ['Legal gender', record.gender],
        ['Assigned sex', record.assigned_sex],
        ['Pronoun', record.pronoun],
        ['SSN', record.ssn],
      ],
    },
    {
      title: 'Health',
      lines: [
        ['Last exam', record.last_exam_date],
        ['Recall', record.recall_due_date],
        ['Allergies', record.allergies],
        ['Medications', record.medications],
        ['Eye history', record.ocular_history],
      ],
    },
  ]
}
