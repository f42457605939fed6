import type { ReactNode } from 'react'
import { assignedSexes, contactWays, genders, priorities, pronouns } from '#contract/patients/patient.ts'
import { usStates } from '#contract/core/us-states.ts'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { DateField } from '#src/ui/forms/date-field.tsx'
import { RadioGroup } from '#src/ui/forms/radio-group.tsx'
import { SelectField, type SelectOption } from '#src/ui/forms/select-field.tsx'
import { TextArea } from '#src/ui/forms/text-area.tsx'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'
import { contactWords, fieldLabels } from '../model/field-words.ts'
import { priorityWords } from '../model/priority-words.ts'
import type { ChoiceName, TextName } from '../form.ts'
import { PcpPicker } from '#src/domain/pcps/pcp-picker.tsx'
import { usePatientChoices } from '../queries.ts'
import { ResponsiblePicker } from './responsible-person.tsx'

export type Bound<V> = { value: V; onChange: (value: V) => void; error: string | undefined }
/** Connects a field of the form to the component that shows it. */
export type Bind = {
  text: (name: TextName, show: (bound: Bound<string>) => ReactNode) => ReactNode
  choice: (name: ChoiceName, show: (bound: Bound<boolean>) => ReactNode) => ReactNode
}

const empty = { value: '', label: '' }
const same = (values: readonly string[]): SelectOption<string>[] => [empty, ...values.map((value) => ({ value, label: value }))]

/** The fields of the patient dialog, in the order in which users ask for them. */
export function PatientFields({ bind, today, ssnHint }: { bind: Bind; today: string; ssnHint: string | undefined }) {
  const text = (name: TextName, more: Partial<TextFieldProps> = {}) =>
    bind.text(name, (bound) => <TextField label={fieldLabels[name]} autoComplete="off" {...more} {...bound} />)
  const select = (name: TextName, options: readonly SelectOption<string>[], required = false) =>
    bind.text(name, ({ value, ...bound }) => (
      <SelectField
        label={fieldLabels[name]}
        required={required}
        // A value that is no longer a choice still shows.
        options={options.some((option) => option.value === value) ? options : [...options, { value, label: value }]}
        value={value}
        {...bound}
      />
    ))
  const choice = (name: ChoiceName, hint?: string) =>
    bind.choice(name, ({ value, onChange }) => <Checkbox label={fieldLabels[name]} hint={hint} checked={value} onChange={onChange} />)

  return (
    <>
      <Group title="Name">
        {text('last_name', { required: true, spellCheck: false })}
        {text('first_name', { required: true, spellCheck: false })}
        {text('middle_name', { spellCheck: false })}
        {text('pref', { spellCheck: false })}
        {bind.text('dob', (bound) => (
          <DateField label={fieldLabels.dob} autoComplete="off" min="1850-01-01" max={today} {...bound} />
        ))}
      </Group>
      <Group title="Address">
        {text('street_address', { required: true })}
        {text('address_line_2')}
        {text('city', { required: true })}
        {select('state', [empty, ...usStates.map(([value, label]) => ({ value, label: `${label} (${value})` }))], true)}
        {text('zip_code', { required: true, inputMode: 'numeric' })}
      </Group>
      <Group title="Person">
        <div className="col-span-full">
          {bind.text('gender', ({ value, ...bound }) => (
            <RadioGroup
              label={`${fieldLabels.gender} *`}
              columns={3}
              options={genders.map((gender) => ({ value: gender as string, label: gender }))}
              value={value === '' ? null : value}
              {...bound}
            />
          ))}
        </div>
        {select('assigned_sex', same(assignedSexes))}
        {select('pronoun', same(pronouns))}
        {text('ssn', { inputMode: 'numeric', placeholder: ssnHint ? '•••-••-••••' : undefined, hint: ssnHint })}
      </Group>
      <Group title="Contact">
        {text('email', { type: 'email', inputMode: 'email', spellCheck: false })}
        {text('phone', { type: 'tel' })}
        {text('phone_home', { type: 'tel' })}
        {text('cell_work', { type: 'tel' })}
        <div className="col-span-full flex flex-wrap gap-x-8">
          {choice('mailing_list')}
          {choice('survey')}
        </div>
      </Group>
    </>
  )
}

/** The clinic's own fields, in addition to the specification's. */
export function MorePatientFields({ bind, idPatient, isMinor }: { bind: Bind; idPatient: string; isMinor: boolean }) {
  const choices = usePatientChoices().value
  const providers = (choices?.providers ?? []).map(({ id_user, name }) => ({ value: String(id_user), label: name }))
  const locations = (choices?.locations ?? []).map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name }))
  const select = (name: TextName, options: readonly SelectOption<string>[]) =>
    bind.text(name, ({ value, ...bound }) => {
      // Without a connection the names may be missing.
      const known = options.some((option) => option.value === value) ? options : [...options, { value, label: `No. ${value}` }]
      return <SelectField label={fieldLabels[name]} options={known} value={value} {...bound} />
    })
  const area = (name: TextName) => bind.text(name, (bound) => <TextArea label={fieldLabels[name]} rows={2} {...bound} />)
  return (
    <>
      <Group title="At the clinic">
        {select(
          'priority',
          priorities.map((value) => ({ value, label: priorityWords[value] })),
        )}
        {select('preferred_contact', [empty, ...contactWays.map((value) => ({ value, label: contactWords[value] }))])}
        {select('preferred_provider_id', [empty, ...providers])}
        {select('preferred_store_id', [empty, ...locations])}
        {bind.text('responsible_party_id', (bound) => (
          <ResponsiblePicker
            label={fieldLabels.responsible_party_id}
            hint={isMinor ? 'Parent or guardian responsible for payment' : 'The person responsible for payment, if not the patient'}
            idPatient={idPatient}
            {...bound}
          />
        ))}
        {bind.text('pcp_id', (bound) => (
          <PcpPicker label={fieldLabels.pcp_id} {...bound} />
        ))}
        {bind.text('recall_due_date', (bound) => (
          <DateField label={fieldLabels.recall_due_date} {...bound} />
        ))}
        {bind.text('recall_reason', (bound) => (
          <TextField label={fieldLabels.recall_reason} {...bound} />
        ))}
        {bind.text('hipaa_ack_at', (bound) => (
          <DateField label={fieldLabels.hipaa_ack_at} {...bound} />
        ))}
        {bind.choice('inactive', ({ value, onChange }) => (
          <Checkbox
            label={fieldLabels.inactive}
            hint="Hidden from search unless inactive patients are included"
            checked={value}
            onChange={onChange}
          />
        ))}
      </Group>
      <Group title="Health">
        {area('alerts')}
        {area('allergies')}
        {area('medications')}
        {area('ocular_history')}
      </Group>
    </>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="min-w-0">
      <legend className="engraved mb-2">{title}</legend>
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
    </fieldset>
  )
}
