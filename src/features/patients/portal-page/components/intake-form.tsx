import { type ReactNode, type SubmitEvent, useState } from 'react'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { contactWays } from '#contract/patients/patient.ts'
import { type IntakeAnswers, intakeAnswers, type PortalView, sendIntake } from '#contract/patients/portal.ts'
import { usStates } from '#contract/core/us-states.ts'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import type { PortalCall, Proof } from '../model/portal-calls.ts'

type Name = keyof IntakeAnswers
const names = Object.keys(intakeAnswers.entries) as Name[]
const wayWords: Record<(typeof contactWays)[number], string> = {
  sms: 'Text message',
  email: 'Email',
  call: 'Phone call',
  none: 'Please do not contact me',
}

type IntakeFormProps = { call: PortalCall; proof: Proof; onSent: (view: PortalView) => void; onCancel: () => void }

/** The patient's form for the clinic. An empty field is no answer, and the form shows nothing from the record. */
export function IntakeForm({ call, proof, onSent, onCancel }: IntakeFormProps) {
  const [given, setGiven] = useState<Partial<Record<Name, string>>>({})
  const [id, setId] = useState(() => uuidv7())
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const isEmpty = Object.values(given).every((value) => value.trim() === '')

  function put(name: Name, value: string) {
    setGiven({ ...given, [name]: value })
    setErrors({ ...errors, [name]: undefined })
    // A changed form is another form: the former one may have arrived.
    setId(uuidv7())
  }

  async function send(event: SubmitEvent) {
    event.preventDefault()
    if (isBusy) return
    setProblem(null)
    if (isEmpty) return setProblem('Fill out at least one field.')
    const answers = Object.fromEntries(names.map((name) => [name, given[name] ?? '']))
    const read = v.safeParse(intakeAnswers, answers)
    if (!read.success) {
      const first = read.issues.map((issue) => [String(issue.path?.[0]?.key), issue.message]).toReversed()
      setErrors(Object.fromEntries(first))
      return setProblem('Please check the highlighted fields.')
    }
    setBusy(true)
    const answer = await call(sendIntake, { body: { ...proof, id, answers: read.output } })
    setBusy(false)
    if (answer.ok) return onSent(answer.value)
    const { failure } = answer
    if (failure.kind === 'refused')
      setErrors(Object.fromEntries(failure.fields.map(({ path, message }) => [path.replace('body.answers.', ''), message])))
    setProblem(failure.message)
  }

  const bound = (name: Name) => ({ value: given[name] ?? '', onChange: (value: string) => put(name, value), error: errors[name] })
  const text = (name: Name, label: string, more: Partial<TextFieldProps> = {}) => <TextField label={label} {...more} {...bound(name)} />
  const area = (name: Name, label: string, hint?: string) => <TextArea label={label} hint={hint} maxLength={2000} {...bound(name)} />

  return (
    <form noValidate className="flex flex-col gap-6" onSubmit={(event) => void send(event)}>
      <div>
        <h2 className="text-lg font-semibold">Your form</h2>
        <p className="text-ink-2">Fill out anything new or missing. Leave the rest blank and the clinic keeps what it has.</p>
      </div>
      <Group title="Address">
        {text('street_address', 'Street address', { autoComplete: 'address-line1' })}
        {text('address_line_2', 'Apartment or unit', { autoComplete: 'address-line2' })}
        {text('city', 'City', { autoComplete: 'address-level2' })}
        <SelectField
          label="State"
          options={[{ value: '', label: '' }, ...usStates.map(([value, label]) => ({ value: value as string, label }))]}
          {...bound('state')}
        />
        {text('zip_code', 'Zip code', { autoComplete: 'postal-code', inputMode: 'numeric' })}
      </Group>
      <Group title="Contact information">
        {text('phone', 'Cell phone', { type: 'tel', autoComplete: 'tel' })}
        {text('phone_home', 'Home phone', { type: 'tel', autoComplete: 'home tel' })}
        {text('cell_work', 'Work phone', { type: 'tel', autoComplete: 'work tel' })}
        {text('email', 'Email', { type: 'email', autoComplete: 'email', inputMode: 'email' })}
        <SelectField
          label="Preferred contact method"
          options={[{ value: '', label: '' }, ...contactWays.map((way) => ({ value: way as string, label: wayWords[way] }))]}
          {...bound('preferred_contact')}
        />
      </Group>
      <Group title="Your health" wide>
        {area('allergies', 'Allergies', 'Enter “none” if you have none.')}
        {area('medications', 'Medications', 'Include the dose if you know it.')}
        {area('ocular_history', 'Eye history', 'Eye surgeries, injuries and diseases, yours and your family’s.')}
      </Group>
      <Group title="Insurance" wide>
        {area('insurance', 'Your insurance', 'Company, member ID and policyholder. Please bring your card.')}
      </Group>
      {problem !== null && <Notice tone="bad" title={problem} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" busy={isBusy}>
          Send to the clinic
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </form>
  )
}

function Group({ title, wide = false, children }: { title: string; wide?: boolean; children: ReactNode }) {
  return (
    <fieldset className={`grid gap-4 ${wide ? '' : 'sm:grid-cols-2'}`}>
      <legend className="mb-2 font-semibold">{title}</legend>
      {children}
    </fieldset>
  )
}
