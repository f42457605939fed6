import { useState } from 'react'
import { patientFieldNames } from '#contract/patients/patient.ts'
import type { UnsentWork } from '#src/sync/device/device.ts'
import { useConnection, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { Notice } from '#src/ui/notice.tsx'
import { isConflict } from '../model/conflict.ts'
import { fieldLabels } from '../model/field-words.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'
import { FieldValue } from './field-value.tsx'
import { WorkDialog } from './work-dialog.tsx'

/** Lists the patient's work that is unsent or refused, with a button to resolve it. Shows nothing without such work. */
export function UnsentNotice({ idPatient }: { idPatient: string }) {
  const { shelf } = usePatientShelf()
  const isOnline = useConnection(({ online }) => online !== false)
  const timeZone = useSession(({ home }) => home?.locations.find((location) => location.store_id === home.store_id)?.time_zone)
  const mayWrite = useSession(({ home }) => home?.permissions.includes('patient.write') ?? false)
  const [opened, setOpened] = useState<string | null>(null)
  const works = shelf?.unsent(idPatient) ?? []
  const waiting = works.filter(({ state }) => state === 'waiting')
  const refused = works.filter(({ state }) => state === 'attention')
  const chosen = works.find(({ id }) => id === opened)
  return (
    <>
      {waiting.length > 0 && (
        <div className="mb-4">
          <Notice tone="info" title={isOnline ? 'Being sent' : 'Saved on this device, not sent yet'}>
            {waiting.map((work) => (
              <WorkLines key={work.id} work={work} timeZone={timeZone} />
            ))}
          </Notice>
        </div>
      )}
      {refused.map((work) => (
        <div key={work.id} className="mb-4">
          <Notice
            tone="warn"
            title={isConflict(work) ? 'Someone else edited this too' : 'Couldn’t save this'}
            actions={mayWrite ? <Button onClick={() => setOpened(work.id)}>{isConflict(work) ? 'Resolve…' : 'Fix…'}</Button> : undefined}
          >
            {!isConflict(work) && <p>{work.problem?.message}</p>}
            <WorkLines work={work} timeZone={timeZone} />
          </Notice>
        </div>
      ))}
      {chosen && <WorkDialog idPatient={idPatient} work={chosen} onClose={() => setOpened(null)} />}
    </>
  )
}

function WorkLines({ work, timeZone }: { work: UnsentWork; timeZone: string | undefined }) {
  const lines = patientFieldNames.flatMap((field) => {
    const change = work.changes[field]
    return change ? [{ field, ...change }] : []
  })
  return (
    <div>
      <p className="text-sm text-ink-2">
        {work.kind === 'patient.create' ? 'Registered' : 'Changed'} by <bdi>{work.author}</bdi>, {formatDateTime(work.at, timeZone)}
      </p>
      {(lines.length > 0 || work.changes.ssn) && (
        <ul>
          {lines.map(({ field, from, to }) => (
            <li key={field} className="break-words">
              {fieldLabels[field]}: <FieldValue field={field} value={from} /> → <FieldValue field={field} value={to} />
            </li>
          ))}
          {work.changes.ssn && <li>{fieldLabels.ssn}: changed</li>}
        </ul>
      )}
    </div>
  )
}
