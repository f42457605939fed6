import type { ReactNode } from 'react'
import type { Patient } from '#contract/patients/patient.ts'
import { FactList } from '#src/ui/facts.tsx'
import { formatDate } from '#src/ui/format.ts'
import { NewPatientNotice } from './components/new-patient-notice.tsx'
import { SsnValue } from './components/ssn-value.tsx'
import { contactWords, fieldLabels } from './model/field-words.ts'
import { useOpenedPatient } from './components/opened-patient.tsx'
import { PhoneLink } from '#src/domain/phone/phone-link.tsx'
import { PcpLetters } from '#src/domain/pcps/pcp-letters.tsx'
import { PcpValue } from '#src/domain/pcps/pcp-value.tsx'
import { usePatientChoices } from './queries.ts'
import { ResponsibleValue } from './components/responsible-person.tsx'

/** The patient's details. */
export function PatientDetails() {
  const { patient, record, failure } = useOpenedPatient()
  const choices = usePatientChoices().value
  const provider = choices?.providers.find(({ id_user }) => id_user === patient.preferred_provider_id)?.name
  const location = choices?.locations.find(({ store_id }) => store_id === patient.preferred_store_id)?.store_name
  const ssn = record ? (
    <SsnValue idPatient={patient.id} masked={record.ssn} />
  ) : (
    <span className="text-ink-3">{failure ? 'available online' : 'Loading…'}</span>
  )
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {record?.is_new && <NewPatientNotice idPatient={patient.id} />}
      {groupsOf(patient, ssn, { provider, location }).map(({ title, lines }) => (
        <DetailGroup key={title} title={title} lines={lines} />
      ))}
      {/* The server does not know a patient who is not sent yet. */}
      {patient.patient_no !== null && <PcpLetters idPatient={patient.id} idPcp={patient.pcp_id} />}
    </div>
  )
}

/** The facts on file. The others are named in one line, so that they do not fill the page. */
function DetailGroup({ title, lines }: { title: string; lines: readonly Line[] }) {
  const missing = lines.flatMap(([term, text]) => (text ? [] : [term]))
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface p-4">
      <h2 className="mb-2 font-semibold">{title}</h2>
      <FactList facts={lines} />
      {missing.length > 0 && <p className="mt-2 text-sm text-ink-3">Not on file: {missing.join(', ')}</p>}
    </section>
  )
}

const phoneOf = (digits: string | null) => digits && <PhoneLink digits={digits} />

type Line = [term: string, text: ReactNode]

/** Returns the name. Without a connection it may be missing, and the number stands in. */
const nameOr = (name: string | undefined, id: number | null) => (id === null ? null : (name ?? `No. ${id}`))
const yesNo = (is: boolean) => (is ? 'Yes' : 'No')

function groupsOf(
  patient: Patient,
  ssn: ReactNode,
  preferred: { provider: string | undefined; location: string | undefined },
): { title: string; lines: Line[] }[] {
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
      title: 'At the clinic',
      lines: [
        [
          fieldLabels.preferred_contact,
          patient.preferred_contact && (contactWords[patient.preferred_contact as keyof typeof contactWords] ?? patient.preferred_contact),
        ],
        [fieldLabels.preferred_provider_id, nameOr(preferred.provider, patient.preferred_provider_id)],
        [fieldLabels.preferred_store_id, nameOr(preferred.location, patient.preferred_store_id)],
        [fieldLabels.mailing_list, yesNo(patient.mailing_list)],
        [fieldLabels.survey, yesNo(patient.survey)],
        [fieldLabels.hipaa_ack_at, patient.hipaa_ack_at && formatDate(patient.hipaa_ack_at)],
        [
          fieldLabels.responsible_party_id,
          patient.responsible_party_id && <ResponsibleValue key="responsible" id={patient.responsible_party_id} />,
        ],
        [fieldLabels.pcp_id, patient.pcp_id && <PcpValue key="pcp" id={patient.pcp_id} />],
      ],
    },
    {
      title: 'Health',
      lines: [
        ['Last exam', patient.last_exam_date && formatDate(patient.last_exam_date)],
        [
          'Recall',
          [patient.recall_due_date && formatDate(patient.recall_due_date), patient.recall_reason].filter(Boolean).join(', ') || null,
        ],
        ['Allergies', patient.allergies],
        ['Medications', patient.medications],
        ['Eye history', patient.ocular_history],
      ],
    },
  ]
}
