import type { ComponentType, KeyboardEvent, ReactNode } from 'react'
import type { CriteriaProblems, PatientCriteria } from '#contract/patients/patient-search.ts'
import { TextField, type TextFieldProps } from '#src/ui/forms/text-field.tsx'

type Field = keyof PatientCriteria

/** The fields behind “More fields”. */
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
  /** Renders them. Null where their choices are not available. */
  MoreFields: ComponentType<MoreFieldsProps> | null
  onChange: (field: Field, value: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}

export type MoreFieldsProps = {
  criteria: PatientCriteria
  /** Renders a text field like the others. */
  text: Text
  onChange: (field: Field, value: string) => void
}

type Text = (field: Field, label: string, more?: Partial<TextFieldProps> & { 'data-autofocus'?: true }) => ReactNode

const columns = 'grid grid-cols-2 gap-3 lg:grid-cols-5'

/** The search fields for patients. */
export function PatientSearchFields({ criteria, problems, expanded, moreId, MoreFields, onChange, onKeyDown }: PatientSearchFieldsProps) {
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
          {MoreFields && <MoreFields criteria={criteria} text={text} onChange={onChange} />}
        </div>
      )}
    </>
  )
}
