import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Intake, type IntakeField, portalEndpoints } from '#contract/patients/portal.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { formatDateTime } from '#src/ui/format.ts'
import { NotLoaded } from '#src/ui/not-loaded.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { useIntake } from '../queries.ts'
import { fieldLabels, fieldWords, offlineWords } from '../words.ts'

type Choice = 'sent' | 'on-file'

/** Shows a form beside the record. The user chooses a value for each field, and can save only after the last choice. */
export function IntakeDialog({ id, onClose }: { id: string; onClose: (isChanged: boolean) => void }) {
  const device = useDevice()
  const home = useSession((session) => session.home)
  const { value: intake, failure, reload } = useIntake(id)
  const [choices, setChoices] = useState<Partial<Record<IntakeField, { choice: Choice; over: string | null }>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const mayMerge = home?.permissions.includes('patient.write') === true
  const timeZone = home?.locations.find((store) => store.store_id === home.store_id)?.time_zone
  const differing = intake?.fields.filter(({ sent, on_file }) => sent !== on_file) ?? []
  // A choice made over an older value does not count: the user has not seen the present one.
  const choiceOf = ({ field, on_file }: Intake['fields'][number]) => (choices[field]?.over === on_file ? choices[field]?.choice : undefined)
  const isReady = intake !== undefined && differing.every((field) => choiceOf(field) !== undefined)
  const isOpen = intake?.taken === null

  async function merge() {
    if (!isReady || isBusy) return
    setBusy(true)
    setProblem(null)
    const take = differing.filter((field) => choiceOf(field) === 'sent').map(({ field, on_file }) => ({ field, from: on_file }))
    const answer = await device.call(portalEndpoints.mergeIntake, { params: { id }, body: { take } })
    if (!answer.ok) {
      // Shows another user's change, and asks again about those fields.
      if (answer.failure.kind === 'refused' && answer.failure.code === 'patient-changed') await reload()
      setBusy(false)
      return setProblem(answer.failure.message)
    }
    setBusy(false)
    if (take.length > 0) showToast({ title: 'Patient information was successfully updated', tone: 'good' })
    else showToast({ title: 'Kept what’s on file', tone: 'good' })
    onClose(true)
  }

  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      closeOnOutside={false}
      size="lg"
      title={
        intake ? (
          <>
            Form from <bdi>{intake.patient_name}</bdi>
          </>
        ) : (
          'Form'
        )
      }
      description={intake && `Sent ${formatDateTime(intake.at, timeZone)}. Your choices are saved to the record as your edit.`}
      footer={
        <>
          <Button onClick={() => onClose(false)}>Close</Button>
          {isOpen && mayMerge && (
            <Button variant="primary" busy={isBusy} aria-disabled={!isReady} onClick={() => void merge()}>
              Save review
            </Button>
          )}
        </>
      }
    >
      {!intake ? (
        failure ? (
          <NotLoaded failure={failure} offline={offlineWords} onRetry={() => void reload()} />
        ) : (
          <Skeleton lines={5} height="row" />
        )
      ) : (
        <div className="flex flex-col gap-5">
          {problem !== null && <Notice tone="bad" title={`NOT SAVED. ${problem}`} />}
          {isOpen && mayMerge ? (
            differing.map((field) => (
              <RadioGroup
                key={field.field}
                label={`${fieldLabels[field.field]}: which version should we keep?`}
                look="cards"
                columns={2}
                value={choiceOf(field) ?? null}
                onChange={(choice) => setChoices({ ...choices, [field.field]: { choice, over: field.on_file } })}
                options={[
                  { value: 'sent', label: <Value text={fieldWords(field.field, field.sent)} />, hint: 'Use the patient’s answer' },
                  { value: 'on-file', label: <Value text={fieldWords(field.field, field.on_file)} />, hint: 'Keep what’s on file' },
                ]}
              />
            ))
          ) : (
            <Answers intake={intake} />
          )}
          {isOpen && mayMerge && differing.length < intake.fields.length && <Same intake={intake} />}
          {intake.insurance !== null && (
            <section aria-label="Insurance" className="rounded-lg border border-line bg-sunken px-4 py-3">
              <p className="text-sm text-ink-2">Insurance, in the patient’s words</p>
              <p className="wrap-anywhere whitespace-pre-line">{intake.insurance}</p>
              <Link
                to="/patient/$id_patient/insurance"
                params={{ id_patient: intake.id_patient }}
                className="inline-flex min-h-target items-center underline underline-offset-4"
              >
                Open the patient’s insurance
              </Link>
            </section>
          )}
        </div>
      )}
    </Dialog>
  )
}

/** A reviewed form: the values that the patient sent, and the ones that were accepted. */
function Answers({ intake }: { intake: Intake }) {
  return (
    <dl className="grid gap-3 sm:grid-cols-2">
      {intake.fields.map(({ field, sent }) => (
        <div key={field}>
          <dt className="text-sm text-ink-2">
            {fieldLabels[field]}
            {intake.taken && (intake.taken.includes(field) ? ', used' : ', not used')}
          </dt>
          <dd className="wrap-anywhere whitespace-pre-line">{fieldWords(field, sent)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Same({ intake }: { intake: Intake }) {
  const same = intake.fields.filter(({ sent, on_file }) => sent === on_file)
  return <p className="text-ink-2">Already on file: {same.map(({ field }) => fieldLabels[field]).join(', ')}.</p>
}

function Value({ text }: { text: string }) {
  return <strong className="font-semibold break-words whitespace-pre-line">{text}</strong>
}
