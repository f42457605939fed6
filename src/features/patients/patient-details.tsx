import { formatPhone } from '#contract/patient.ts'
import type { ReactNode } from 'react'
import type { Patient } from '#contract/patient.ts'
import { SsnValue } from './components/ssn-value.tsx'
import { useOpenedPatient } from './opened-patient.tsx'
import { PcpValue } from './pcps/pcp-value.tsx'

/** What is written down of a patient. */
export function PatientDetails() {
  const { patient, record, failure } = useOpenedPatient()
  const ssn = record ? (
    <SsnValue idPatient={patient.id} masked={record.ssn} />
  ) : (
    <span className="text-ink-3">{failure ? 'shown with a connection' : 'asking…'}</span>
  )
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {groupsOf(patient, ssn).map(({ title, lines }) => (
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

function groupsOf(patient: Patient, ssn: ReactNode): { title: string; lines: Line[] }[] {
  const town = [patient.city, `${patient.state} ${patient.zip_code}`].filter(Boolean).join(', ')
  return [
    {
      title: 'Contact',
      lines: [
        ['Address', [patient.street_address, patient.address_line_2, town].filter(Boolean).join('\n')],
        ['Cell', phoneOf(patient.phone)],
        ['Home phone', phoneOf(patient.phone_home)],
        ['Work phone', phoneOf(patient.cell_work)],
        ['Email', patient.email],
      ],
    },
    {
      title: 'Person',
      lines: [
        ['Legal gender', patient.gender],
        ['Assigned sex', patient.assigned_sex],
        ['Pronoun', patient.pronoun],
        ['SSN', ssn],
      ],
    },
    {
      title: 'Health',
      lines: [
        ['Last exam', patient.last_exam_date],
        ['Recall', patient.recall_due_date],
        ['Allergies', patient.allergies],
        ['Primary care provider', patient.pcp_id && <PcpValue key="pcp" id={patient.pcp_id} />],
        ['Medications', patient.medications],
        ['Eye history', patient.ocular_history],
      ],
    },
  ]
}
