import { Search } from 'lucide-react'
import { useState } from 'react'
import * as v from 'valibot'
import { type Insurance, type InsuranceHolder, insurancePriorities, relationships } from '#contract/insurance/insurance.ts'
import { patientName, type Patient } from '#contract/patients/patient.ts'
import type { Failure } from '#src/api/outcome.ts'
import { KeptForm } from '#src/domain/forms/kept-form.tsx'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { readAs } from '#src/sync/device/read-as.ts'
import { useTyped } from '#src/sync/react/use-typed.ts'
import { Button } from '#src/ui/button.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { attachHolder, changeHolder, failureWords, findPatients, type HolderForm } from '../actions.ts'
import { holderPlace } from '../queries.ts'
import { priorityNames, relationshipNames } from '../words.ts'

const shape = v.object({
  /** The text that the user searches for. */
  line: v.string(),
  chosen: v.nullable(v.object({ id: v.string(), name: v.string() })),
  relationship: v.picklist(relationships),
  priority: v.picklist([...insurancePriorities, '']),
})
type Typed = v.InferOutput<typeof shape>
const readTyped = readAs(shape)

/**
 * Covers one more patient with a policy, or changes a holder. The device keeps the typed fields until they are saved.
 */
export function HolderDialog({
  policy,
  holder,
  onClose,
  onSaved,
}: {
  policy: Insurance
  /** Null for a new holder. */
  holder: InsuranceHolder | null
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const draft = useTyped(holderPlace(policy, holder?.id_patient ?? null), typedOf(holder), readTyped)
  const chosen = draft.typed?.chosen ?? null

  async function save({ chosen, relationship, priority }: Typed) {
    if (!chosen) return {}
    const body: HolderForm = { id_patient: chosen.id, relationship, priority: priority === '' ? null : priority }
    const refused = await (holder ? changeHolder(device, policy, body) : attachHolder(device, policy, body))
    if (!refused) return null
    const atPriority = refused.kind === 'refused' ? refused.fields.find(({ path }) => path === 'body.priority')?.message : undefined
    return atPriority === undefined ? { title: 'NOT SAVED', text: failureWords(refused) } : { fields: { priority: atPriority } }
  }

  return (
    <KeptForm
      draft={draft}
      title={holder ? 'Edit covered person' : 'Add a person'}
      description={chosen && <bdi>{chosen.name}</bdi>}
      cancel="Cancel"
      save="Save"
      disabled={!chosen}
      send={save}
      onDone={onSaved}
      onClose={onClose}
    >
      {({ typed, problems, change }) => (
        <>
          {!holder && <PatientPicker policy={policy} typed={typed} onChange={change} />}
          <div className="grid gap-3 sm:grid-cols-2">
            <SelectField
              label="Relationship to the subscriber"
              options={relationships.map((value) => ({ value, label: relationshipNames[value] }))}
              value={typed.relationship}
              onChange={(relationship) => change({ relationship })}
            />
            <SelectField
              label="Priority for this patient"
              options={[{ value: '', label: 'None' }, ...insurancePriorities.map((value) => ({ value, label: priorityNames[value] }))]}
              value={typed.priority}
              onChange={(priority) => change({ priority })}
              error={problems['priority']}
            />
          </div>
        </>
      )}
    </KeptForm>
  )
}

function typedOf(holder: InsuranceHolder | null): Typed {
  if (holder === null) return { line: '', chosen: null, relationship: 'child', priority: 'primary' }
  const { id_patient: id, name, relationship, priority } = holder
  return { line: '', chosen: { id, name: name ?? '' }, relationship, priority: priority ?? '' }
}

function PatientPicker({
  policy,
  typed: { line, chosen },
  onChange,
}: {
  policy: Insurance
  typed: Typed
  onChange: (changes: Pick<Typed, 'line'> | Pick<Typed, 'chosen'>) => void
}) {
  const device = useDevice()
  const [found, setFound] = useState<Patient[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const present = new Set(policy.holders.map(({ id_patient }) => id_patient))

  async function search() {
    if (line.trim() === '' || isBusy) return
    setBusy(true)
    const answer = await findPatients(device, line)
    setBusy(false)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) setFound(answer.value.filter(({ id }) => !present.has(id)))
  }

  return (
    <div className="flex flex-col gap-3">
      {/* Not a form of its own, because it is inside the form that saves the holder. */}
      <div role="search" className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Patient"
            placeholder="Name, date of birth or phone"
            autoComplete="off"
            maxLength={200}
            value={line}
            onChange={(text) => onChange({ line: text })}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              void search()
            }}
          />
        </div>
        <Button busy={isBusy} icon={<Search size={18} aria-hidden />} onClick={() => void search()}>
          Find
        </Button>
      </div>
      {failure && <Notice tone="warn">{failureWords(failure)}</Notice>}
      {found?.length === 0 && <p className="text-ink-2">No other patients found.</p>}
      {found && found.length > 0 && (
        <ul aria-label="Patients found" className="max-h-64 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {found.map((patient) => (
            <li key={patient.id}>
              <button
                type="button"
                aria-pressed={chosen?.id === patient.id}
                onClick={() => onChange({ chosen: { id: patient.id, name: patientName(patient) } })}
                className="min-h-row w-full px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-soft"
              >
                <span className="block font-medium">
                  <bdi>{patientName(patient)}</bdi>
                </span>
                <span className="text-sm text-ink-2">
                  {[patient.dob ? formatDate(patient.dob) : 'no date of birth', patient.city].join(' · ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
