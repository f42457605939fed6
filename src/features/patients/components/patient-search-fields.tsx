import type { KeyboardEvent, ReactNode } from 'react'
import type { CriteriaProblems, PatientCriteria } from '#contract/patient-search.ts'
import { usStates } from '#contract/us-states.ts'
import { Checkbox } from '#src/ui/checkbox.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { TextField, type TextFieldProps } from '#src/ui/text-field.tsx'
import { useCoverageTypes, usePatientChoices } from '../queries.ts'

type Field = keyof PatientCriteria

/** Those that one opens with “More fields”. */
export const extraFields = [
  'state',
  'city',
  'zip',
  'age',
  'insurance_name',
  'coverage',
  'priority',
  'last_exam',
  'preferred_provider',
  'preferred_location',
  'inactive',
] as const satisfies readonly Field[]

export type PatientSearchFieldsProps = {
  criteria: PatientCriteria
  problems: CriteriaProblems
  expanded: boolean
  /** The id of the fields that `expanded` shows. */
  moreId: string
  onChange: (field: Field, value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

type Text = (field: Field, label: string, more?: Partial<TextFieldProps> & { 'data-autofocus'?: true }) => ReactNode

const columns = 'grid grid-cols-2 gap-3 lg:grid-cols-5'

/** What patients are looked for by. */
export function PatientSearchFields({ criteria, problems, expanded, moreId, onChange, onKeyDown }: PatientSearchFieldsProps) {
  const text: Text = (field, label, more) => (
    <TextField
      label={label}
      spellCheck={false}
      enterKeyHint="search"
      maxLength={200}
      value={criteria[field] ?? ''}
      onChange={(value) => onChange(field, value)}
      onKeyDown={onKeyDown}
      error={problems[field]}
      {...more}
    />
  )
  return (
    <>
      <div className={columns}>
        {text('name', 'Name', { 'data-autofocus': true })}
        {text('last_name', 'Last Name')}
        {text('dob', 'DOB')}
        {text('phone', 'Phone', { inputMode: 'tel' })}
        <div className="max-lg:col-span-2">{text('address', 'Address')}</div>
      </div>
      {expanded && (
        <div id={moreId} className={columns}>
          <MoreFields criteria={criteria} text={text} onChange={onChange} />
        </div>
      )}
    </>
  )
}

function MoreFields({ criteria, text, onChange }: Pick<PatientSearchFieldsProps, 'criteria' | 'onChange'> & { text: Text }) {
  const choices = usePatientChoices().value
  const coverage = useCoverageTypes()
  const choice = (field: Field, label: string, options: readonly { value: string; label: string }[], hint?: string) => (
    <SelectField
      label={label}
      hint={hint}
      options={[{ value: '', label: 'Any' }, ...options]}
      value={criteria[field] ?? ''}
      onChange={(value) => onChange(field, value)}
    />
  )
  return (
    <>
      {choice(
        'state',
        'State',
        usStates.map(([value, label]) => ({ value, label: `${label} (${value})` })),
      )}
      {text('city', 'City')}
      {text('zip', 'ZIP', { inputMode: 'numeric' })}
      {text('age', 'Age', { inputMode: 'numeric' })}
      {text('insurance_name', 'Insurance Name')}
      {choice(
        'coverage',
        'Coverage',
        (coverage.value?.coverage_types ?? []).map(({ key, name }) => ({ value: key, label: name })),
        coverage.failure && !coverage.value ? 'The choices are shown with a connection' : undefined,
      )}
      {choice('priority', 'Priority', [
        { value: 'normal', label: 'Normal' },
        { value: 'vip', label: 'VIP' },
        { value: 'urgent', label: 'Urgent' },
      ])}
      {text('last_exam', 'Last Exam', { hint: 'On this day or later' })}
      {choice(
        'preferred_provider',
        'Preferred Provider',
        (choices?.providers ?? []).map(({ id_user, name }) => ({ value: String(id_user), label: name })),
      )}
      {choice(
        'preferred_location',
        'Preferred Location',
        (choices?.locations ?? []).map(({ store_id, store_name }) => ({ value: String(store_id), label: store_name })),
      )}
      <Checkbox
        label="Inactive"
        hint="Finds them, too"
        checked={criteria.inactive === 'true'}
        onChange={(checked) => onChange('inactive', checked ? 'true' : '')}
      />
    </>
  )
}
