import type { PatientCriteria } from '#contract/patients/patient-search.ts'
import { usStates } from '#contract/core/us-states.ts'
import { Checkbox } from '#src/ui/forms/checkbox.tsx'
import { SelectField } from '#src/ui/forms/select-field.tsx'
import { useCoverageTypes, usePatientChoices } from '../queries.ts'
import type { MoreFieldsProps } from './patient-search-fields.tsx'

/** The fields behind “More fields”. Their choices come from the server, or from the device's copy of them. */
export function MoreSearchFields({ criteria, text, onChange }: MoreFieldsProps) {
  const choices = usePatientChoices().value
  const coverage = useCoverageTypes()
  const choice = (field: keyof PatientCriteria, label: string, options: readonly { value: string; label: string }[], hint?: string) => (
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
        coverage.failure && !coverage.value ? 'The choices are available online' : undefined,
      )}
      {choice('priority', 'Priority', [
        { value: 'normal', label: 'Normal' },
        { value: 'vip', label: 'VIP' },
        { value: 'urgent', label: 'Urgent' },
      ])}
      {text('last_exam', 'Last Exam', { hint: 'On or after this date' })}
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
        hint="Include inactive"
        checked={criteria.inactive === 'true'}
        onChange={(checked) => onChange('inactive', checked ? 'true' : '')}
      />
    </>
  )
}
