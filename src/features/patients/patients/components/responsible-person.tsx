import { Combobox, ComboboxInput, ComboboxOption, ComboboxOptions } from '@headlessui/react'
import { Link } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useCallback, useDeferredValue, useState } from 'react'
import { formatPhone, type Patient, patientName } from '#contract/patients/patient.ts'
import { readLine } from '#contract/patients/patient-search.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import type { Outcome } from '#src/api/outcome.ts'
import { useConnection, useDevice } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDate } from '#src/ui/format.ts'
import { controlClasses, Field } from '#src/ui/forms/field.tsx'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

const shownAtOnce = 8
const timeoutMs = 15_000

type Props = {
  label: string
  hint: string
  /** The patient who is registered or edited. They cannot be their own responsible person. */
  idPatient: string
  value: string
  onChange: (id: string) => void
  error?: string | undefined
}

/** Picks the patient who answers and pays for another one, like the parent of a child. */
export function ResponsiblePicker({ label, hint, idPatient, value, onChange, error }: Props) {
  const { shelf } = usePatientShelf()
  const [line, setLine] = useState('')
  /** A choice from the server's answer. This tablet may not have that patient. */
  const [picked, setPicked] = useState<Patient | null>(null)
  const card = value === '' ? null : (shelf?.get(value) ?? (picked?.id === value ? picked : null))

  function choose(person: Patient | null) {
    setPicked(person)
    onChange(person?.id ?? '')
    setLine('')
  }

  return (
    <div className="col-span-full flex flex-col gap-2">
      <Field label={label} error={error} hint={hint}>
        {({ id, describedBy, invalid }) => (
          <Combobox<Patient | null> value={card} by="id" onChange={(chosen) => chosen && choose(chosen)}>
            <div className="relative">
              <ComboboxInput
                id={id}
                aria-describedby={describedBy}
                aria-invalid={invalid}
                autoComplete="off"
                spellCheck={false}
                maxLength={200}
                placeholder={value === '' ? 'Name, birth date or phone' : 'Choose another'}
                className={controlClasses}
                displayValue={() => line}
                onChange={(event) => setLine(event.target.value)}
              />
              {line.trim() !== '' && <Choices line={line.trim()} except={idPatient} />}
            </div>
          </Combobox>
        )}
      </Field>
      {value !== '' && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 break-words">{card ? <PersonLine person={card} /> : elsewhere}</p>
          <Button variant="quiet" icon={<X size={18} aria-hidden />} onClick={() => choose(null)}>
            No one
          </Button>
        </div>
      )}
    </div>
  )
}

const elsewhere = <span className="text-ink-2">Someone not on this tablet</span>

/** Shows the tablet's patients at once, then adds the server's. */
function Choices({ line, except }: { line: string; except: string }) {
  const device = useDevice()
  const isOffline = useConnection((connection) => connection.online) === false
  const { shelf, status } = usePatientShelf()
  const shown = useDeferredValue(line)
  const load = useCallback(async (): Promise<Outcome<Patient[]>> => {
    if (isOffline) return { ok: true, value: [] }
    const answer = await device.call(patientEndpoints.searchPatients, { query: { query: shown } }, { timeoutMs })
    return answer.ok ? { ok: true, value: answer.value.patients } : answer
  }, [device, isOffline, shown])
  const { value: told, failure } = useLoaded(load)
  const here: Patient[] = shelf && status === 'ready' ? shelf.search(readLine(line), shownAtOnce + 1) : []
  const known = new Set([except, ...here.map(({ id }) => id)])
  const people = [...here.filter(({ id }) => id !== except), ...(told ?? []).filter(({ id }) => !known.has(id))].slice(0, shownAtOnce)
  return (
    <ComboboxOptions
      modal={false}
      className="absolute inset-x-0 top-full z-10 mt-1 max-h-60 overflow-y-auto rounded-md border border-line bg-raised py-1 shadow-raised"
    >
      {people.map((person) => (
        <ComboboxOption
          key={person.id}
          value={person}
          className="flex min-h-row cursor-pointer flex-col justify-center px-3 py-1.5 data-focus:bg-hover"
        >
          <PersonLine person={person} />
        </ComboboxOption>
      ))}
      {people.length === 0 && (
        <p className="px-3 py-3 text-ink-2">
          {told ? 'No matching patient on file' : failure ? 'No match on this tablet, and the server can’t be reached' : 'Loading…'}
        </p>
      )}
    </ComboboxOptions>
  )
}

function PersonLine({ person }: { person: Patient }) {
  return (
    <>
      <bdi className="font-medium wrap-anywhere">{patientName(person)}</bdi>{' '}
      <span className="text-sm wrap-anywhere text-ink-2">
        {[person.dob && formatDate(person.dob), person.phone && formatPhone(person.phone), person.city].filter(Boolean).join(' · ')}
      </span>
    </>
  )
}

/** The responsible person on the patient's page, with phone number and link. */
export function ResponsibleValue({ id }: { id: string }) {
  const { shelf } = usePatientShelf()
  const person = shelf?.get(id) ?? null
  return (
    <Link to="/patient/$id_patient" params={{ id_patient: id }} className="inline-flex min-h-row items-center underline">
      {person ? (
        <span>
          <bdi>{patientName(person)}</bdi>
          {person.phone && `, ${formatPhone(person.phone)}`}
        </span>
      ) : (
        elsewhere
      )}
    </Link>
  )
}
