import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { type Insurance, type InsuranceHolder, insurancePriorities, type InsurancePriority, relationships } from '#contract/insurance.ts'
import { patientName, type Patient } from '#contract/patient.ts'
import type { Failure } from '#src/api/outcome.ts'
import { useDevice } from '#src/sync/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField } from '#src/ui/text-field.tsx'
import { attachHolder, changeHolder, failureWords, findPatients, type HolderForm } from '../actions.ts'
import { priorityNames, relationshipNames } from '../words.ts'

/** Covers one more patient by a policy, or changes how one is covered. */
export function HolderDialog({
  policy,
  holder,
  onClose,
  onSaved,
}: {
  policy: Insurance
  /** Null for one more. */
  holder: InsuranceHolder | null
  onClose: () => void
  onSaved: () => void
}) {
  const device = useDevice()
  const [chosen, setChosen] = useState<{ id: string; name: string } | null>(holder && { id: holder.id_patient, name: holder.name ?? '' })
  const [relationship, setRelationship] = useState(holder?.relationship ?? 'child')
  const [priority, setPriority] = useState<InsurancePriority | ''>(holder ? (holder.priority ?? '') : 'primary')
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function save() {
    if (!chosen) return
    const body: HolderForm = { id_patient: chosen.id, relationship, priority: priority === '' ? null : priority }
    setBusy(true)
    setFailure(null)
    const refused = await (holder ? changeHolder(device, policy, body) : attachHolder(device, policy, body))
    setBusy(false)
    if (refused) setFailure(refused)
    else onSaved()
  }

  const atPriority = failure?.kind === 'refused' ? failure.fields.find(({ path }) => path === 'body.priority')?.message : undefined
  return (
    <Dialog
      open
      onClose={onClose}
      closeOnOutside={false}
      title={holder ? 'Edit holder' : 'Add holder'}
      description={chosen && <bdi>{chosen.name}</bdi>}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={isBusy} disabled={!chosen} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {!holder && <PatientPicker policy={policy} chosen={chosen?.id ?? null} onChoose={setChosen} />}
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label="Relationship to the subscriber"
            options={relationships.map((value) => ({ value, label: relationshipNames[value] }))}
            value={relationship}
            onChange={setRelationship}
          />
          <SelectField
            label="Priority for this patient"
            options={[{ value: '', label: 'None' }, ...insurancePriorities.map((value) => ({ value, label: priorityNames[value] }))]}
            value={priority}
            onChange={(chosen) => {
              setPriority(chosen)
              setFailure(null)
            }}
            error={atPriority}
          />
        </div>
        {failure && !atPriority && (
          <Notice tone="bad" title="NOT SAVED">
            {failureWords(failure)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

function PatientPicker({
  policy,
  chosen,
  onChoose,
}: {
  policy: Insurance
  chosen: string | null
  onChoose: (patient: { id: string; name: string }) => void
}) {
  const device = useDevice()
  const [line, setLine] = useState('')
  const [found, setFound] = useState<Patient[] | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setBusy] = useState(false)
  const present = new Set(policy.holders.map(({ id_patient }) => id_patient))

  async function search(event: FormEvent) {
    event.preventDefault()
    if (line.trim() === '') return
    setBusy(true)
    const answer = await findPatients(device, line)
    setBusy(false)
    setFailure(answer.ok ? null : answer.failure)
    if (answer.ok) setFound(answer.value.filter(({ id }) => !present.has(id)))
  }

  return (
    <div className="flex flex-col gap-3">
      <form role="search" onSubmit={(event) => void search(event)} className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            label="Patient"
            placeholder="Name, birth date or phone"
            autoComplete="off"
            maxLength={200}
            value={line}
            onChange={setLine}
          />
        </div>
        <Button type="submit" busy={isBusy} icon={<Search size={18} aria-hidden />}>
          Find
        </Button>
      </form>
      {failure && <Notice tone="warn">{failureWords(failure)}</Notice>}
      {found?.length === 0 && <p className="text-ink-2">Nobody else was found.</p>}
      {found && found.length > 0 && (
        <ul aria-label="Patients found" className="max-h-64 divide-y divide-line overflow-y-auto rounded-md border border-line">
          {found.map((patient) => (
            <li key={patient.id}>
              <button
                type="button"
                aria-pressed={chosen === patient.id}
                onClick={() => onChoose({ id: patient.id, name: patientName(patient) })}
                className="min-h-12 w-full px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2 aria-pressed:bg-accent-soft"
              >
                <span className="block font-medium">
                  <bdi>{patientName(patient)}</bdi>
                </span>
                <span className="text-sm text-ink-2">{[patient.dob ?? 'birth date not known', patient.city].join(' · ')}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
