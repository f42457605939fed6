import { type SubmitEvent, useState } from 'react'
import { patientName, patientEndpoints } from '#contract/patients/patients.ts'
import type { ResponseOf } from '#contract/core/endpoint.ts'
import { useDevice } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDate } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'

type Found = ResponseOf<typeof patientEndpoints.searchPatients>
const shown = 10

/** Finds a patient to invite, by name, birth date or phone. */
export function PickPatientDialog({ onPick, onClose }: { onPick: (id: string) => void; onClose: () => void }) {
  const device = useDevice()
  const [query, setQuery] = useState('')
  const [found, setFound] = useState<Found | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  async function search(event: SubmitEvent) {
    event.preventDefault()
    if (query.trim() === '' || isBusy) return
    setBusy(true)
    setProblem(null)
    const answer = await device.call(patientEndpoints.searchPatients, { query: { query } })
    setBusy(false)
    if (answer.ok) setFound(answer.value)
    else setProblem(answer.failure.message)
  }

  return (
    <Dialog open onClose={onClose} title="Invite a patient">
      <form className="flex flex-wrap items-end gap-2" onSubmit={(event) => void search(event)}>
        <div className="min-w-0 flex-1">
          <TextField label="Name, date of birth or phone" autoComplete="off" value={query} onChange={setQuery} />
        </div>
        <Button type="submit" busy={isBusy}>
          Search
        </Button>
      </form>
      <div className="mt-4 flex flex-col gap-3">
        {problem !== null && <Notice tone="bad" title={problem} />}
        {found && found.total === 0 && <p>No patients found.</p>}
        {found && found.total > 0 && (
          <ul aria-label="Patients found" className="divide-y divide-line rounded-lg border border-line">
            {found.patients.slice(0, shown).map((patient) => (
              <li key={patient.id}>
                <button
                  type="button"
                  onClick={() => onPick(patient.id)}
                  className="flex min-h-row w-full flex-wrap items-center justify-between gap-x-4 px-4 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
                >
                  <bdi className="font-medium wrap-anywhere">{patientName(patient)}</bdi>
                  <span className="figures text-sm text-ink-2">
                    {patient.dob ? formatDate(patient.dob) : 'No date of birth'} · {patient.store_name}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {found && found.total > shown && <p className="text-sm text-ink-2">{found.total - shown} more. Type more of the name.</p>}
      </div>
    </Dialog>
  )
}
