import { revalidateLogic, useForm, useStore } from '@tanstack/react-form'
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { ageOn, type Patient, type PatientInput } from '#contract/patients/patient.ts'
import { patientEndpoints } from '#contract/patients/patients.ts'
import type { UnsentWork } from '#src/sync/device/device.ts'
import { useDevice, useSession } from '#src/sync/react/device-context.tsx'
import { useToday } from '#src/sync/react/use-today.ts'
import { type Draft, useDraft } from '#src/sync/react/use-draft.ts'
import type { DraftPlace } from '#src/sync/device/drafts.ts'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/toast-store.ts'
import { TypedNotice } from '#src/ui/forms/typed-notice.tsx'
import { allChosen, ConflictChoices } from './conflict-choices.tsx'
import { LikelyPatients } from './likely-patients.tsx'
import { type Bind, MorePatientFields, PatientFields } from './patient-fields.tsx'
import { type Choice, chosenChanges, compared } from '../model/conflict.ts'
import { draftOf, type PatientFormDraft, readDraft } from '../model/draft.ts'
import { isStrong, type LikelyPatient, likelyAtServer, likelyHere, stillAlike } from '../model/duplicates.ts'
import { fieldLabels } from '../model/field-words.ts'
import { changesOf, formOf, type PatientForm, problemsAtFields, readForm } from '../form.ts'
import { correctWork, createPatient, editPatient, type Saved } from '../model/save-patient.ts'
import { usePatientShelf } from '#src/sync/react/use-patient-shelf.ts'

/** The task of the dialog: register a patient, edit one, or correct work that the server refused. */
export type PatientTask =
  | { kind: 'create'; given: PatientForm }
  | { kind: 'edit'; base: Patient }
  | { kind: 'correct'; work: UnsentWork; base: Patient }

export type PatientDialogProps = {
  task: PatientTask
  onClose: () => void
  /** Called once the patient is saved on the disk or at the server. */
  onSaved?: (id: string) => void
  onOpenPatient?: (id: string) => void
}

/** The dialogs Add New Patient and Edit Patient. Restores the text that was typed and not saved. */
export function PatientDialog(props: PatientDialogProps) {
  const { task } = props
  const place: DraftPlace = `patient: ${task.kind === 'create' ? 'new' : task.kind === 'edit' ? task.base.id : task.work.id}`
  const { kept: draft, keep, forget } = useDraft(place, readDraft)
  /** Counts how often the user starts over. From 1 on, the stored draft is ignored. */
  const [turn, setTurn] = useState(0)
  const isNew = task.kind === 'create' || (task.kind === 'correct' && task.work.kind === 'patient.create')
  const title = isNew ? 'Add New Patient' : 'Edit Patient'
  // The draft is being read from the disk. Showing the form earlier would show it twice.
  if (draft === undefined) return null
  const found = turn === 0 ? draft : null
  const start: Start =
    found === null
      ? { id: task.kind === 'create' ? uuidv7() : task.base.id, base: isNew ? null : task.base, form: formOfTask(task), draft: null }
      : { id: found.id, base: found.base, form: found.form, draft: { hadSsn: found.hadSsn } }
  return <OpenDialog key={turn} {...props} {...{ place, title, start, keep, forget }} onStartOver={() => setTurn(turn + 1)} />
}

type Start = { id: string; base: Patient | null; form: PatientForm; draft: { hadSsn: boolean } | null }
type OpenProps = PatientDialogProps &
  Pick<Draft<PatientFormDraft>, 'keep' | 'forget'> & { place: string; title: string; start: Start; onStartOver: () => void }

function formOfTask(task: PatientTask): PatientForm {
  if (task.kind === 'create') return task.given
  if (task.kind === 'edit') return formOf(task.base)
  const wanted: Record<string, unknown> = { ...task.base }
  for (const [field, change] of Object.entries(task.work.changes)) if (field !== 'ssn' && change) wanted[field] = change.to
  return formOf(wanted)
}

