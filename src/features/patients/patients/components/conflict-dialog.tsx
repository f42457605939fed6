import { useCallback, useState } from 'react'
import * as v from 'valibot'
import type { Patient } from '#contract/patients/patient.ts'
import { patientEndpoints, patientInput, patientName } from '#contract/patients/patients.ts'
import type { Outcome } from '#src/api/outcome.ts'
import type { UnsentWork } from '#src/sync/device/device.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useLoaded } from '#src/sync/react/use-loaded.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { TextField } from '#src/ui/forms/text-field.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { allChosen, ConflictChoices } from './conflict-choices.tsx'
import { type Choice, compared, refusedOver } from '../model/conflict.ts'
import { fieldLabels } from '../model/field-words.ts'
import { settleConflict } from '../model/save-patient.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

export type ConflictDialogProps = { idPatient: string; work: UnsentWork; onClose: () => void }

/** Shows an edit that conflicts with another user's, and lets the author choose. Neither edit is lost until then. */
export function ConflictDialog({ idPatient, work, onClose }: ConflictDialogProps) {
  const device = useDevice()
  const timeZone = useSession(({ home }) => home?.locations.find((location) => location.store_id === home.store_id)?.time_zone)
  const { row, isMissing, reload } = useServersRow(idPatient, refusedOver(work))
  const [chosen, setChosen] = useState<{ over: number; choices: Partial<Record<string, Choice>> }>({ over: 0, choices: {} })
  const [ssn, setSsn] = useState('')
  const [ssnProblem, setSsnProblem] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // A choice made over an older version does not count: the user has not seen the present one.
  const choices = row?.version === chosen.over ? chosen.choices : {}
  const fields = row ? compared(work, row) : []
  const isReady = row !== null && allChosen(fields, choices)

  async function save() {
    if (!isReady) return
    const read = v.safeParse(patientInput.entries.ssn, ssn)
    setSsnProblem(read.issues?.[0].message)
    if (!read.success) return
    setBusy(true)
    const saved = await settleConflict(device, work, idPatient, fields, choices, read.output)
    setBusy(false)
    if (!saved.ok) return setProblem(saved.message)
    const isMine = read.output !== null || fields.some(({ field, isDisputed }) => !isDisputed || choices[field] === 'mine')
    if (isMine) showToast({ title: 'Patient information was successfully updated', tone: 'good' })
    else showToast({ title: 'Kept the server’s version', tone: 'good' })
    onClose()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      title="Which version should we keep?"
      description={
        <>
          {row && (
            <>
              <bdi>{patientName(row)}</bdi>.{' '}
            </>
          )}
          <bdi>{work.author}</bdi> made this edit on this device {formatDateTime(work.at, timeZone)}. Someone else edited this too.
        </>
      }
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" busy={isBusy} aria-disabled={!isReady} onClick={() => void save()}>
            Save and send
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {problem && <Notice tone="bad" title={`NOT SAVED. ${problem}`} />}
        {row ? (
          <>
            {fields.length === 0 && <p>The server already has this. Save to finish.</p>}
            <ConflictChoices
              fields={fields}
              choices={choices}
              onChoose={(field, choice) => setChosen({ over: row.version, choices: { ...choices, [field]: choice } })}
              timeZone={timeZone}
            />
            {work.changes.ssn && (
              <TextField
                label={fieldLabels.ssn}
                inputMode="numeric"
                autoComplete="off"
                value={ssn}
                onChange={setSsn}
                error={ssnProblem}
                hint="A number was typed but isn’t kept on this device. Type it again, or leave blank to keep the number on file."
              />
            )}
          </>
        ) : isMissing ? (
          <Notice
            tone="warn"
            title="The other person’s edit isn’t here yet"
            actions={<Button onClick={() => void reload()}>Try again</Button>}
          >
            It will download when you’re back online. Your edit is kept until then.
          </Notice>
        ) : (
          <Skeleton lines={3} height="row" />
        )}
      </div>
    </Dialog>
  )
}

/**
 * Returns the server's row, from this device or else from the server. It is at least as new as the one that refused the
 * edit.
 */
function useServersRow(id: string, version: number): { row: Patient | null; isMissing: boolean; reload: () => Promise<void> } {
  const device = useDevice()
  const { shelf, status } = usePatientShelf()
  const mirrored = status === 'ready' ? (shelf?.mirrored(id) ?? null) : null
  const isHere = mirrored !== null && mirrored.version >= version
  const load = useCallback(async (): Promise<Outcome<Patient | null>> => {
    if (isHere) return { ok: true, value: null }
    return await device.call(patientEndpoints.readPatient, { params: { id }, query: { reason: 'compare an edit' } })
  }, [device, id, isHere])
  const { value, failure, reload } = useLoaded(load)
  return { row: isHere ? mirrored : (value ?? null), isMissing: failure !== null, reload }
}
