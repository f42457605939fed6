import { useCallback } from 'react'
import { type Patient, type PatientField, patientName } from '#contract/patients/patient.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import { pcpName } from '#contract/patients/pcp.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { formatDate } from '#src/ui/format.ts'
import { fieldWords } from '../model/field-words.ts'
import { usePcpCard } from '#src/domain/pcps/queries.ts'
import { usePatientChoices } from '../queries.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

/** The value of a field in words. Shows the names of people and stores that this tablet or the server knows. */
export function FieldValue(props: { field: PatientField; value: string | number | boolean | null }) {
  return (
    // Isolates the direction of the text, so that right-to-left text does not move its neighbors.
    <bdi>
      <Words {...props} />
    </bdi>
  )
}

function Words({ field, value }: Parameters<typeof FieldValue>[0]) {
  if (value !== null && value !== '') {
    if (field === 'pcp_id') return <ProviderName id={String(value)} />
    if (field === 'responsible_party_id') return <PersonName id={String(value)} />
    if (field === 'preferred_provider_id' || field === 'preferred_store_id') return <ChoiceName field={field} id={Number(value)} />
  }
  return fieldWords(field, value)
}

function ProviderName({ id }: { id: string }) {
  const { value, failure } = usePcpCard(id)
  if (value) return [pcpName(value), value.practice].filter(Boolean).join(', ')
  return failure ? 'a provider (name available online)' : 'Loading…'
}

function PersonName({ id }: { id: string }) {
  const device = useDevice()
  const { shelf, status } = usePatientShelf()
  const here = status === 'ready' ? (shelf?.get(id) ?? null) : null
  const isHere = here !== null
  const load = useCallback(async (): Promise<Outcome<Patient | null>> => {
    if (isHere) return { ok: true, value: null }
    return await device.call(patientEndpoints.readPatient, { params: { id }, query: { reason: 'compare an edit' } })
  }, [device, id, isHere])
  const { value, failure } = useLoaded(load)
  const person = here ?? value
  if (person) return [patientName(person), person.dob && formatDate(person.dob)].filter(Boolean).join(', ')
  return failure ? 'someone not on this tablet' : 'Loading…'
}

function ChoiceName({ field, id }: { field: 'preferred_provider_id' | 'preferred_store_id'; id: number }) {
  const { value } = usePatientChoices()
  const name =
    field === 'preferred_provider_id'
      ? value?.providers.find(({ id_user }) => id_user === id)?.name
      : value?.locations.find(({ store_id }) => store_id === id)?.store_name
  return name ?? `No. ${id}`
}