/** Another user changed the patient while this one was editing at the server. */
type Overtaken = { row: Patient; mine: PatientInput; choices: Partial<Record<string, Choice>> }

function OpenDialog({ task, place, title, start: given, keep, forget, onStartOver, onClose, onSaved, onOpenPatient }: OpenProps) {
  const device = useDevice()
  const { shelf, status, turn } = usePatientShelf()
  const timeZone = useSession(({ home }) => home?.locations.find((location) => location.store_id === home.store_id)?.time_zone)
  const [start] = useState(given)
  const [base, setBase] = useState(start.base)
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set())
  const [told, setTold] = useState<readonly LikelyPatient[]>([])
  const [refusal, setRefusal] = useState<Extract<Saved, { ok: false }> | null>(() => refusalOf(task))
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null)
  const [isMore, setMore] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const alike = useRef<HTMLDivElement>(null)
  /** The id and the content of a write that may have arrived. */
  const doubtful = useRef<{ id: string; text: string } | null>(null)
  const today = useToday()

  const form = useForm({
    defaultValues: start.form,
    validationLogic: revalidateLogic(),
    validators: {
      onDynamic: ({ value }) => {
        const read = readForm(value, base ?? {}, today)
        return read.ok ? undefined : { fields: read.problems }
      },
    },
    // The first problem may be far from the button.
    onSubmitInvalid: ({ formApi }) => {
      const hidden = Object.keys(formApi.state.errors[0] ?? {}).some((name) => name in moreFields)
      if (hidden) setMore(true)
      requestAnimationFrame(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
    },
    onSubmit: async ({ value }) => {
      const read = readForm(value, base ?? {}, today)
      if (read.ok) await submit(value, read.patient)
    },
  })
  const values = useStore(form.store, (state) => state.values)
  const isTouched = useStore(form.store, (state) => !state.isDefaultValue) || start.draft !== null
  const isSaving = useStore(form.store, (state) => state.isSubmitting)
  /** True once the form is saved or dropped: nothing is kept as a draft after that. */
  const isOver = useRef(false)
  const keepValues = useEffectEvent(() => {
    if (isTouched && !isOver.current) void keep(draftOf(start.id, base, values))
  })
  useEffect(() => keepValues(), [values])
  const end = async () => {
    isOver.current = true
    await forget()
  }

  const shown = useDeferredValue(values)
  const isCreating = task.kind === 'create'
  const here = useMemo(
    // Searches again when patients arrive: after the first sign-in on a tablet they do so while the user types.
    () => (isCreating && shelf && status === 'ready' && turn >= 0 ? likelyHere(shelf, shown) : []),
    [isCreating, shelf, status, turn, shown],
  )
  const likely = [...here, ...stillAlike(told, shown, here)].filter(({ patient }) => !others.has(patient.id) && patient.id !== start.id)

  async function submit(value: PatientForm, patient: PatientInput) {
    setRefusal(null)
    if (isCreating && (await isAlike(value))) return
    const keepsHere = status === 'ready' && shelf !== null && (base === null || shelf.get(base.id) !== null)
    const text = JSON.stringify(patient)
    const again = doubtful.current?.text === text ? doubtful.current.id : null
    const saved = await save(keepsHere, patient, again)
    if (saved === 'nothing') {
      await end()
      onClose()
      return
    }
    if (saved.ok) {
      await end()
      tell(saved.where)
      onSaved?.(start.id)
      onClose()
      if (isCreating) onOpenPatient?.(start.id)
      return
    }
    if (saved.doubtful !== null) doubtful.current = { id: saved.doubtful, text }
    if (base === null) showToast({ title: 'Error', description: 'Failed to create patient', tone: 'bad' })
    if (saved.isOvertaken && base !== null) await compareWithServer(base.id, patient)
    setRefusal(saved)
  }

  async function save(keepsHere: boolean, patient: PatientInput, again: string | null): Promise<Saved | 'nothing'> {
    if (task.kind === 'correct') {
      if (base === null) return await correctWork(device, task.work, { id_patient: start.id, patient })
      return await correctWork(device, task.work, { id_patient: base.id, changes: changesOf(base, patient) })
    }
    if (base === null) return await createPatient(device, keepsHere, start.id, patient, again)
    const changes = changesOf(base, patient)
    if (Object.keys(changes).length === 0) return 'nothing'
    return await editPatient(device, keepsHere, base, patient, changes, again)
  }

  /** Returns true when this device or the server knows a patient who may be this one. */
  async function isAlike(value: PatientForm): Promise<boolean> {
    const known = new Set([...others, start.id])
    const isNews = (found: readonly LikelyPatient[]) => found.some((one) => isStrong(one) && !known.has(one.patient.id))
    let isFound = shelf !== null && status === 'ready' && isNews(likelyHere(shelf, value))
    if (!isFound && device.connection.getState().online !== false) {
      const answered = (await likelyAtServer(device, value)) ?? []
      setTold(answered)
      isFound = isNews(answered)
    }
    if (isFound) requestAnimationFrame(() => alike.current?.focus())
    return isFound
  }

  /**
   * For devices without patients: shows the server's present values beside the typed ones. Nothing is written before
   * the user chooses.
   */
  async function compareWithServer(id: string, mine: PatientInput) {
    const answer = await device.call(patientEndpoints.readPatient, { params: { id }, query: { reason: 'compare an edit' } })
    if (answer.ok) setOvertaken({ row: answer.value, mine, choices: {} })
  }

  function settleOvertaken({ row, mine, choices }: Overtaken) {
    if (base === null) return
    const fields = compared({ changes: changesOf(base, mine), problem: null }, row)
    const chosen: Record<string, unknown> = { ...row }
    for (const [field, change] of Object.entries(chosenChanges(fields, choices, null))) chosen[field] = change?.to
    const next = { ...formOf(chosen), ssn: values.ssn }
    setBase(row)
    form.reset(start.form)
    for (const name of Object.keys(next) as (keyof PatientForm)[]) form.setFieldValue(name, next[name])
    setOvertaken(null)
    setRefusal(null)
  }

  function tell(where: 'here' | 'server') {
    const isOffline = device.connection.getState().online === false
    const words = base === null ? 'Patient created successfully' : 'Patient information was successfully updated'
    const waits = where === 'here' && isOffline ? { description: 'Saved on this device. It will be sent when you’re back online.' } : {}
    showToast({ title: words, tone: 'good', ...waits })
  }

  const errorOf = (name: string, errors: readonly unknown[]) => {
    const [first] = errors
    return typeof first === 'string' ? first : refusal?.problems[name]
  }
  const cleared = (name: string) =>
    setRefusal((now) => now && { ...now, problems: Object.fromEntries(Object.entries(now.problems).filter(([field]) => field !== name)) })
  const bind: Bind = {
    text: (name, show) => (
      <form.Field name={name}>
        {(field) =>
          show({
            value: field.state.value,
            onChange: (value) => {
              field.handleChange(value)
              cleared(name)
            },
            error: errorOf(name, field.state.meta.errors),
          })
        }
      </form.Field>
    ),
    choice: (name, show) => (
      <form.Field name={name}>{(field) => show({ value: field.state.value, onChange: field.handleChange, error: undefined })}</form.Field>
    ),
  }
  const formId = `patient-${place}`
  const fields = overtaken && base ? compared({ changes: changesOf(base, overtaken.mine), problem: null }, overtaken.row) : []
  // A draft does not keep the SSN, nor does refused work. The user has to type it again.
  const lostSsn = start.draft?.hadSsn === true || (task.kind === 'correct' && (task.work.changes.ssn !== undefined || base === null))

  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      size="lg"
      closeOnOutside={false}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {overtaken ? (
            <Button
              variant="primary"
              aria-disabled={!allChosen(fields, overtaken.choices)}
              onClick={() => allChosen(fields, overtaken.choices) && settleOvertaken(overtaken)}
            >
              Use these
            </Button>
          ) : (
            <Button type="submit" form={formId} variant="primary" busy={isSaving}>
              {isSaving ? 'Loading...' : 'Submit'}
            </Button>
          )}
        </>
      }
    >
      {overtaken && (
        <div className="flex flex-col gap-5">
          <Notice tone="warn" title="Someone else edited this patient too">
            Nothing was overwritten. Choose which version to keep, then check the form and submit it.
          </Notice>
          <ConflictChoices
            fields={fields}
            choices={overtaken.choices}
            timeZone={timeZone}
            onChoose={(field, choice) => setOvertaken({ ...overtaken, choices: { ...overtaken.choices, [field]: choice } })}
          />
        </div>
      )}
      <form
        ref={formElement}
        id={formId}
        noValidate
        aria-label={title}
        hidden={overtaken !== null}
        className="flex flex-col gap-6"
        onSubmit={(event) => {
          event.preventDefault()
          // React bubbles this event to the search form, where the dialog was opened.
          event.stopPropagation()
          void form.handleSubmit()
        }}
      >
        {start.draft && (
          <TypedNotice
            of={{
              former: start.draft,
              isLost: false,
              startOver() {
                void end()
                onStartOver()
              },
            }}
          />
        )}
        {refusal && !overtaken && (
          <Notice
            tone="bad"
            title={task.kind === 'correct' && refusal.message === task.work.problem?.message ? 'Couldn’t save this' : 'NOT SAVED'}
          >
            <p>{refusal.message}. What you typed is still here.</p>
            {Object.entries(refusal.problems).map(([name, problem]) => (
              <p key={name}>{name in fieldLabels ? `${fieldLabels[name as keyof typeof fieldLabels]}: ${problem}` : problem}</p>
            ))}
          </Notice>
        )}
        {isCreating && (
          <LikelyPatients
            ref={alike}
            likely={likely}
            today={today}
            onOther={(ids) => setOthers(new Set([...others, ...ids]))}
            onOpen={(id) => {
              onClose()
              onOpenPatient?.(id)
            }}
          />
        )}
        <PatientFields bind={bind} today={today} ssnHint={ssnHint(base !== null, lostSsn)} />
        <div className="flex flex-col gap-6">
          <Button variant="quiet" aria-expanded={isMore} onClick={() => setMore(!isMore)}>
            {isMore ? 'Fewer fields' : 'More fields'}
          </Button>
          {isMore && <MorePatientFields bind={bind} idPatient={start.id} isMinor={isMinorOn(values.dob, today)} />}
        </div>
      </form>
    </Dialog>
  )
}

const moreFields = {
  responsible_party_id: true,
  pcp_id: true,
  recall_due_date: true,
  recall_reason: true,
  hipaa_ack_at: true,
  alerts: true,
  allergies: true,
  medications: true,
  ocular_history: true,
}

function isMinorOn(dob: string, today: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(dob) && ageOn(dob, today) < 18
}

function ssnHint(isEdit: boolean, isLost: boolean): string | undefined {
  if (isLost) return 'For privacy, it isn’t kept on this device. If you typed one, type it again.'
  return isEdit ? 'Leave blank to keep the number on file' : undefined
}

/** Returns the reason why the server refused the work, at its fields. */
function refusalOf(task: PatientTask): Extract<Saved, { ok: false }> | null {
  if (task.kind !== 'correct' || task.work.problem === null) return null
  const { message, fields = [] } = task.work.problem
  return { ok: false, message, problems: problemsAtFields(fields), isOvertaken: false, doubtful: null }
}
